/** The model of meaning, where there is one that can be read. */

import { MemoryError } from '../errors.js';
import type { Embedder } from '../ports.js';
import type { Places } from './bring-up-to-date.js';
import type { CallOptions } from './memory.js';

/** Undefined where none is set, and where it cannot be read: that is told, with what it means for the call. */
export async function usableModel(
  open: Places['embedder'],
  options: CallOptions,
  consequence: string,
): Promise<Embedder | undefined> {
  try {
    const embedder = await open?.();
    await embedder?.embedQuery('');
    return embedder;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'unavailable') throw error;
    options.notice?.(`${error.message}; ${consequence}`);
    return undefined;
  }
}
