/** NOTE-FORMAT section 2, row "comments". */

import { expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { headingsOf, lines, linksOf, regionsOf } from './views.js';

const CASES: readonly (readonly [
  what: string,
  markdown: string,
  regions: readonly string[],
  links: number,
])[] = [
  ['in a line', 'a %%b [[c]]%% [[d]]', ['comment 1-1'], 2],
  ['over lines of a paragraph', lines('a %%b', '[[c]] %% d'), ['comment 1-2'], 1],
  ['as a block', lines('%%', '[[a]]', '', '# H', '[[b]]', '%%', '', '# I'), ['comment 1-6'], 2],
  [
    'as a block with text on its first and last line',
    lines('%% [[a]]', 'b', '[[c]] %% [[d]]'),
    ['comment 1-3'],
    3,
  ],
  ['two in a line', '%%a%% b %%c%%', ['comment 1-1', 'comment 1-1'], 0],
  ['open, which is text', lines('%% [[a]]', '', '[[b]]'), [], 2],
  ['percent signs, which are text', '100%% [[a]]', [], 1],
  [
    'one that a later line closes',
    lines('a %%b', '%% [[c]]', '', '%% x %%'),
    ['comment 1-2', 'comment 4-4'],
    1,
  ],
  ['in a list', lines('- a', '  %%', '  [[b]]', '  %%', '- c'), ['comment 2-4'], 1],
  ['in a quote', lines('> %%', '> [[a]]', '> %%', 'b'), ['quote 1-3', 'comment 1-3'], 1],
  ['HTML', 'a <!-- [[b]] --> [[c]]', ['html-comment 1-1'], 1],
  ['HTML as a block', lines('<!--', '[[a]]', '', '-->', '[[b]]'), ['html-comment 1-4'], 1],
  ['HTML with text behind it', lines('<!-- a --> b', '', '[[c]]'), ['html 1-1', 'html-comment 1-1'], 1],
  ['HTML inside HTML', lines('<div>', '<!-- a -->', '</div>'), ['html 1-3', 'html-comment 2-2'], 0],
  ['HTML left open, which hides no text from search', lines('<!-- a', '', '[[b]]'), ['html 1-3'], 0],
  ['none in code', lines('`%%` [[a]] `%%`', '', '```', '%%', '```'), ['fence 3-5'], 1],
];

test.each(CASES)('scan() finds comments: %s', (_, markdown, regions, links) => {
  expect(regionsOf(markdown)).toEqual(regions);
  expect(linksOf(markdown)).toHaveLength(links);
});

test('scan() takes no heading, item or tag out of a comment', () => {
  const markdown = lines('%%', '# H #t', '- [ ] a', '%%', '', '# I');
  expect(headingsOf(markdown)).toEqual(['h1 I']);
  expect(scan(markdown).items).toEqual([]);
  expect(scan(markdown).tags).toEqual([]);
});
