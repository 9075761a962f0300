/** The order that a reranker's logits make of the first hits. */

import { expect, test } from 'vitest';
import { DEFAULT_PROFILE } from '../../src/core/retrieval/profile.js';
import type { RankedNote } from '../../src/core/retrieval/rank.js';
import { rerankHits } from '../../src/core/retrieval/rerank.js';

const PROFILE = {
  ...DEFAULT_PROFILE,
  rerankWeight: 0.3,
  rerankLeastDeviation: 1,
  rerankMostDeviations: 2,
};

function hitsOf(...scores: readonly number[]): readonly RankedNote[] {
  return scores.map((score, at) => ({
    note: at + 1,
    path: `${String.fromCharCode(97 + at)}.md`,
    score,
    coverage: 1,
    passageCoverage: 1,
    passages: [{ number: at + 1, score }],
    contributions: [{ kind: 'word', text: 'river', amount: score }],
  }));
}

const pathsOf = (hits: readonly RankedNote[]) => hits.map(({ path }) => path).join(' ');

/** Every score, as the sum of what it is said to be made of. */
function expectSums(hits: readonly RankedNote[]): void {
  for (const { score, contributions } of hits)
    expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(score, 9);
}

test('rerankHits() follows logits that are far apart, and its scores are sums', () => {
  const hits = rerankHits(hitsOf(10, 9, 8), [-9, -9, 8], 'tiny', PROFILE);
  expect(pathsOf(hits)).toBe('c.md a.md b.md');
  expectSums(hits);
  expect(hits[0]!.contributions.at(-1)).toMatchObject({ kind: 'rerank', text: 'tiny' });
});

test('rerankHits() keeps the order where logits are alike', () => {
  const hits = rerankHits(hitsOf(10, 8, 6), [1, 1.2, 1.1], 'tiny', PROFILE);
  expect(pathsOf(hits)).toBe('a.md b.md c.md');
  const equal = rerankHits(hitsOf(10, 8), [3, 3], 'tiny', PROFILE);
  expect(equal.map(({ score }) => score)).toEqual([10, 8]);
});

test('rerankHits() does not see how large logits are, only how they lie to each other', () => {
  const logits = [-3, 5, 1, -8];
  const before = rerankHits(hitsOf(10, 9, 8, 7), logits, 'tiny', PROFILE);
  const moved = logits.map((logit) => 7 * logit + 100);
  const after = rerankHits(hitsOf(10, 9, 8, 7), moved, 'tiny', PROFILE);
  for (const [at, { path, score }] of after.entries()) {
    expect(path).toBe(before[at]!.path);
    expect(score).toBeCloseTo(before[at]!.score, 9);
  }
});

test('rerankHits() leaves hits that were not read behind those that were', () => {
  const hits = rerankHits(hitsOf(10, 9, 9, 9, 2), [-9, 9, 0], 'tiny', PROFILE);
  expect(pathsOf(hits)).toBe('b.md c.md a.md d.md e.md');
  expect(hits.slice(3).map(({ contributions }) => contributions.length)).toEqual([1, 1]);
});

test('rerankHits() lets no single hit outgrow all others', () => {
  const logits = [-10, ...Array.from({ length: 28 }, () => -10), 10];
  const scores = Array.from({ length: 30 }, (_, at) => 10 - at / 10);
  const [first, second] = rerankHits(hitsOf(...scores), logits, 'tiny', PROFILE);
  expect(first!.path).toBe(hitsOf(...scores).at(-1)!.path);
  expect(second!.score).toBeGreaterThan(first!.score * PROFILE.gapShare);
});

test('rerankHits() ranks hits that have no score, and no hits', () => {
  expect(pathsOf(rerankHits(hitsOf(0, 0), [-4, 4], 'tiny', PROFILE))).toBe('b.md a.md');
  expect(rerankHits([], [], 'tiny', PROFILE)).toEqual([]);
});
