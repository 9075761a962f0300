/**
 * Queries about nothing get no hits, and judged ones do: the goals, measured on public collections. `node
 * bench/abstention.mjs` measures all of them in full. Skipped where the collections are not at hand.
 */

import { beforeAll, describe, expect, test } from 'vitest';
import {
  hasCollections,
  type JudgedCase,
  measureAbstention,
  NO_COLLECTIONS,
  STRANGE,
  sharesOf,
} from './abstention.js';

/** English by long and short notes, and languages that the table of meaning does not know. */
const NAMES = ['time', 'friendsqa', 'locomo-sessions', 'xquad-de', 'xquad-tr', 'xquad-ar', 'xquad-zh'];
const MOST_JUDGED = 400;
/** Of queries about nothing; the mean over the collections has to reach the goal, one of them may fall a little short. */
const GOAL = 0.95;
const LEAST = 0.92;
const MOST_LOST = 0.02;

const measured = new Map<string, readonly JudgedCase[]>();

beforeAll(() => {
  if (!hasCollections) process.stderr.write(`${NO_COLLECTIONS}\n`);
});

describe.skipIf(!hasCollections)('abstention', () => {
  test.each(NAMES)('on %s', async (name) => {
    const cases = await measureAbstention(name, { most: MOST_JUDGED });
    measured.set(name, cases);
    expect(sharesOf(cases, 'judged').none).toBeLessThanOrEqual(MOST_LOST);
    expect(sharesOf(cases, ...STRANGE).none).toBeGreaterThanOrEqual(LEAST);
    expect(sharesOf(cases, 'letters', 'invented').none).toBeGreaterThanOrEqual(0.98);
    expect(sharesOf(cases, 'other').none).toBeGreaterThanOrEqual(0.8);
    expect(sharesOf(cases, 'judged').high).toBeGreaterThan(0.5);
    expect(sharesOf(cases, 'other').high).toBeLessThanOrEqual(0.01);
  });

  test('in the mean over these collections', () => {
    const shares = [...measured.values()].map((cases) => sharesOf(cases, ...STRANGE).none);
    expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThanOrEqual(GOAL);
  });
});
