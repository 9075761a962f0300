/**
 * What can be told of a vault at once, without opening its index: names at its top, and figures that an earlier run
 * left in the index folder. They are derived like all that lies there.
 */

import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { indexFolders } from './index-place.js';

type Environment = Readonly<Record<string, string | undefined>>;

export type VaultFigures = { readonly notes: number | undefined; readonly tags: readonly string[] };

export type VaultGlance = VaultFigures & { readonly name: string; readonly folders: readonly string[] };

const FILE = 'glance.json';

export function glanceAt(vault: string, environment: Environment): VaultGlance {
  const entries = readdirSync(vault, { withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => name)
    .sort();
  return { name: basename(vault), folders, ...readFigures(vault, environment) };
}

function readFigures(vault: string, environment: Environment): VaultFigures {
  for (const folder of indexFolders(vault, environment)) {
    try {
      const { notes, tags } = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as VaultFigures;
      if (typeof notes === 'number' && Array.isArray(tags)) return { notes, tags: tags.map(String) };
    } catch {
      // Not there, or not readable: then nothing is told.
    }
  }
  return { notes: undefined, tags: [] };
}

/** Keeps the figures for the next run; where they cannot be kept they are done without. */
export function keepFigures(vault: string, environment: Environment, figures: VaultFigures): void {
  for (const folder of indexFolders(vault, environment)) {
    const path = join(folder, FILE);
    try {
      writeFileSync(`${path}.${process.pid}`, JSON.stringify(figures), { mode: 0o600 });
      renameSync(`${path}.${process.pid}`, path);
      return;
    } catch {
      // The folder is not there or cannot be written; the next may be the one in use.
    }
  }
}
