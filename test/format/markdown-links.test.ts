/** NOTE-FORMAT section 2, row "Markdown links". */

import { expect, test } from 'vitest';
import { lines, linksOf } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, links: readonly string[]])[] = [
  ['an encoded path', '[t](My%20Note.md#H)', ['link markdown My Note.md#H|t']],
  ['angle brackets', '[t](<My Note.md>)', ['link markdown My Note.md|t']],
  ['a reference', lines('[t][r]', '', '[r]: My%20Note.md'), ['link reference My Note.md|t']],
  [
    'a collapsed reference',
    lines('[Some Note][]', '', '[some note]: n.md "title"'),
    ['link reference n.md|Some Note'],
  ],
  ['a shortcut', lines('[r]', '', '[r]: <n m.md>'), ['link reference n m.md|r']],
  ['a reference never defined', '[t][r] [x]', []],
  ['a definition in a quote', lines('[t][r]', '', '> [r]: n.md'), ['link reference n.md|t']],
  ['the first of two definitions', lines('[r]', '', '[r]: a.md', '[r]: b.md'), ['link reference a.md|r']],
  ['a heading of this note', '[t](#My%20Heading)', ['link markdown #My Heading|t']],
  ['a block', '[t](n.md#^id)', ['link markdown n.md^id|t']],
  ['a title', '[t](n.md "The title") [u](m.md (x))', ['link markdown n.md|t', 'link markdown m.md|u']],
  ['parentheses', '[t](a(b)c.md) [u](a\\(b.md)', ['link markdown a(b)c.md|t', 'link markdown a(b.md|u']],
  ['an encoded number sign', '[t](C%23.md#a%23b)', ['link markdown C#.md#a#b|t']],
  [
    'bad percent signs',
    '[t](100%.md) [u](%ff%20.md)',
    ['link markdown 100%.md|t', 'link markdown %ff%20.md|u'],
  ],
  ['entities', '[t](a&amp;b.md)', ['link markdown a&b.md|t']],
  ['a path from the root', '[t](/dir/n)', ['link markdown /dir/n|t']],
  ['other scripts', '[t](日本.md)', ['link markdown 日本.md|t']],
  ['brackets in the text', '[a [b] `]` \\] c](n.md)', ['link markdown n.md|a [b] `]` \\] c']],
  ['a text over lines', '[a\nb](n.md)', ['link markdown n.md|a\nb']],
  ['the inner of two', '[a [b](x.md) c](y.md)', ['link markdown x.md|b']],
  ['an image in a link', '[![i](p.png)](n.md)', ['link markdown n.md|![i](p.png)', 'embed markdown p.png|i']],
  [
    'external ones',
    '[t](https://x.org) [u](mailto:a@b.c) [v](//x.org) <https://y.org/z> [w](obsidian://x)',
    [],
  ],
  ['a drive letter, which is no scheme', '[t](C:/x.md)', ['link markdown C:/x.md|t']],
  ['spaces without brackets', '[t](My Note.md)', []],
  ['nothing', '[t]() [t](<>) [t](#)', []],
  ['code', '`[t](n.md)`', []],
  ['a fence', lines('```', '[t](n.md)', '```'), []],
  ['escapes', '\\[t](n.md) [t\\](m.md)', []],
  ['a footnote', lines('x[^1] y', '', '[^1]: see [t](n.md)'), ['link markdown n.md|t']],
  ['a task', '- [x](n.md)\n- [ ] [t](m.md)', ['link markdown n.md|x', 'link markdown m.md|t']],
  ['table cells', lines('| [a](x.md) | b |', '|---|---|', '| [c | d](y.md) |'), ['link markdown x.md|a']],
  ['HTML attributes', '<a href="[t](n.md)">[u](m.md)</a>', ['link markdown m.md|u']],
  ['a link over quote signs', lines('> [a', '> b](n.md)'), ['link markdown n.md|a\n  b']],
];

test.each(CASES)('scan() reads Markdown links: %s', (_, markdown, links) => {
  expect(linksOf(markdown)).toEqual(links);
});
