/** What a note gains by its date. */

import { describe, expect, test } from 'vitest';
import type { NoteDate } from '../../src/core/note/indexed-note.js';
import { profileNamed } from '../../src/core/retrieval/profiles.js';
import { dateForAge, recencyShare } from '../../src/core/retrieval/recency.js';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 5, 15, 12);

function dated(daysAgo: number, source: NoteDate['source'] = 'property'): NoteDate {
  const toMs = NOW_MS - daysAgo * DAY_MS;
  return { text: new Date(toMs).toISOString(), fromMs: toMs - 1, toMs, source };
}

describe('dateForAge()', () => {
  test('takes the later of the dates that the note tells', () => {
    expect(dateForAge(dated(9), dated(3))).toEqual(dated(3));
    expect(dateForAge(dated(3), dated(9))).toEqual(dated(3));
    expect(dateForAge(dated(3, 'name'), dated(9))).toEqual(dated(3, 'name'));
  });

  test('takes the times of the file only where the note tells no date', () => {
    expect(dateForAge(dated(9), dated(0, 'file'))).toEqual(dated(9));
    expect(dateForAge(dated(9, 'name'), dated(0, 'file'))).toEqual(dated(9, 'name'));
    expect(dateForAge(dated(0, 'file'), dated(9))).toEqual(dated(9));
    expect(dateForAge(dated(9, 'file'), dated(1, 'file'))).toEqual(dated(1, 'file'));
  });
});

describe('recencyShare()', () => {
  const { constants } = profileNamed('recent');
  const { recencyWeight: weight, recencyHalfLifeDays: halfLife } = constants;
  const shareAt = (daysAgo: number) => recencyShare(dated(daysAgo), NOW_MS, constants);

  test('is the weight today and in the future, and half of it after each half-life', () => {
    expect([-5, 0, 0.9].map(shareAt)).toEqual([weight, weight, weight]);
    expect(shareAt(halfLife)).toBeCloseTo(weight / 2);
    expect(shareAt(2 * halfLife)).toBeCloseTo(weight / 4);
    expect(shareAt(1)).toBeGreaterThan(shareAt(2));
  });

  test('is nothing in any other profile', () => {
    for (const name of ['default', 'code', 'words', 'meaning', 'precise']) {
      expect(recencyShare(dated(0), NOW_MS, profileNamed(name).constants)).toBe(0);
    }
  });
});
