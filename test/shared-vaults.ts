/** The public vaults beside the repository, unpacked once into the system's temporary folder. */

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const ARCHIVES = resolve(import.meta.dirname, '../../shared/vaults');

/** Names of the vaults that can be had; none where the data is not beside the repository. */
export function sharedVaults(): string[] {
  if (!existsSync(ARCHIVES)) return [];
  return readdirSync(ARCHIVES)
    .filter((name) => name.endsWith('.tar.xz'))
    .map((name) => basename(name, '.tar.xz'))
    .sort();
}

/** Said where tests that need the vaults are skipped. */
export const NO_VAULTS = 'skipped: no vaults in ../shared/vaults';

/** The folder of an unpacked vault. Archives of another size are unpacked anew. */
export function sharedVault(name: string): string {
  const archive = join(ARCHIVES, `${name}.tar.xz`);
  const home = join(tmpdir(), 'agent-memory-shared-vaults');
  const folder = join(home, `${name}-${statSync(archive).size}`);
  if (existsSync(folder)) return join(folder, name);
  mkdirSync(home, { recursive: true });
  const unpacked = mkdtempSync(join(home, 'unpacking-'));
  execFileSync('tar', ['-xJf', archive, '-C', unpacked]);
  try {
    renameSync(unpacked, folder);
  } catch (error) {
    // Another test run was faster.
    rmSync(unpacked, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return join(folder, name);
}

export type SharedNote = { readonly path: string; readonly text: string };

/** Paths of all notes, relative to the folder, sorted. */
export function notePaths(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

export function readNotes(folder: string, paths: readonly string[]): SharedNote[] {
  return paths.map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}
