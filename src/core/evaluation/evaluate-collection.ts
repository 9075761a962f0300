/** Measures a profile, or two, on a public or own collection. */

import type { Places } from '../memory/bring-up-to-date.js';
import type { CallOptions, EvalInput, EvalOutput } from '../memory/memory.js';
import type { RetrievalCollection } from './collection.js';
import { compare, type JudgedQuery, measure, runQueries } from './evaluate.js';
import { indexCollection, judgedQueries } from './index-collection.js';
import { profileNamed } from './profiles.js';

/** The index is empty and stays with the collection. */
export async function evaluateCollection(
  collection: RetrievalCollection,
  places: Omit<Places, 'vault'>,
  input: EvalInput,
  options: CallOptions = {},
): Promise<EvalOutput> {
  const profile = profileNamed(input.profile);
  const other = input.compare === undefined ? undefined : profileNamed(input.compare);
  await indexCollection(collection, places);
  const queries = (await judgedQueries(collection, places.index)).filter((query) =>
    isInHalf(query, input.half),
  );
  const results = await runQueries(places, queries, profile, options);
  const others = other && (await runQueries(places, queries, other, options));
  return {
    collection: collection.name,
    documents: collection.documents.length,
    profile: input.profile,
    ...measure(results),
    ...(others ? { comparison: { profile: input.compare!, ...compare(results, others, input.limit) } } : {}),
  };
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
