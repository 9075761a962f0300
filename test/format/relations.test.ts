/** NOTE-FORMAT section 4: which items are relations, and what they say. */

import { expect, test } from 'vitest';
import { findRelations } from '../../src/core/facts/find-facts.js';
import { readLinkValue } from '../../src/core/facts/link-values.js';
import { parseRelation } from '../../src/core/facts/parse-relation.js';
import { printRelation } from '../../src/core/facts/print-relation.js';
import { scan } from '../../src/core/markdown/scan.js';
import { lines } from './views.js';

const ID = 'r-1mtan4c7x2m4';

const RELATIONS: readonly (readonly [text: string, expected: object])[] = [
  ['depends_on [[Postgres]]', { type: 'depends_on', link: '[[Postgres]]' }],
  [
    'works-at [[Acme|the firm]] (weight:: 0.8)',
    { type: 'works-at', link: '[[Acme|the firm]]', fields: { weight: '0.8' } },
  ],
  ['"depends on" [[Postgres]]', { type: 'depends on', link: '[[Postgres]]' }],
  ['löst [[Das Problem]]', { type: 'löst', link: '[[Das Problem]]' }],
  ['uses [[A]] (since the move)', { type: 'uses', link: '[[A]]', context: 'since the move' }],
  ['uses [[A]] (for a (b)) (from:: 2024)', { type: 'uses', context: 'for a (b)', fields: { from: '2024' } }],
  ['uses [[A]] (from:: 2024) (for a)', { type: 'uses', context: 'for a', fields: { from: '2024' } }],
  ['uses [[A]] [by:: me], (src:: x)', { type: 'uses', fields: { by: 'me', src: 'x' } }],
  ['uses [Acme](dir/Acme%20Inc.md)', { type: 'uses', link: '[Acme](dir/Acme%20Inc.md)' }],
  ['~~uses [[A]]~~ (now:: [[#^r-x]])', { type: 'uses', struck: true, fields: { now: '[[#^r-x]]' } }],
  [
    '~~uses [[A]] (for a)~~ (retired:: 2024)',
    { context: 'for a', struck: true, fields: { retired: '2024' } },
  ],
  ['uses [[dir/A#H]] (mood:: good)', { link: '[[dir/A#H]]', others: [['mood', 'good']] }],
];

for (const [text, expected] of RELATIONS)
  test(`parseRelation() reads ${text}`, () => expect(parseRelation(text, undefined)).toMatchObject(expected));

const PLAIN: readonly string[] = [
  'Added [[A]] to the [[B]] roster',
  'Added [[A]] to the roster',
  'uses [[A]] and [[B]]',
  'uses [[A]], [[B]]',
  'depends on [[A]]',
  'uses ![[A]]',
  'uses A',
  '[[A]]',
  'uses[[A]]',
  'uses [[A]] (a) (b)',
  'uses [[A]] [b]',
  'uses [[A]].',
  'uses [[A',
  '"uses [[A]]',
];

for (const text of PLAIN)
  test(`parseRelation() takes ${text} for a plain line`, () =>
    expect(parseRelation(text, undefined)).toBeUndefined());

const VALUES: readonly (readonly [value: string, targets: readonly string[] | undefined])[] = [
  ['[[Acme]]', ['Acme']],
  ['[[A]], [[B|b]]', ['A', 'B']],
  [' [[A]] · [b](dir/B.md); ', ['A', 'dir/B.md']],
  ['[[A]][[B]]', ['A', 'B']],
  ['[[A]] and [[B]]', undefined],
  ['see [[A]]', undefined],
  ['![[A]]', undefined],
  ['[A](https://example.org)', undefined],
  ['- [[A]]', undefined],
  ['A', undefined],
  ['', undefined],
];

for (const [value, targets] of VALUES)
  test(`readLinkValue() reads ${JSON.stringify(value)}`, () =>
    expect(readLinkValue(value)?.map(({ target }) => target)).toEqual(targets));

test('findRelations() goes by the section and by the id', () => {
  const markdown = lines(
    ...[
      `- uses [[A]] ^${ID}`,
      '- uses [[B]]',
      '',
      '## Relations',
      '',
      '- uses [[C]]',
      '  - uses [[D]]',
      '- [ ] uses [[E]]',
    ],
    ...['> - uses [[F]]', '', '### More', '* "works at" [[G]]', '', '## Next', '- uses [[H]]'],
  );
  expect(findRelations(scan(markdown)).map(({ type, link, line }) => `${line} ${type} ${link}`)).toEqual([
    ...['1 uses [[A]]', '6 uses [[C]]', '12 works at [[G]]'],
  ]);
});

test('findRelations() reads states', () => {
  const markdown = lines('## Relations', '- a [[A]]', '- ~~b [[B]]~~', '- ~~c [[C]]~~ (now:: [[#^r-x]])');
  expect(findRelations(scan(markdown)).map(({ type, state }) => `${type} ${state}`)).toEqual([
    ...['a active', 'b retired', 'c superseded'],
  ]);
});

test('printRelation() writes the least', () => {
  const relation = {
    type: 'depends on',
    link: '[[A]]',
    context: 'for (b',
    others: [],
    id: ID,
    struck: false,
  };
  expect(printRelation({ ...relation, fields: { weight: '1', by: 'me' } })).toBe(
    `"depends on" [[A]] (for \\(b) (by:: me) ^${ID}`,
  );
  expect(
    printRelation({ ...relation, type: 'uses', context: '', fields: { weight: '0.5' }, struck: true }),
  ).toBe(`~~uses [[A]]~~ (weight:: 0.5) ^${ID}`);
});
