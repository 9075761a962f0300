/** NOTE-FORMAT section 2, row "block ids". */

import { expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { blockIdsOf, lines } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, ids: readonly string[]])[] = [
  ['a paragraph', 'text ^abc', ['abc paragraph 1-1']],
  ['a paragraph over lines', lines('one', 'two ^a-1'), ['a-1 paragraph 1-2']],
  ['a paragraph on a line of its own', lines('one', 'two', '^abc'), ['abc paragraph 1-3']],
  ['a heading', '## Heading ^h1', ['h1 heading 1-1']],
  ['list items', lines('- one ^a', '- two', '  - three ^b'), ['a item 1-1', 'b item 3-3']],
  ['an item with items under it', lines('- one ^a', '  - two', '- three'), ['a item 1-2']],
  ['an item over lines', lines('- one', '  more ^a', '- two'), ['a item 1-2']],
  ['an indented line inside an item', lines('- one', '', '  ^a', '- two'), ['a item 1-3']],
  ['a list above', lines('- one', '- two', '', '^list'), ['list block 1-2']],
  ['a table above', lines('| a |', '| - |', '| b |', '', '^t'), ['t block 1-3']],
  ['a table just above', lines('| a |', '| - |', '| b |', '^t'), ['t block 1-4']],
  ['a quote above', lines('> a', '> b', '', '^q'), ['q block 1-2']],
  ['a quote just above', lines('> a', '> b', '^q'), ['q block 1-3']],
  ['a callout above', lines('> [!note] T', '> b', '', '^c'), ['c block 1-2']],
  ['a fence above', lines('```', 'x', '```', '', '^f'), ['f block 1-3']],
  ['math above', lines('$$', 'x', '$$', '', '^m'), ['m block 1-3']],
  ['a fact id', '- Runs (src:: PR 412) ^f-1mtan4c7x2m4', ['f-1mtan4c7x2m4 item 1-1']],
  ['trailing blanks', 'text ^abc  \t', ['abc paragraph 1-1']],
  ['Windows line endings', 'text ^abc\r\n\r\n- x ^d\r\n', ['abc paragraph 1-1', 'd item 3-3']],
  ['a task', '- [ ] do ^t', ['t item 1-1']],
  ['no id inside a line', 'text ^abc more', []],
  ['no id inside a paragraph', lines('text ^abc', 'more'), []],
  ['no id without a blank before', 'x^2 and y^abc', []],
  ['no other signs', 'text ^a_b and ^a.b', []],
  ['no lone sign', 'text ^', []],
  ['no id in a fence', lines('```', 'x ^abc', '```'), []],
  ['no id in inline code', '`x ^abc`', []],
  ['no id before anything', '^abc', []],
  ['no footnote', 'text^[a note] ^', []],
];

test.each(CASES)('scan() reads the block id of %s', (_, markdown, ids) => {
  expect(blockIdsOf(markdown)).toEqual(ids);
});

test('scan() gives an item its id', () => {
  const { items } = scan(lines('- one ^a', '- two', '', '  ^b', '- three'));
  expect(items.map(({ blockId }) => blockId)).toEqual(['a', 'b', undefined]);
});
