/** How much of a query stands in one place of a passage, against plain counting. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlacedTerm, StoredPassage } from '../../src/core/retrieval/evidence.js';
import type { ScoredWord } from '../../src/core/retrieval/gather.js';
import { spanShare } from '../../src/core/retrieval/sequences.js';

const GAINS = { lazy: 3, model: 2, load: 1 };
const TOTAL = 6;

function wordsOf(gains: Readonly<Record<string, number>>): readonly ScoredWord[] {
  return Object.entries(gains).map(([term, gain]) => ({ word: { term }, gain }) as unknown as ScoredWord);
}

function passageOf(body: readonly PlacedTerm[], headings: readonly PlacedTerm[] = []): StoredPassage {
  return { terms: [body, headings] } as unknown as StoredPassage;
}

const share = (passage: StoredPassage, spanTerms = 5) =>
  spanShare(passage, wordsOf(GAINS), { spanTerms }) * TOTAL;

test('spanShare() takes the place that holds most by weight', () => {
  const near = [
    { term: 'model', at: 0 },
    { term: 'load', at: 4 },
    { term: 'lazy', at: 9 },
  ];
  expect(share(passageOf(near))).toBeCloseTo(3);
  expect(share(passageOf(near), 6)).toBeCloseTo(4);
  expect(share(passageOf(near), 10)).toBeCloseTo(6);
  expect(share(passageOf([]))).toBe(0);
});

test('spanShare() counts what a heading holds for each place, and no word twice', () => {
  const heading = [{ term: 'lazy', at: 0 }];
  const body = [
    { term: 'lazy', at: 0 },
    { term: 'load', at: 40 },
    { term: 'load', at: 41 },
  ];
  expect(share(passageOf(body, heading))).toBeCloseTo(4);
  expect(share(passageOf([], heading))).toBeCloseTo(3);
});

test('spanShare() of one word says nothing', () => {
  const body = [{ term: 'lazy', at: 0 }];
  expect(spanShare(passageOf(body), wordsOf({ lazy: 3 }), { spanTerms: 5 })).toBe(0);
});

test('spanShare() is what counting every place gives', () => {
  const placed = fc
    .uniqueArray(fc.nat(60), { maxLength: 30 })
    .chain((places) =>
      fc
        .tuple(...places.sort((a, b) => a - b).map((at) => placedTerm(fc.constant(at))))
        .map((all) => [...all]),
    );
  const inHeadings = fc.array(placedTerm(fc.nat(9)), { maxLength: 2 });
  fc.assert(
    fc.property(placed, inHeadings, fc.integer({ min: 1, max: 30 }), (body, headings, spanTerms) => {
      const gainOf = (terms: readonly PlacedTerm[]) =>
        [...new Set([...terms, ...headings].map(({ term }) => term))].reduce(
          (sum, term) => sum + GAINS[term as keyof typeof GAINS],
          0,
        );
      const windows = body.map(({ at: start }) =>
        gainOf(body.filter(({ at }) => at >= start && at < start + spanTerms)),
      );
      expect(share(passageOf(body, headings), spanTerms)).toBeCloseTo(Math.max(gainOf([]), ...windows));
    }),
  );
});

function placedTerm(at: fc.Arbitrary<number>): fc.Arbitrary<PlacedTerm> {
  return fc.record({ term: fc.constantFrom(...Object.keys(GAINS)), at });
}
