/** Measures against figures worked out by hand. */

import { expect, test } from 'vitest';
import {
  comparePaired,
  mean,
  ndcgAt,
  percentile,
  recallAt,
  reciprocalRank,
} from '../../src/core/retrieval/metrics.js';

const judged = new Map([
  ['a', 3],
  ['b', 1],
  ['c', 0],
  ['d', 2],
]);

test('ndcgAt() divides by the gain of the best order', () => {
  expect(ndcgAt(10, ['a', 'd', 'b'], judged)).toBe(1);
  const ideal = 3 + 2 / Math.log2(3) + 1 / Math.log2(4);
  expect(ndcgAt(10, ['c', 'a', 'x', 'b'], judged)).toBeCloseTo(
    (3 / Math.log2(3) + 1 / Math.log2(5)) / ideal,
    12,
  );
  expect(ndcgAt(1, ['d', 'a'], judged)).toBeCloseTo(2 / 3, 12);
  expect(ndcgAt(10, [], judged)).toBe(0);
  expect(ndcgAt(10, ['a'], new Map())).toBe(0);
});

test('recallAt() counts what is relevant only', () => {
  expect(recallAt(10, ['a', 'c', 'x'], judged)).toBeCloseTo(1 / 3, 12);
  expect(recallAt(1, ['c', 'a'], judged)).toBe(0);
  expect(recallAt(10, ['a'], new Map())).toBe(0);
});

test('reciprocalRank() looks for the first relevant document', () => {
  expect(reciprocalRank(['c', 'x', 'b', 'a'], judged)).toBeCloseTo(1 / 3, 12);
  expect(reciprocalRank(['c'], judged)).toBe(0);
});

test('mean() and percentile()', () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBe(0);
  expect([0, 0.5, 0.95, 1].map((share) => percentile(share, [4, 1, 3, 2]))).toEqual([1, 2, 4, 4]);
  expect(percentile(0.5, [])).toBe(0);
});

test('comparePaired() counts changes and bounds their mean', () => {
  const found = comparePaired([0, 0.5, 1, 1], [1, 0.5, 0.5, 1]);
  expect(found).toMatchObject({ queries: 4, better: 1, equal: 2, worse: 1, meanDifference: 0.125 });
  const half = (1.96 * Math.sqrt((0.875 ** 2 + 0.125 ** 2 * 2 + 0.625 ** 2) / 3)) / 2;
  expect(found.low).toBeCloseTo(0.125 - half, 12);
  expect(found.high).toBeCloseTo(0.125 + half, 12);
  expect(comparePaired([], []).meanDifference).toBe(0);
});
