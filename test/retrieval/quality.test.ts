/**
 * The ranking on the public collections, on their reporting halves, against the references of their README. Samples
 * of the larger ones keep it short; `memory eval` measures all of them. Skipped where the collections are not at hand.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readCollection } from '../../src/adapters/collection-fs/read-collection.js';
import { isInHalf } from '../../src/core/evaluation/evaluate-collection.js';
import { mean, ndcgAt } from '../../src/core/retrieval/metrics.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { rankByWords } from '../../src/core/retrieval/rank.js';
import { buildMemoryPostings, plainNote } from './memory-postings.js';

const FOLDER = join(import.meta.dirname, '../../../shared/eval');

/** nDCG@10 of plain BM25; Thai was not measured. */
const REFERENCE: Readonly<Record<string, number>> = {
  cranfield: 0.384,
  cisi: 0.345,
  cacm: 0.417,
  time: 0.754,
  'locomo-sessions': 0.799,
  friendsqa: 0.334,
  'chroma-chunking': 0.811,
  'xquad-en': 0.969,
  'xquad-de': 0.934,
  'xquad-tr': 0.894,
  'xquad-ar': 0.891,
  'xquad-zh': 0.967,
  jaquad: 0.915,
};
const SAMPLE = 150;
/** Below .985, the bound for whole halves, by what a sample of so few queries may stray. */
const LEAST_SHARE = 0.96;

const shares = new Map<string, number>();

beforeAll(() => {
  if (!existsSync(FOLDER))
    process.stderr.write(`no collections at ${FOLDER}: the quality of ranking is not tested\n`);
});

test.skipIf(!existsSync(FOLDER)).each(Object.keys(REFERENCE))('rankByWords() on %s', async (name) => {
  const collection = readCollection(join(FOLDER, name));
  const index = buildMemoryPostings(
    collection.documents.map(({ id, title, text }) => ({
      ...plainNote('', title, text.replace(/(.{1000,1500}[.?!。])\s?/gs, '$1\n\n')),
      stamp: { path: id },
    })),
  );
  const scopes = new Map<string, number[]>();
  collection.documents.forEach(({ conversation }, at) => {
    const scope = scopes.get(conversation) ?? [];
    scopes.set(conversation, scope);
    scope.push(at + 1);
  });
  const queries = collection.queries.filter((query) => isInHalf(query, 'report')).slice(0, SAMPLE);
  const figures: number[] = [];
  for (const { id, text, conversation } of queries) {
    const scope = conversation === '' ? {} : { scope: Uint32Array.from(scopes.get(conversation)!) };
    const { hits } = await rankByWords(planQuery(text), index, { limit: 10, ...scope });
    figures.push(
      ndcgAt(
        10,
        hits.map(({ path }) => path),
        collection.judgements.get(id)!,
      ),
    );
  }
  shares.set(name, mean(figures) / REFERENCE[name]!);
  expect(shares.get(name)).toBeGreaterThan(LEAST_SHARE);
});

test.skipIf(!existsSync(FOLDER))('rankByWords() beats plain BM25 on the whole', () => {
  expect(shares.size).toBe(Object.keys(REFERENCE).length);
  expect(mean([...shares.values()])).toBeGreaterThan(1.02);
});
