/** A model, where there is one that can be read. */

import { MemoryError } from '../errors.js';
import type { Embedder } from '../ports.js';
import type { CallOptions } from './memory.js';

/**
 * What `use` makes of the model; undefined where none is set, and where it cannot be read: that is told, with what it
 * means for the call.
 */
export async function withModel<M, T>(
  open: (() => Promise<M | undefined>) | undefined,
  options: CallOptions,
  consequence: string,
  use: (model: M) => Promise<T>,
): Promise<T | undefined> {
  try {
    const model = await open?.();
    return model && (await use(model));
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'unavailable') throw error;
    options.notice?.(`${error.message}; ${consequence}`);
    return undefined;
  }
}

/** A model shows whether it can be read when it is first used. */
export async function tried(embedder: Embedder): Promise<Embedder> {
  await embedder.embedPassages([]);
  return embedder;
}
