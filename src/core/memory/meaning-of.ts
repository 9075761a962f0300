/** What a query means, as far as a model and the vectors of the vault's passages can tell. */

import type { EmbeddingModel, NoteIndex } from '../ports.js';
import { countPendingFurther } from '../retrieval/kernel.js';
import type { FurtherMeaning, Meaning } from '../retrieval/meaning.js';
import type { QueryPlan } from '../retrieval/plan.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
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
  if (!read || read.query.knownShare === 0 || !knowsLanguage(read.model, plan)) return undefined;
  const space = await index.vectors(read.model);
  if (!space) tellOnce(index, read.model, options);
  return space && { query: read.query, space };
}

/** What little a model knows of a text in another language is chance. */
export function knowsLanguage(
  { languages }: Pick<EmbeddingModel, 'languages'>,
  { isForeign, language }: QueryPlan,
): boolean {
  return !isForeign || languages?.includes(language) !== false;
}

/** A lack that is the same for every query. */
export const NO_VECTORS = 'no vectors';

export type FurtherReading = {
  /** Empty where none is set, or it cannot be opened. */
  readonly model: string;
  /** For the ranking; undefined where the stream cannot run. */
  readonly meaning: FurtherMeaning | undefined;
  /** Milliseconds that opening the model and embedding the query took; 0 where it was not opened. */
  readonly openedMs: number;
  /** Why the stream does not run, or not on all passages; undefined where nothing is missing. */
  readonly lack: string | undefined;
};

/** Opens the further model only where there is something to compare the query with. */
export async function furtherMeaningOf(
  { index, further, clock }: Pick<Places, 'index' | 'further' | 'clock'>,
  plan: QueryPlan,
  options: CallOptions = {},
): Promise<FurtherReading> {
  const reading = await withModel(further, options, 'this answer is without it', async (opened) => {
    const { model } = opened;
    const without = (lack: string, openedMs = 0): FurtherReading => ({
      model: model.id,
      meaning: undefined,
      openedMs,
      lack,
    });
    if (!knowsLanguage(model, plan)) return without(`no ${plan.language}`);
    const space = await index.vectors(model);
    if (!space || space.rows.count === 0) return without(NO_VECTORS);
    const startMs = clock.elapsedMs();
    const query = await opened.embedQuery(plan.asked);
    const openedMs = Math.round(clock.elapsedMs() - startMs);
    if (query.knownShare === 0) return without('no known words', openedMs);
    const pending = countPendingFurther(await index.shape(), space);
    const lack = pending === 0 ? undefined : `${pending} ${pending === 1 ? 'passage' : 'passages'} pending`;
    return { model: model.id, meaning: { query, space, model: model.id }, openedMs, lack };
  });
  return reading ?? { model: '', meaning: undefined, openedMs: 0, lack: 'no model' };
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
