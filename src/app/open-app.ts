/** What the processes (main.ts) need of the composition root. */

import { resolve } from 'node:path';
import type { ConnectInput, ConnectOutput } from '../core/connection.js';
import type { CallOptions, Memory } from '../core/memory/memory.js';
import type { EvalInput, EvalOutput } from '../core/memory/search-types.js';
import type { ModelInput, ModelOutput } from '../core/models.js';
import { expandHome, findVault as find } from './find-vault.js';
import { placeIndex } from './index-place.js';

/** Of the most used tags, how many are kept. */
const MOST_TAGS = 8;

/** Measures a ranking on a retrieval collection. */
export async function evaluateCollection(
  folder: string,
  input: EvalInput,
  options: CallOptions,
): Promise<EvalOutput> {
  return (await import('./evaluate-collection.js')).evaluateCollection(folder, input, options);
}

/** Tells a client of the vault, or takes that back. */
export async function connectClient(
  vault: string | undefined,
  input: ConnectInput,
  notice: (text: string) => void,
): Promise<ConnectOutput> {
  return (await import('./connect.js')).connect(vault, input, notice);
}

/** Lists, downloads and chooses models of meaning. */
export async function manageModels(
  vault: string | undefined,
  input: ModelInput,
  options: CallOptions,
): Promise<ModelOutput> {
  return (await import('./manage-models.js')).manageModels(vault, input, options);
}

export { openMemory } from './open-memory.js';

/** Absolute path of the vault that commands use. */
export async function findVault(named: string | undefined): Promise<string> {
  return find({ named, environment: process.env, workingFolder: process.cwd() });
}

/** What can be told of the vault without opening its index. Throws `not_found` where there is none. */
export async function glanceAtVault(named: string | undefined) {
  const { glanceAt } = await import('./vault-glance.js');
  return glanceAt(await findVault(named), process.env);
}

/** Keeps some figures of the opened vault for the next glance. */
export async function keepGlance(named: string | undefined, memory: Memory): Promise<void> {
  const { notes } = await memory.status();
  const { tags } = await memory.tags({ sort: 'count', limit: MOST_TAGS });
  const { keepFigures } = await import('./vault-glance.js');
  const figures = { notes, tags: tags.map(({ tag }) => tag) };
  keepFigures(await findVault(named), process.env, figures);
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
