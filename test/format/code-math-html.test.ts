/** NOTE-FORMAT section 2, row "code, math, HTML". */

import { expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { lines, regionsOf } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, regions: readonly string[]])[] = [
  ['a fence', lines('```js', 'x', '```'), ['fence 1-3']],
  ['a fence of tildes', lines('~~~', '```', '~~~'), ['fence 1-3']],
  ['a long fence', lines('`````', '```', '`````'), ['fence 1-3']],
  ['a longer closing fence', lines('```', 'x', '``````', 'y'), ['fence 1-3']],
  ['an unclosed fence', lines('```', 'x', '', 'y'), ['fence 1-4']],
  ['a fence with blank lines', lines('```', '', 'x', '', '```'), ['fence 1-5']],
  ['a fence in an item', lines('- a', '  ```', '  x', '  ```', '- b'), ['fence 2-4']],
  ['a fence that its item closes', lines('- ```', '  x', '- b'), ['fence 1-2']],
  ['a fence with text behind the closing signs', lines('```', 'x', '``` y', '```'), ['fence 1-4']],
  ['no fence: backticks in its first line', '```a`b```', []],
  ['no fence: two signs', lines('``', 'x', '``'), []],
  ['indented code', lines('text', '', '    x', '', '    y', '', 'z'), ['indented-code 3-5']],
  ['no indented code in a paragraph', lines('text', '    x'), []],
  ['tabs', lines('a', '', '\tx'), ['indented-code 3-3']],
  ['indented code in an item', lines('- a', '', '      x'), ['indented-code 3-3']],
  ['math', lines('$$', 'x', '', 'y', '$$'), ['math 1-5']],
  ['math that starts on its first line', lines('$$ x', 'y $$', 'z'), ['math 1-2']],
  ['math on one line', '$$ x $$', []],
  ['open math, which is text', lines('$$', 'x'), []],
  ['math in an item', lines('- a', '  $$', '  x', '  $$'), ['math 2-4']],
  ['HTML', lines('<div>', 'x', '</div>', '', 'y'), ['html 1-3']],
  [
    'HTML of other kinds',
    lines('<?php', '', '?>', '', '<!X', '>', '', '<pre>', '', '</pre>'),
    ['html 1-3', 'html 5-6', 'html 8-10'],
  ],
  ['a tag alone', lines('<b>', 'x', '</b>'), ['html 1-3']],
  ['no HTML inside a line', 'a <b>x</b>', []],
  ['no HTML in a paragraph', lines('a', '<b>', 'x'), []],
  ['a table', lines('| a |', '| - |', '| b |', '', 'c'), ['table 1-3']],
  ['a table behind a line', lines('text', 'a | b', '-|-', 'c | d'), ['table 2-4']],
  ['no table: cells do not match', lines('| a | b |', '| - |'), []],
];

test.each(CASES)('scan() finds regions: %s', (_, markdown, regions) => {
  expect(regionsOf(markdown)).toEqual(regions);
});

const EVERYTHING = '[[a]] ![[b]] [c](d.md) #tag [f:: g] (h:: i) text ^id';
const HIDDEN: readonly (readonly [what: string, markdown: string])[] = [
  ['a fence', lines('```', '# H', '- [ ] task', 'key:: value', EVERYTHING, '```')],
  ['an unclosed fence', lines('~~~~', EVERYTHING)],
  ['a fence in a quote in a list', lines('- > ```', `  > ${EVERYTHING}`)],
  ['indented code', `    ${EVERYTHING}`],
  ['inline code', `\`${EVERYTHING}\``],
  ['inline code with more backticks', `\`\`\` ${EVERYTHING} \`\` \`\`\``],
  ['inline code over lines', lines('a `b', `${EVERYTHING}\``)],
  ['inline math', `$x ${EVERYTHING}$`],
  ['inline display math', `a $$ ${EVERYTHING} $$`],
  ['math', lines('$$', '# H', EVERYTHING, '$$')],
  ['HTML', lines('<div>', '# H', EVERYTHING, '</div>')],
  ['a script', lines('<script>', '', '# H', EVERYTHING, '</script>')],
  ['an HTML comment', lines('<!--', '', '# H', EVERYTHING, '-->')],
  ['an attribute', `a <b title="${EVERYTHING}">`],
  ['CDATA', `a <![CDATA[ ${EVERYTHING} ]]>`],
];

test.each(HIDDEN)('scan() finds no link, tag, field, id, heading or task in %s', (_, markdown) => {
  const note = scan(markdown);
  expect(note.links).toEqual([]);
  expect(note.tags).toEqual([]);
  expect(note.fields).toEqual([]);
  expect(note.headings).toEqual([]);
  expect(note.tasks).toEqual([]);
  expect(note.blockIds).toEqual([]);
});

const NOT_MATH: readonly (readonly [what: string, markdown: string])[] = [
  ['prices', 'from $5 to [[a]] $10'],
  ['a price and a digit', '$5/[[a]]/$10'],
  ['an escaped sign', '\\$[[a]]$'],
  ['a blank behind the sign', '$ [[a]]$ x'],
  ['a sign alone', 'cost: $ [[a]]'],
  ['another paragraph', lines('$x', '', '[[a]]$')],
];

test.each(NOT_MATH)('scan() takes %s for no math', (_, markdown) => {
  expect(scan(markdown).links).toHaveLength(1);
});

test('scan() names the language of a fence and whether it is closed', () => {
  const { regions } = scan(lines('``` js {1}', '```', '~~~', 'x'));
  expect(regions.map(({ language, closed }) => [language, closed])).toEqual([
    ['js', true],
    ['', false],
  ]);
});
