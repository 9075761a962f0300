/** What a query means, as far as a model and the vectors of the vault's passages can tell. */

import type { EmbeddingModel, NoteIndex } from '../ports.js';
import type { Meaning } from '../retrieval/meaning.js';
import type { QueryPlan } from '../retrieval/plan.js';
import type { Places } from './bring-up-to-date.js';
import type { CallOptions } from './memory.js';
import { withModel } from './with-model.js';

/** Undefined without a model, without vectors, and for a query of which the model knows neither language nor words. */
export async function meaningOf(
  { index, embedder }: Pick<Places, 'index' | 'embedder'>,
  plan: QueryPlan,
  options: CallOptions = {},
): Promise<Meaning | undefined> {
  const read = await withModel(embedder, options, 'this answer is by words alone', async (opened) => ({
    model: opened.model,
    query: await opened.embedQuery(plan.asked),
  }));
  if (!read || read.query.knownShare === 0) return undefined;
  // What little it knows of a text in another language is chance.
  const { languages } = read.model;
  if (plan.isForeign && languages?.includes(plan.language) === false) return undefined;
  const space = await index.vectors(read.model);
  if (!space) tellOnce(index, read.model, options);
  return space && { query: read.query, space };
}

/** Indexes of which it was said that they lack vectors. */
const told = new WeakSet<NoteIndex>();

function tellOnce(index: NoteIndex, { id }: EmbeddingModel, options: CallOptions): void {
  if (told.has(index)) return;
  told.add(index);
  options.notice?.(
    `there are no vectors of "${id}" yet, so this answer is by words alone; run \`memory reindex\``,
  );
}
