/** Where the index of a vault lies: in the vault, in a folder set by the user, in the user's cache, or in memory. */

import { basename, join, resolve } from 'node:path';
import { prepareIndexFolder } from '../adapters/index-sqlite/index-folder.js';
import { contentHash } from '../core/text/content-hash.js';
import { isAscii } from '../core/text/fold.js';
import { expandHome, realFolder } from './find-vault.js';
import { homeFolder } from './home-folder.js';

export type IndexPlace = {
  /** Undefined: only in memory. */
  readonly folder: string | undefined;
  /** Why it is not where it was asked for. */
  readonly notice: string | undefined;
};

export function placeIndex(
  vault: string,
  environment: Readonly<Record<string, string | undefined>>,
): IndexPlace {
  const [asked, cache] = indexFolders(vault, environment);
  if (prepareIndexFolder(asked)) return { folder: asked, notice: undefined };
  if (prepareIndexFolder(cache)) {
    return { folder: cache, notice: `"${asked}" cannot be written; the index is in "${cache}"` };
  }
  return {
    folder: undefined,
    notice: `neither "${asked}" nor "${cache}" can be written; the index is kept in memory`,
  };
}

/** Where it should lie, and where else it may. */
export function indexFolders(
  vault: string,
  environment: Readonly<Record<string, string | undefined>>,
): readonly [asked: string, cache: string] {
  const set = environment['AGENT_MEMORY_INDEX_DIR'];
  const asked = set ? join(resolve(expandHome(set)), ownFolder(vault)) : join(vault, '.vectors');
  return [asked, join(userCacheFolder(environment), 'agent-memory', ownFolder(vault))];
}

/** The platform's folder for files that programs can make anew. */
export function userCacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  if (environment['XDG_CACHE_HOME']) return environment['XDG_CACHE_HOME'];
  if (process.platform === 'darwin') return join(homeFolder(environment), 'Library', 'Caches');
  if (process.platform === 'win32')
    return environment['LOCALAPPDATA'] ?? join(homeFolder(environment), 'AppData', 'Local');
  return join(homeFolder(environment), '.cache');
}

/** One folder a vault, recognisable by a person and the same however the vault is reached. */
function ownFolder(vault: string): string {
  const base = basename(vault);
  // Preparing a class of Unicode takes a millisecond.
  const name = isAscii(base) ? base.replace(/[^A-Za-z0-9_-]/g, '_') : base.replace(/[^\p{L}\p{N}_-]/gu, '_');
  return `${name}-${contentHash(realFolder(vault)).slice(0, 12)}`;
}
