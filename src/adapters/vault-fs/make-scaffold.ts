/** Writes the folders and notes of a new vault, and leaves alone what exists. */

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import { codeOf, reasonOf } from './files.js';

export type MadeScaffold = { readonly created: readonly string[]; readonly kept: readonly string[] };

export function makeScaffold(
  root: string,
  folders: readonly string[],
  files: readonly { readonly path: string; readonly text: string }[],
): MadeScaffold {
  const created: string[] = [];
  const kept: string[] = [];
  try {
    mkdirSync(root, { recursive: true });
    for (const folder of folders) {
      const path = join(root, folder);
      if (statSync(path, { throwIfNoEntry: false })) kept.push(`${folder}/`);
      else {
        mkdirSync(path, { recursive: true });
        created.push(`${folder}/`);
      }
    }
    for (const file of files) (writeNew(join(root, file.path), file.text) ? created : kept).push(file.path);
  } catch (error) {
    throw new MemoryError('unavailable', `Cannot make a vault in "${root}": ${reasonOf(error)}`, {
      hint: 'Name a folder that you may write to, as in `memory init ~/notes`.',
      cause: error,
    });
  }
  return { created, kept };
}

function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
