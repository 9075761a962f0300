/** The piece of a passage that is shown. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainView } from '../../src/core/retrieval/plain-view.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { rankByWords } from '../../src/core/retrieval/rank.js';
import { snippet, snippetTerms } from '../../src/core/retrieval/snippet.js';
import { termsOf } from '../../src/core/text/terms.js';
import { buildMemoryPostings, plainNote } from './memory-postings.js';

/** The snippet with its matched words in «». */
function marked(text: string, query: string, maxChars = 60): string {
  const { text: shown, ranges } = snippet(text, termsOf(query), { maxChars });
  let out = '';
  let at = 0;
  for (const [start, end] of ranges) {
    out += `${shown.slice(at, start)}«${shown.slice(start, end)}»`;
    at = end;
  }
  return out + shown.slice(at);
}

const FOREST =
  'The first part says little. Nobody walks here. Runners were running through the deep forest at night.';

test.each([
  [
    'marks by the same stems',
    FOREST,
    'run forest',
    60,
    '…Runners were «running» through the deep «forest» at night.',
  ],
  ['starts at a sentence that is near', FOREST, 'walk', 40, '…Nobody «walks» here. Runners were…'],
  ['shows short texts whole', 'A short one.', 'short', 60, 'A «short» one.'],
  ['shows the beginning without a match', FOREST, 'zebra', 30, 'The first part says little.…'],
  ['diacritics', 'Die Häuser der Straße', 'hauser strasse', 60, 'Die «Häuser» der «Straße»'],
  ['whole identifiers', 'call `getUserById(x)` now', 'user', 60, 'call «getUserById»(x) now'],
  ['Chinese', '黑豹队的防守只丢了三百分。他们在联赛中排名第六', '联赛', 12, '…他们在«联赛»中排名第六'],
  ['Thai', 'ทีมรับของแพนเธอร์สถอดใจที่คะแนน', 'แพน', 20, '…รับของ«แพน»เธอร์สถอด…'],
])('snippet() %s', (_what, text, query, maxChars, expected) => {
  expect(marked(text, query, maxChars)).toBe(expected);
});

test('snippet() prefers the place with more and rarer words', () => {
  const text = `common common common ${'x '.repeat(60)}rare ${'y '.repeat(60)}common end`;
  const weights = new Map([
    ['common', 1],
    ['rare', 5],
  ]);
  const shown = snippet(text, weights, { maxChars: 40 });
  expect(shown.text).toContain('rare');
  expect(text.slice(shown.offset, shown.offset + 4)).toBe('rare');
});

test('snippetTerms() weighs every form of every word', async () => {
  const notes = [plainNote('a.md', 'A', 'rare common'), plainNote('b.md', 'B', 'common commonly')];
  const { words } = await rankByWords(planQuery('rare common'), buildMemoryPostings(notes), { limit: 1 });
  const weights = snippetTerms(words);
  expect([...weights.keys()]).toEqual(['rare', 'common']);
  expect(weights.get('rare')).toBeGreaterThan(weights.get('common')!);
});

const MARKDOWN: readonly (readonly [what: string, source: string, shown: string])[] = [
  [
    'headings and emphasis',
    '## A **bold** and *it* and __b__ snake_case ##',
    'A bold and it and b snake_case ##',
  ],
  [
    'links',
    'see [text](https://x.org/a_(b) "t"), [[Note|shown]], [[Note]] and ![[pic.png]]',
    'see text, shown, Note and pic.png',
  ],
  ['lists and tasks', '- [x] done\n- two\n1. three', 'done two three'],
  ['quotes and callouts', '> [!note] Title\n> text', 'Title text'],
  ['tables', '| a | b |\n|---|:-:|\n| 1 | 2 |', 'a b 1 2'],
  ['fences and code', '```ts\nconst a = `b`;\n```\n`x`', 'const a = b; x'],
  ['comments, tags, footnotes, block ids', 'a %%no%% b<br>c <!-- no --> d[^1] e ^id-1', 'a b c d e'],
  ['escapes', 'snake\\_case \\*not\\*', 'snake_case *not*'],
  ['white space', '  a\t\tb\r\n\r\n\u00a0c  ', 'a b c'],
  ['control and direction signs', 'a\u0007b \u202ec', 'a b c'],
  ['arithmetic stays', 'a < b and 3 > 2, x_1 = y', 'a < b and 3 > 2, x_1 = y'],
];

test.each(MARKDOWN)('plainView() drops signs: %s', (_what, source, shown) => {
  expect(plainView(source).text).toBe(shown);
});

const pieces = fc.array(
  fc.constantFrom(
    'word',
    'Häuser',
    '小猫吃鱼',
    '🎉',
    ' ',
    '\n',
    '**',
    '[[a|b]]',
    '[t](u)',
    '`',
    '_',
    '|',
    '%%',
    '<b>',
    '\\',
    'ทีมรับ',
    'e\u0301',
    '.',
  ),
  { maxLength: 60 },
);

test('plainView() knows where each character comes from', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const source = parts.join('');
      const { text, origins } = plainView(source);
      expect(origins.length).toBe(text.length);
      for (let at = 0; at < text.length; at++) {
        if (text[at] !== ' ') expect(source[origins[at]!]).toBe(text[at]);
      }
    }),
  );
});

test('snippet() keeps its promises for any text', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 50 }), (parts, maxChars) => {
      const source = parts.join('');
      const { text, ranges, offset } = snippet(source, termsOf('word 小猫 häuser'), { maxChars });
      expect(text.length).toBeLessThanOrEqual(Math.max(2, maxChars));
      expect(text).not.toMatch(/\n|^\s|\s$/);
      expect(text.isWellFormed()).toBe(true);
      expect(offset).toBeGreaterThanOrEqual(0);
      expect(offset).toBeLessThanOrEqual(source.length);
      let last = 0;
      for (const [start, end] of ranges) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        last = end;
      }
    }),
  );
});

test('snippet() of a long text without spaces takes no more time than its length asks for', () => {
  const text = '0123456789'.repeat(50_000);
  expect(snippet(text, ['lazy', 'model'], { maxChars: 160 }).text.length).toBeLessThanOrEqual(160);
}, 5_000);
