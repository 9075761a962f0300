/**
 * The ordered list of operations: the order of help and docs. Each is loaded when it is asked for, since
 * building the schemas of all would cost every command its start.
 */

import type { Operation } from './operation.js';

export type OperationEntry = { readonly name: string; readonly load: () => Promise<Operation> };

export const operationList: readonly OperationEntry[] = [
  { name: 'init', load: async () => (await import('./init.js')).init },
  { name: 'reindex', load: async () => (await import('./reindex.js')).reindex },
  { name: 'search', load: async () => (await import('./search.js')).search },
  { name: 'show', load: async () => (await import('./show.js')).show },
  { name: 'add', load: async () => (await import('./add.js')).add },
  { name: 'edit', load: async () => (await import('./edit.js')).edit },
  { name: 'move', load: async () => (await import('./move.js')).move },
  { name: 'delete', load: async () => (await import('./delete.js')).deleteNote },
  { name: 'undo', load: async () => (await import('./undo.js')).undo },
  { name: 'links', load: async () => (await import('./links.js')).links },
  { name: 'tags', load: async () => (await import('./tags.js')).tags },
  { name: 'recent', load: async () => (await import('./recent.js')).recent },
  { name: 'open', load: async () => (await import('./open.js')).open },
  { name: 'claim', load: async () => (await import('./claim.js')).claim },
  { name: 'status', load: async () => (await import('./status.js')).status },
  { name: 'explain', load: async () => (await import('./explain.js')).explain },
  { name: 'calibrate', load: async () => (await import('./calibrate.js')).calibrate },
  { name: 'doctor', load: async () => (await import('./doctor.js')).doctor },
  { name: 'eval', load: async () => (await import('./eval.js')).evaluation },
  { name: 'profile', load: async () => (await import('./profile.js')).profile },
  { name: 'model', load: async () => (await import('./model.js')).model },
  { name: 'connect', load: async () => (await import('./connect.js')).connect },
];

export const operationNames: readonly string[] = operationList.map(({ name }) => name);

/** The operation of that name, or undefined. */
export async function loadOperation(name: string): Promise<Operation | undefined> {
  return operationList.find((entry) => entry.name === name)?.load();
}

/** All operations, in order. */
export function loadOperations(): Promise<Operation[]> {
  return Promise.all(operationList.map(({ load }) => load()));
}
