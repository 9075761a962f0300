/** Terms as places in a list are the terms that `termsOf` finds, whatever was read before and by whom. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TermPlaces } from '../../src/core/text/term-places.js';
import { termsOf } from '../../src/core/text/terms.js';

function readBy(terms: TermPlaces, text: string): readonly string[] {
  const { names, places } = terms.read(text);
  return Array.from(places, (place) => names[place]!);
}

const HARD = [
  '',
  ' \n\t',
  'The running runner ran. RUN run Running',
  'getUserById snake_case_name src/foo/bar.ts v1.0.21 C++ c# .NET user@example.com --flag net/http useCallback()',
  'January 5th 2024, 5 January 2024, January 2024, 5.1.2024, 2024-01-05, 1984',
  '2024年1月5日に東京で検索 2024년 1월 5일',
  'Zürich straße İstanbul ısı naïve e\u0301tude',
  '😀 ©®™ 👩‍👩‍👧 ½ ²',
  `${'a'.repeat(200)} ${'b-'.repeat(60)}c`,
  'May may of May 3 May 2020 of',
];

describe('TermPlaces', () => {
  test.each(HARD)('reads %j as termsOf does', (text) => {
    expect(readBy(new TermPlaces(), text)).toEqual(termsOf(text));
  });

  test('two lists that read in turn do not get into each other', () => {
    const [one, other] = [new TermPlaces(), new TermPlaces()];
    for (const text of [...HARD, ...HARD].reverse()) {
      expect(readBy(one, text)).toEqual(termsOf(text));
      expect(readBy(other, text)).toEqual(termsOf(text));
      expect(readBy(one, text)).toEqual(termsOf(text));
    }
    expect(new Set(one.names).size).toBe(one.names.length);
  });

  test('any text', () => {
    const terms = new TermPlaces();
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        expect(readBy(terms, text)).toEqual(termsOf(text));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  test('what was read before stays as it was, also when room is made, and when a text needs more than there is', () => {
    const terms = new TermPlaces();
    const text = (at: number) =>
      Array.from({ length: 3_000 }, (_, word) => `w${(at * 31 + word * 7) % 5_000}`).join(' ');
    const read = Array.from({ length: 40 }, (_, at) => terms.read(text(at)));
    const long = Array.from({ length: 90_000 }, (_, word) => `w${word % 700}`).join(' ');
    expect(readBy(terms, long)).toEqual(termsOf(long));
    read.forEach(({ names, places }, at) => {
      expect(Array.from(places, (place) => names[place]!)).toEqual(termsOf(text(at)));
    });
  });
});
