/** Where the index of a vault lies: in the vault, in a folder set by the user, in the user's cache, or in memory. */

import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { prepareIndexFolder } from '../adapters/index-sqlite/index-folder.js';
import { expandHome, realFolder } from './find-vault.js';

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
  const own = `${basename(vault).replace(/[^\p{L}\p{N}_-]/gu, '_')}-${shortHash(realFolder(vault))}`;
  const set = environment['AGENT_MEMORY_INDEX_DIR'];
  const asked = set ? join(resolve(expandHome(set)), own) : join(vault, '.vectors');
  if (prepareIndexFolder(asked)) return { folder: asked, notice: undefined };

  const cache = join(userCacheFolder(environment), 'agent-memory', own);
  if (prepareIndexFolder(cache)) {
    return { folder: cache, notice: `"${asked}" cannot be written; the index is in "${cache}"` };
  }
  return {
    folder: undefined,
    notice: `neither "${asked}" nor "${cache}" can be written; the index is kept in memory`,
  };
}

/** The platform's folder for files that programs can make anew. */
export function userCacheFolder(environment: Readonly<Record<string, string | undefined>>): string {
  if (environment['XDG_CACHE_HOME']) return environment['XDG_CACHE_HOME'];
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  if (process.platform === 'win32') return environment['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  return join(homedir(), '.cache');
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
