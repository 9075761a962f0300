/** What a query means, as far as a model and the vectors of the vault's passages can tell. */

import { MemoryError } from '../errors.js';
import type { QueryVector } from '../ports.js';
import type { VectorSpace } from '../retrieval/evidence.js';
import type { Meaning } from '../retrieval/meaning.js';
import type { QueryPlan } from '../retrieval/plan.js';
import type { Places } from './bring-up-to-date.js';

/**
 * Undefined without a model, without vectors, and for a query of which the model knows no word. A model that cannot be
 * read is told of, and done without: words answer all the same.
 */
export async function meaningOf(
  { index, embedder }: Pick<Places, 'index' | 'embedder'>,
  plan: QueryPlan,
  notice?: (text: string) => void,
): Promise<Meaning | undefined> {
  let query: QueryVector;
  let space: VectorSpace | undefined;
  try {
    const opened = await embedder?.();
    if (!opened) return undefined;
    query = await opened.embedQuery(plan.asked);
    if (query.knownShare === 0) return undefined;
    space = await index.vectors(opened.model);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'unavailable') throw error;
    notice?.(`${error.message}; this answer is by words alone`);
    return undefined;
  }
  if (!space) notice?.('there are no vectors of this model yet; `memory reindex` makes them');
  return space && { query, space };
}
