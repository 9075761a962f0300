/** NOTE-FORMAT section 2, row "properties". */

import { expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { lines, linksOf, problemLinesOf, propertiesOf } from './views.js';

const block = (...inner: string[]) => lines('---', ...inner, '---', '', 'Body');

const READ: readonly (readonly [what: string, markdown: string, entries: readonly string[]])[] = [
  ['dates as typed', block('d: 2026-08-21'), ['d=2026-08-21']],
  ['numbers as typed', block('a: 123', 'b: 01', 'c: 1e3', 'd: 0x1F'), ['a=123', 'b=01', 'c=1e3', 'd=0x1F']],
  [
    'booleans and null as typed',
    block('a: true', 'b: No', 'c: null', 'd: ~'),
    ['a=true', 'b=No', 'c=null', 'd=~'],
  ],
  ['an unquoted link', block('up: [[X]]'), ['up=[[X]]']],
  ['an unquoted link with heading and text', block('up: [[X#H|y, z]]'), ['up=[[X#H|y, z]]']],
  ['a quoted link', block('up: "[[X]]"'), ['up=[[X]]']],
  ['a list of links', block('up: [[[A]], "[[B]]"]'), ['up=[[[A]], [[B]]]']],
  ['a block list of unquoted links', block('up:', '  - [[A]]', '  - [[B|b]]'), ['up=[[[A]], [[B|b]]]']],
  ['a flow list', block('tags: [a, "b, c", \'d\']'), ['tags=[a, b, c, d]']],
  ['a flow list over lines', block('tags: [', '  a,', '  "b"', '  ]'), ['tags=[a, b]']],
  ['a block list', block('tags:', '- a', '- b'), ['tags=[a, b]']],
  ['an indented block list', block('tags:', '  - a', '', '  - b', 'x: 1'), ['tags=[a, b]', 'x=1']],
  ['an empty list', block('tags: []', 'x: 1'), ['tags=[]', 'x=1']],
  ['an empty value', block('a:', 'b: ""', 'c: x'), ['a=', 'b=', 'c=x']],
  ['comments', block('# c', 'a: 1 # one', 'b: x#y', 'url: http://x/#y'), ['a=1', 'b=x#y', 'url=http://x/#y']],
  ['quotes', block(`a: "q \\"x\\" \\u00e9"`, "b: 'it''s'"), ['a=q "x" é', "b=it's"]],
  ['keys in quotes and with spaces', block('"a b": 1', 'c d: 2', 'é: 3'), ['a b=1', 'c d=2', 'é=3']],
  [
    'folded and literal text',
    block('a: >', '  one', '  two', 'b: |', '  x', '  y'),
    ['a=one two\n', 'b=x\ny\n'],
  ],
  ['text over lines', block('a: one', '  two', 'b: "x', '  y"'), ['a=one two', 'b=x y']],
  ['nested maps flattened', block('a:', '  b: 1', '  c:', '    d: 2'), ['a.b=1', 'a.c.d=2']],
  ['maps in lists', block('p:', '  - n: A', '    y: 1', '  - n: B'), ['p.n=[A, B]', 'p.y=[1]']],
  ['anchors', block('a: &x 1', 'b: *x'), ['a=1', 'b=1']],
  [
    'a JSON object',
    block('{ "a": 1, "b": ["x", true], "c": { "d": "01" } }'),
    ['a=1', 'b=[x, true]', 'c.d=01'],
  ],
  ['Windows line endings', '---\r\na: 1\r\ntags:\r\n  - x\r\n---\r\nBody', ['a=1', 'tags=[x]']],
  ['a byte order mark', '\ufeff---\na: 1\n---\n', ['a=1']],
  ['nothing', '---\n---\nBody', []],
  ['blanks behind the fences', '---  \na: 1\n--- \nBody', ['a=1']],
  ['the end of the file', '---\na: 1\n---', ['a=1']],
];

test.each(READ)('scan() reads %s', (_, markdown, entries) => {
  expect(propertiesOf(markdown)).toEqual(entries);
  expect(problemLinesOf(markdown)).toEqual([]);
});

const BROKEN: readonly (readonly [
  what: string,
  markdown: string,
  entries: readonly string[],
  lines: number[],
])[] = [
  ['an unclosed list', block('a: 1', 'b: [x', 'c: 3'), ['a=1', 'b=[x', 'c=3'], [3]],
  ['a colon in plain text', block('title: A: B', 'x: 1'), ['title=A: B', 'x=1'], [2]],
  ['a line without a key', block('a: 1', 'oops', 'b: 2'), ['a=1', 'b=2'], [3]],
  ['a tab for indentation', block('a:', '\t- x', 'b: 2'), ['a=[x]', 'b=2'], [3]],
  ['a key written twice', block('a: 1', 'b: 2', 'a: 3'), ['a=1', 'b=2', 'a=3'], [4]],
  [
    'template code',
    block('created: {{date}}', 'x: <% tp.date %>'),
    ['created={{date}}', 'x=<% tp.date %>'],
    [2, 3],
  ],
  ['template code inside text', block('t: {{title}} done', 'x: 1'), ['t={{title}} done', 'x=1'], [2]],
  ['bare links in a row', block('up: [[A]], [[B]]'), ['up=[[[A]], [[B]]]'], [2]],
  ['an at sign', block('a: @me', 'b: 2'), ['a=@me', 'b=2'], [2]],
  ['an unclosed quote', block('a: "x', 'b: 2'), ['a="x', 'b=2'], [2]],
  ['a billion laughs', block('a: &a [x, x]', ...nest()), [], [2]],
];

function nest(): string[] {
  const names = 'abcdefghij';
  return [...names.slice(1)].map(
    (key, at) => `${key}: &${key} [${`*${names[at]}, `.repeat(9)}*${names[at]}]`,
  );
}

test.each(BROKEN)(
  'scan() reads what it can of %s, and tells the line',
  (what, markdown, entries, problems) => {
    const note = scan(markdown);
    if (what !== 'a billion laughs') expect(propertiesOf(markdown)).toEqual(entries);
    expect([...new Set(problemLinesOf(markdown))].slice(0, problems.length)).toEqual(problems);
    expect(markdown.slice(note.bodyStart).trim()).toBe('Body');
  },
);

const NO_BLOCK: readonly (readonly [what: string, markdown: string])[] = [
  ['`---js`, which is text', '---js\nmodule.exports = { a: 1 }\n---\n'],
  ['a fence that nothing closes', '---\na: 1\n'],
  ['a fence on line 2', '\n---\na: 1\n---\n'],
  ['four dashes', '----\na: 1\n----\n'],
  ['an indented fence', ' ---\na: 1\n---\n'],
];

test.each(NO_BLOCK)('scan() takes %s for no block', (_, markdown) => {
  expect(scan(markdown).properties).toBeUndefined();
  expect(scan(markdown).bodyStart).toBe(0);
});

test('scan() places each value and its links', () => {
  const markdown = block('a: "x" # c', 'up: "[[A]] and [[B|b]]"', 'list:', '  - [[C]]', '  - d');
  const { entries, start, end } = scan(markdown).properties!;
  expect(entries.map(({ valueStart, valueEnd }) => markdown.slice(valueStart, valueEnd))).toEqual([
    '"x"',
    '"[[A]] and [[B|b]]"',
    '- [[C]]\n  - d',
  ]);
  expect(entries.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(markdown.slice(start, end)).toMatch(/^---\n.*\n---$/s);
  expect(linksOf(markdown)).toEqual(['link property A', 'link property B|b', 'link property C']);
  expect(scan(markdown).links.map(({ line }) => line)).toEqual([3, 3, 5]);
});
