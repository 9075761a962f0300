/** Where a ranking ends, and what fits a budget. */

import { expect, test } from 'vitest';
import { cutAtGap } from '../../src/core/retrieval/cut.js';
import { packHits } from '../../src/core/retrieval/pack.js';
import { DEFAULT_PROFILE } from '../../src/core/retrieval/profile.js';

const kept = (...scores: number[]) =>
  cutAtGap(
    scores.map((score) => ({ score })),
    DEFAULT_PROFILE,
  ).length;

test('cutAtGap() ends before a wide gap or a low score', () => {
  expect(kept()).toBe(0);
  expect(kept(5)).toBe(1);
  expect(kept(10, 9, 8, 7)).toBe(4);
  expect(kept(10, 9, 3, 2.9)).toBe(2);
  expect(kept(10, 7, 5, 3.5, 2.6, 2.4, 2.3)).toBe(5);
});

test('cutAtGap() does not hold a lift for the name against the rest', () => {
  const named = { score: 20, contributions: [{ kind: 'title' as const, text: 'A', amount: 12 }] };
  expect(cutAtGap([named, { score: 6 }], DEFAULT_PROFILE)).toHaveLength(2);
});

const hit = (path: string, letters: number) => ({ path, title: '', snippet: 'x'.repeat(letters), score: 1 });

test('packHits() fills a budget in order', () => {
  const hits = [hit('a', 40), hit('b', 40), hit('c', 40)];
  expect(packHits(hits, 1_000)).toEqual(hits);
  expect(packHits(hits, 40)).toEqual(hits.slice(0, 2));
});

test('packHits() shortens a hit that does not fit, and always gives one', () => {
  const hits = [hit('a', 40), hit('b', 4_000), hit('c', 4), hit('d', 4)];
  expect(packHits(hits, 40)).toEqual([hit('a', 40), hit('b', 0), hit('c', 4)]);
  expect(packHits([hit('a', 4_000)], 1)).toEqual([hit('a', 0)]);
  expect(packHits([], 100)).toEqual([]);
});
