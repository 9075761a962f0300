/** NOTE-FORMAT section 2, row "headings". */

import { expect, test } from 'vitest';
import { scan, scanOutline } from '../../src/core/markdown/scan.js';
import { NO_VAULTS, notePaths, readNotes, sharedVault, sharedVaults } from '../shared-vaults.js';
import { headingsOf, lines } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, headings: readonly string[]])[] = [
  [
    'six levels',
    lines('# a', '## b', '### c', '#### d', '##### e', '###### f', '####### g'),
    ['h1 a', 'h2 b', 'h3 c', 'h4 d', 'h5 e', 'h6 f'],
  ],
  ['closing signs', lines('# a #', '## b ####  ', '# c#', '# d \\#'), ['h1 a', 'h2 b', 'h1 c#', 'h1 d #']],
  ['setext', lines('a', '===', 'b', '-', 'c', 'd', '---'), ['h1 a', 'h2 b', 'h2 c d']],
  ['indentation', lines('   # a', '', '    # b'), ['h1 a']],
  ['a paragraph before', lines('text', '# a', 'text'), ['h1 a']],
  ['nothing', lines('#', '## ', '# #'), ['h1 ', 'h2 ', 'h1 ']],
  ['tabs', '#\ta\t#', ['h1 a']],
  ['quotes and lists', lines('> # a', '- ## b', '1. x', '   ### c'), ['h1 a', 'h2 b', 'h3 c']],
  ['plain text', '# *a* **b** ***c*** _d_ e_f_g ==h== ~~i~~ `j*k`', ['h1 a b c d e_f_g h i j*k']],
  ['links', '# [a](b) [[c]] [[d|e]] ![f](g) <http://h> [i]', ['h1 a c e f http://h [i]']],
  ['signs that are none', '# a * b _ c 2*3*4 \\*d\\* #t', ['h1 a * b _ c 234 *d* #t']],
  ['HTML', '# <b>a</b> <!-- b --> c %%d%%', ['h1 a  c']],
  ['no missing blank', lines('#a', '#tag'), []],
  ['no code', lines('```', '# a', '```'), []],
  ['no thematic break', lines('', '---', 'a', '', '---'), []],
  ['no underline in a table', lines('| a |', '|---|', '| b |', '---'), []],
  ['no front matter', lines('---', 'a: b', '---', '# c'), ['h1 c']],
  ['no underline of a lazy line', lines('> a', '---'), []],
  ['Windows line endings', '# a\r\n\r\nb\r\n===\r\n', ['h1 a', 'h1 b']],
  ['lone carriage returns', '# a\r## b', ['h1 a', 'h2 b']],
];

test.each(CASES)('scan() reads headings: %s', (_, markdown, headings) => {
  expect(headingsOf(markdown)).toEqual(headings);
});

test('scan() makes an outline of headings outside lists and quotes', () => {
  const markdown = lines('# a', '### b', '## c', '> # quoted', '### d', '# e');
  const { headings } = scan(markdown);
  const path = (index: number): string => {
    const { parent, text } = headings[index]!;
    return parent < 0 ? text : `${path(parent)} > ${text}`;
  };
  expect(headings.map((_, index) => path(index))).toEqual([
    ...['a', 'a > b', 'a > c', 'a > c > quoted', 'a > c > d', 'e'],
  ]);
  expect(headings.map(({ nested }) => nested)).toEqual([false, false, false, true, false, false]);
});

test('scan() places a heading and its raw text', () => {
  const markdown = lines('x', '', '  ## a *b* ## ', 'c', 'd', '===');
  const { headings } = scan(markdown);
  expect(headings.map(({ start, end }) => markdown.slice(start, end))).toEqual(['## a *b* ## ', 'c\nd\n===']);
  expect(headings.map(({ contentStart, contentEnd }) => markdown.slice(contentStart, contentEnd))).toEqual([
    'a *b*',
    'c\nd',
  ]);
  expect(headings.map(({ line, endLine }) => [line, endLine])).toEqual([
    [3, 3],
    [4, 6],
  ]);
});

function outlineOf({ headings, blockIds }: ReturnType<typeof scanOutline>): unknown {
  return JSON.parse(JSON.stringify({ headings, blockIds }));
}

test.each(CASES)('scanOutline() reads the same: %s', (_, markdown) => {
  for (const text of [markdown, `---\na: 1\n---\n${markdown}`, `\ufeff${markdown}`])
    expect(outlineOf(scanOutline(text))).toEqual(outlineOf(scan(text)));
});

const vaults = sharedVaults().filter((name) => name === 'rust-book' || name === 'dataview-deep-dive');

test.skipIf(vaults.length === 0)(
  vaults.length > 0 ? 'scanOutline() reads the same in real notes' : NO_VAULTS,
  () => {
    for (const name of vaults) {
      const folder = sharedVault(name);
      for (const { path, text } of readNotes(folder, notePaths(folder)))
        expect(outlineOf(scanOutline(text)), path).toEqual(outlineOf(scan(text)));
    }
  },
);
