/** NOTE-FORMAT section 2, row "outliners", and list items at large. */

import { expect, test } from 'vitest';
import { itemText, outlinerProperties } from '../../src/core/markdown/item-text.js';
import { scan } from '../../src/core/markdown/scan.js';
import { lines } from './views.js';

function show(markdown: string): string[] {
  const note = scan(markdown);
  return note.items.map((_, index) => {
    const properties = outlinerProperties(note, index).map(({ key, value }) => `${key}=${value}`);
    return [itemText(note, index), ...properties].join(' | ');
  });
}

const CASES: readonly (readonly [what: string, markdown: string, items: readonly string[]])[] = [
  ['an id', lines('- text', '  id:: 64a1-b2', '- more'), ['text | id=64a1-b2', 'more']],
  ['several properties', lines('- text', '  a:: 1', '  b c:: [[x]]'), ['text | a=1 | b-c=[[x]]']],
  [
    'a nested item',
    lines('- a', '\t- b', '\t  collapsed:: true', '\t\t- c'),
    ['a', 'b | collapsed=true', 'c'],
  ],
  ['text behind the property', lines('- a', '  id:: 1', '  b'), ['a b | id=1']],
  ['a task', lines('- [ ] do', '  id:: 1'), ['do | id=1']],
  ['an item that is a field', lines('- key:: value', '  id:: 1'), ['key:: value | id=1']],
  ['an empty value', lines('- a', '  id::'), ['a | id=']],
  ['no property in a line', lines('- a (b:: c)', '  d (e:: f)'), ['a (b:: c) d (e:: f)']],
  ['no property in a later paragraph', lines('- a', '', '  b:: c'), ['a']],
  ['no property without a blank', lines('- a', '  std::x'), ['a std::x']],
  ['a heading as text', lines('- # a', '  id:: 1'), ['a']],
  ['a wrapped text', lines('- a', '  b', 'c'), ['a b c']],
  ['an empty item', lines('-', '- a'), ['', 'a']],
  ['a block id', lines('- a ^x', '- b', '  c ^y'), ['a', 'b c']],
];

test.each(CASES)('itemText() and outlinerProperties() read %s', (_, markdown, items) => {
  expect(show(markdown)).toEqual(items);
});

test('scan() nests items and places them', () => {
  const markdown = lines('# H', '- a', '  1. b', '     more', '  2. c', '- d', '', '  e', '', 'f');
  const { items } = scan(markdown);
  expect(items.map(({ marker, depth, parent }) => [marker, depth, parent])).toEqual([
    ['-', 0, -1],
    ['1.', 1, 0],
    ['2.', 1, 0],
    ['-', 0, -1],
  ]);
  expect(items.map(({ line, textEndLine, endLine }) => [line, textEndLine, endLine])).toEqual([
    [2, 2, 5],
    [3, 4, 4],
    [5, 5, 5],
    [6, 6, 8],
  ]);
  expect(items.map(({ start, end }) => markdown.slice(start, end))[1]).toBe('1. b\n     more');
  expect(items.map(({ indent, contentIndent }) => [indent, contentIndent])).toEqual([
    [0, 2],
    [2, 5],
    [2, 5],
    [0, 2],
  ]);
  expect(items.every(({ heading }) => heading === 0)).toBe(true);
});

test('scan() counts the quotes around an item', () => {
  const { items } = scan(lines('- a', '', '> - b', '>> - c', '', '- > - d'));
  expect(items.map(({ quotes, depth }) => [quotes, depth])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
    [0, 0],
    [1, 1],
  ]);
});
