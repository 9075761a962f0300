/** Removes the vectors of models that are used no more, once they have lain for long enough (the index knows how long). */

import type { EmbeddingModel } from '../ports.js';
import type { Places } from './places.js';

export async function sweepUnused(
  { index, embedder }: Places,
  further: EmbeddingModel | undefined,
): Promise<void> {
  let table: EmbeddingModel | undefined;
  try {
    table = (await embedder?.())?.model;
  } catch {
    // Its vectors may be used again once it can be read.
    return;
  }
  const used = [table, further].filter((model) => model !== undefined);
  if (!(await index.hasUnusedVectors(used))) return;
  const writing = await index.startWriting({ wait: false });
  try {
    if (writing && (await index.state()) === 'ready') await writing.sweepVectors(used);
  } finally {
    await writing?.end();
  }
}
