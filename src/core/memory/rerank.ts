/**
 * Has the first hits of a ranking read by a reranker, each by its best passage under title and headings. Without one, or
 * where it fails, the order stands. How scores become an order is retrieval/rerank.ts.
 */

import { MemoryError } from '../errors.js';
import { readNote } from '../note/read-note.js';
import type { NoteIndex } from '../ports.js';
import type { QueryPlan } from '../retrieval/plan.js';
import type { RankedNote, WordRanking } from '../retrieval/rank.js';
import { type RerankProfile, rerankHits } from '../retrieval/rerank.js';
import { knowsLanguage } from './meaning-of.js';
import type { CallOptions } from './memory.js';
import type { TextSource } from './note-texts.js';
import type { Places } from './places.js';
import { withModel } from './with-model.js';

export type Reranking = {
  /** Empty where none is chosen, or it cannot be opened. */
  readonly model: string;
  /** Milliseconds that opening it and scoring took; 0 where it was not asked. */
  readonly ms: number;
  /** Hits that it read. */
  readonly scored: number;
  /** Why the order stands, and what to do; undefined where it does not. */
  readonly lack: string | undefined;
};

/** The smallest that is known. */
const HOW_TO_GET_ONE = 'no reranker: `memory model pull ms-marco-MiniLM-L-6-v2`';

type Reranked = { readonly ranking: WordRanking; readonly reranking: Reranking };

/** `ranking` holds `rerankDepth` hits, where there are so many; the first `limit` of the new order stay. */
export async function rerank(
  places: Pick<Places, 'index' | 'clock' | 'reranker'> & { readonly texts: TextSource },
  plan: QueryPlan,
  ranking: WordRanking,
  { limit, ...profile }: RerankProfile & { readonly limit: number },
  options: CallOptions,
): Promise<Reranked> {
  const first = ranking.hits.slice(0, profile.rerankDepth);
  const standing = { ...ranking, hits: ranking.hits.slice(0, limit) };
  const stands = (lack: string, model = ''): Reranked => ({
    ranking: standing,
    reranking: { model, ms: 0, scored: 0, lack },
  });
  let isChosen = true;
  const open = async () => {
    const opened = await places.reranker?.();
    isChosen = opened !== undefined;
    return opened;
  };
  const reranked = await withModel(
    open,
    options,
    'the order of the hits stands without it',
    async (opened): Promise<Reranked> => {
      const { model } = opened;
      if (!knowsLanguage(model, plan)) return stands(`not reranked: no ${plan.language}`, model.id);
      if (first.length === 0) return stands('nothing to rerank', model.id);
      const passages = await bestPassages(places, first);
      options.signal?.throwIfAborted();
      const startMs = places.clock.elapsedMs();
      let logits: Float64Array;
      try {
        logits = await opened.score(plan.asked, passages);
      } catch (error) {
        if (!(error instanceof MemoryError) || error.code !== 'invalid_input') throw error;
        options.notice?.(`${error.message}; the order of the hits stands`);
        return stands('not reranked: a text refused', model.id);
      }
      const ms = Math.round(places.clock.elapsedMs() - startMs);
      const hits = rerankHits(ranking.hits, logits, model.id, profile).slice(0, limit);
      return {
        ranking: { ...ranking, hits },
        reranking: { model: model.id, ms, scored: first.length, lack: undefined },
      };
    },
  );
  return reranked ?? stands(isChosen ? 'not reranked: no model' : HOW_TO_GET_ONE);
}

/** In the order of the hits; of a note that is gone or was rewritten, what comes nearest. */
async function bestPassages(
  { index, texts }: { readonly index: Pick<NoteIndex, 'passages'>; readonly texts: TextSource },
  hits: readonly RankedNote[],
): Promise<readonly string[]> {
  await texts.load(hits.map(({ path }) => path));
  const numbers = hits.flatMap(({ passages }) => passages[0]?.number ?? []);
  const keys = new Map((await index.passages(numbers, [])).map(({ number, key }) => [number, key]));
  return hits.map(({ path, passages: [best] }) => {
    const text = texts.get(path);
    const key = best === undefined ? undefined : keys.get(best.number);
    return text === undefined ? path : passageText(path, text, key);
  });
}

/** As it is embedded. A hit by its head alone is read from its beginning. */
function passageText(path: string, text: string, key: string | undefined): string {
  const bytes = new TextEncoder().encode(text);
  const stamp = { path, size: bytes.length, mtimeMs: 0, ctimeMs: 0, inode: 0, birthMs: 0 };
  const { title, passages } = readNote({ stamp, bytes, path, hash: '' });
  const passage = passages.find((one) => one.key === key) ?? passages[0];
  return passage === undefined ? title : `${passage.context}\n${passage.text}`;
}
