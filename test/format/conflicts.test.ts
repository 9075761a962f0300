/** NOTE-FORMAT section 1: git conflict markers, whose lines belong to no block while both sides are read. */

import { expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { headingsOf, lines, linksOf } from './views.js';

const [OURS, MIDDLE, THEIRS] = ['<<<<<<< HEAD', '=======', '>>>>>>> branch'];
const conflictsOf = (markdown: string) =>
  scan(markdown).conflicts.map(({ startLine, middleLine, endLine }) => [startLine, middleLine, endLine]);

const CASES: readonly (readonly [
  what: string,
  markdown: string,
  conflicts: readonly (readonly number[])[],
])[] = [
  ['a set', lines('a', OURS, 'b', MIDDLE, 'c', THEIRS, 'd'), [[2, 4, 6]]],
  ['a set with a base', lines(OURS, 'b', '||||||| base', 'x', MIDDLE, 'c', THEIRS), [[1, 5, 7]]],
  [
    'two sets',
    lines(OURS, MIDDLE, THEIRS, '', OURS, 'a', MIDDLE, THEIRS),
    [
      [1, 2, 3],
      [5, 7, 8],
    ],
  ],
  ['bare markers', lines('<<<<<<<', 'a', MIDDLE, 'b', '>>>>>>>'), [[1, 3, 5]]],
  ['Windows line endings', lines(OURS, 'a', MIDDLE, 'b', THEIRS).replaceAll('\n', '\r\n'), [[1, 3, 5]]],
  ['a set in a fence', lines('```', OURS, 'a', MIDDLE, 'b', THEIRS, '```'), [[2, 4, 6]]],
  ['a set behind one left open', lines(OURS, 'a', OURS, 'b', MIDDLE, 'c', THEIRS), [[3, 5, 7]]],
  ['no set without a middle', lines(OURS, 'a', THEIRS), []],
  ['no set without an end', lines(OURS, 'a', MIDDLE, 'b'), []],
  ['no indented markers', lines(` ${OURS}`, MIDDLE, THEIRS), []],
  ['no longer markers', lines('<<<<<<<< x', MIDDLE, THEIRS), []],
  ['no markers without a blank', lines('<<<<<<<x', MIDDLE, THEIRS), []],
];

test.each(CASES)('scan() finds conflicts: %s', (_, markdown, conflicts) => {
  expect(conflictsOf(markdown)).toEqual(conflicts);
});

test('scan() reads both sides and takes no marker for a heading or a quote', () => {
  const markdown = lines('text', OURS, '[[a]]', MIDDLE, '[[b]]', THEIRS, '# H');
  const note = scan(markdown);
  expect(linksOf(markdown)).toEqual(['link wiki a', 'link wiki b']);
  expect(headingsOf(markdown)).toEqual(['h1 H']);
  expect(note.regions).toEqual([]);
  expect(note.blocks.map(({ kind, line, endLine }) => `${kind} ${line}-${endLine}`)).toEqual([
    ...['paragraph 1-1', 'paragraph 3-3', 'paragraph 5-5', 'heading 7-7'],
  ]);
});

test('scan() goes on with a list across markers', () => {
  const { items } = scan(lines('- a', OURS, '- b', MIDDLE, '- c', THEIRS, '- d'));
  expect(items.map(({ line, endLine }) => [line, endLine])).toEqual([
    [1, 1],
    [3, 3],
    [5, 5],
    [7, 7],
  ]);
});
