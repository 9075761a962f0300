/** Which folder is the vault: named, set in the environment, or found upwards from where the command runs. */

import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { MemoryError } from '../core/errors.js';
import { homeFolder } from './home-folder.js';

const MARKS = ['.memory', '.vectors', '.obsidian'] as const;

export type VaultSearch = {
  /** From `--vault`. */
  readonly named?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
};

/** Absolute path of an existing folder. Throws `not_found` with a command that works. */
export function findVault({ named, environment, workingFolder }: VaultSearch): string {
  if (named !== undefined) return existing(named, workingFolder, '--vault');
  const fromEnvironment = environment['AGENT_MEMORY_VAULT'];
  if (fromEnvironment) return existing(fromEnvironment, workingFolder, 'AGENT_MEMORY_VAULT');
  const home = homeFolder(environment);
  for (let folder = workingFolder; ; folder = dirname(folder)) {
    // ~/.memory or ~/.obsidian may be a program's settings; the home folder is a vault only when asked for.
    if (folder !== home || folder === workingFolder) {
      if (MARKS.some((mark) => isFolder(join(folder, mark)))) return folder;
    }
    if (dirname(folder) === folder) break;
  }
  throw new MemoryError('not_found', `No vault at or above "${workingFolder}"`, {
    hint: 'Name one with --vault <folder> or AGENT_MEMORY_VAULT, or make this folder one with `memory init`.',
  });
}

function existing(given: string, workingFolder: string, from: string): string {
  const path = resolve(workingFolder, expandHome(given));
  if (isFolder(path)) return path;
  const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
  throw new MemoryError(
    exists ? 'invalid_input' : 'not_found',
    `The vault "${given}" (from ${from}) ${exists ? 'is not a folder' : 'does not exist'}`,
    { hint: exists ? 'Name the folder that holds the notes.' : `Make it with \`memory init "${given}"\`.` },
  );
}

export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** The same folder has one name, however it is reached. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
