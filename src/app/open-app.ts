/** What the processes (main.ts) need of the composition root. */

import { resolve } from 'node:path';
import type { CallOptions, EvalInput, EvalOutput } from '../core/memory/memory.js';
import { expandHome, findVault as find } from './find-vault.js';
import { placeIndex } from './index-place.js';

/** Measures a ranking on a retrieval collection. */
export async function evaluateCollection(
  folder: string,
  input: EvalInput,
  options: CallOptions,
): Promise<EvalOutput> {
  return (await import('./evaluate-collection.js')).evaluateCollection(folder, input, options);
}

export { openMemory } from './open-memory.js';

/** Absolute path of the vault that commands use. */
export async function findVault(named: string | undefined): Promise<string> {
  return find({ named, environment: process.env, workingFolder: process.cwd() });
}

/** Makes a folder a vault: the scaffold's folders and notes, and the index folder that marks it. */
export async function createVault(folder: string) {
  const { makeScaffold } = await import('../adapters/vault-fs/make-scaffold.js');
  const { scaffoldFiles, scaffoldFolders } = await import('../core/memory/scaffold.js');
  const root = resolve(expandHome(folder));
  const made = makeScaffold(root, [...scaffoldFolders, '.memory'], scaffoldFiles);
  placeIndex(root, process.env);
  return { vault: root, ...made };
}
