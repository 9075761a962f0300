/** Measures a profile, or two, on a public or own collection. */

import type { CallOptions } from '../memory/memory.js';
import type { TextSource } from '../memory/note-texts.js';
import type { Places } from '../memory/places.js';
import type { EvalInput, EvalOutput } from '../memory/search-types.js';
import { profileNamed } from '../retrieval/profiles.js';
import type { RetrievalCollection } from './collection.js';
import { compare, type JudgedQuery, measure, runQueries } from './evaluate.js';
import { indexCollection, judgedQueries } from './index-collection.js';

/** The index is empty and stays with the collection. */
export async function evaluateCollection(
  collection: RetrievalCollection,
  places: Omit<Places, 'vault'>,
  input: EvalInput,
  options: CallOptions = {},
): Promise<EvalOutput> {
  const profile = profileNamed(input.profile);
  const other = input.compare === undefined ? undefined : profileNamed(input.compare);
  const { index, clock, embedder, reranker } = places;
  await indexCollection(collection, places);
  const queries = (await judgedQueries(collection, index)).filter((query) => isInHalf(query, input.half));
  // Its documents have no vectors of a further model.
  const ranking = { index, clock, embedder, reranker, texts: textsOf(collection) };
  const results = await runQueries(ranking, queries, profile, options);
  const others = other && (await runQueries(ranking, queries, other, options));
  return {
    collection: collection.name,
    documents: collection.documents.length,
    profile: input.profile,
    ...measure(results),
    ...(others ? { comparison: { profile: input.compare!, ...compare(results, others, input.limit) } } : {}),
  };
}

function textsOf({ documents }: RetrievalCollection): TextSource {
  const byPath = new Map(documents.map(({ id, title, text }) => [id, `# ${title}\n\n${text}`]));
  return { load: async () => {}, get: (path) => byPath.get(path) };
}

/** A fixed half by hash of the id: tuning looks at one, reports tell of the other. */
export function isInHalf({ id }: Pick<JudgedQuery, 'id'>, half: EvalInput['half']): boolean {
  if (half === 'all') return true;
  return (half === 'report') === (hashOf(id) % 2 === 1);
}

/** FNV-1a, stirred once more so that its last bit depends on all characters alike. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}
