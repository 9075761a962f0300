/** NOTE-FORMAT section 2, row "inline fields". */

import { expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { fieldsOf, lines, linksOf } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, fields: readonly string[]])[] = [
  ['brackets', 'x [key:: value] y', ['key=value']],
  ['parentheses', 'x (key:: value) y', ['key=value']],
  ['a line', 'key:: value', ['key=value']],
  ['a list item', '- key:: value', ['key=value']],
  ['a task', '- [ ] do (due:: 2026-01-31) [x:: y]', ['due=2026-01-31', 'x=y']],
  ['lines of a paragraph', lines('a:: 1', 'text', 'b:: 2'), ['a=1', 'b=2']],
  ['nothing behind the sign', lines('key::', '[k::] (l:: )'), ['key=', 'k=', 'l=']],
  ['keys with capitals and spaces', '[Due Date:: x] Über Größe:: y', ['due-date=x']],
  [
    'keys of other scripts',
    lines('Über Größe:: y', '日期:: 2026', '🎯 goal:: z'),
    ['über-größe=y', '日期=2026', '🎯-goal=z'],
  ],
  ['keys with emphasis', lines('**Rating**:: 5', '*a_b* :: 6', '~~c~~:: 7'), ['rating=5', 'a_b=6', 'c=7']],
  ['balanced brackets', '[k:: a [b] c] (l:: d (e) f)', ['k=a [b] c', 'l=d (e) f']],
  ['links inside', '[k:: [[A]]] (l:: [t](u.md)) m:: x', ['k=[[A]]', 'l=[t](u.md)']],
  ['several links', 'uses:: [[A]], [[B]]', ['uses=[[A]], [[B]]']],
  ['fields in the value of a line', 'a:: x [b:: y]', ['a=x [b:: y]', 'b=y']],
  ['quotes and callouts', lines('> [!note]', '> a:: 1', '> [b:: 2]'), ['a=1', 'b=2']],
  ['table cells', lines('| [a:: 1] | b |', '|-|-|', '| c | (d:: 2) |'), ['a=1', 'd=2']],
  ['comments', lines('%% [a:: 1] %%', '', '%%', 'b:: 2', '- c:: 3', '%%'), ['a=1', 'b=2', 'c=3']],
  ['a comment that is a field', lines('%%note:: see [[A]] %% more', '- %% b:: 1'), ['note=see [[A]]', 'b=1']],
  ['no `std::vector`', 'std::vector and (std::string) [a::b]', []],
  ['no line with other signs in its key', 'Use foo() like so:: x', []],
  ['no link', '[t :: u](url) [t :: u](n.md)', []],
  ['a blank before the sign', 'key :: value', ['key=value']],
  ['no sign without a blank behind it', 'see a ::b and c', []],
  ['no fences', lines('```', 'a:: 1', '```'), []],
  ['no inline code', '`a:: 1` (`b:: 2`) `[c:: 3]`', []],
  ['no math', '$(a:: b)$', []],
  ['no HTML comment', '<!-- [a:: 1] -->', []],
  ['no headings', '# a:: 1', []],
  ['no brackets over lines', lines('x [a:: 1', '2] y'), []],
  ['no open brackets', '[a:: 1 and (b:: 2', []],
  ['no escaped brackets', '\\[a:: 1] \\(b:: 2)', []],
  ['no signs alone', lines(':: x', '[:: y] (- :: z)'), []],
  ['three colons', '::: moniker', []],
  ['Windows line endings', 'a:: 1\r\nb:: 2\r\n', ['a=1', 'b=2']],
];

test.each(CASES)('scan() reads inline fields: %s', (_, markdown, fields) => {
  expect(fieldsOf(markdown)).toEqual(fields);
});

test('scan() reads a link whose text looks like a field', () => {
  expect(linksOf('[t :: u](n.md)')).toEqual(['link markdown n.md|t :: u']);
});

test('scan() tells a field its item, its form and its place', () => {
  const markdown = lines('a:: 1', '', '- x [b:: 2]', '- c:: 3', '  - (d:: 4)');
  const { fields } = scan(markdown);
  expect(fields.map(({ key, item, form, line }) => [key, item, form, line])).toEqual([
    ['a', -1, 'line', 1],
    ['b', 0, 'bracket', 3],
    ['c', 1, 'line', 4],
    ['d', 2, 'paren', 5],
  ]);
  expect(fields.map(({ start, end }) => markdown.slice(start, end))).toEqual([
    'a:: 1',
    '[b:: 2]',
    'c:: 3',
    '(d:: 4)',
  ]);
});
