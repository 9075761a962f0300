/** NOTE-FORMAT section 2, row "title". */

import { expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { readTitle } from '../../src/core/note/title.js';
import { lines } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, title: string])[] = [
  ['the property', '---\ntitle: Billing\n---\n# Other', 'Billing'],
  ['a number as the property', '---\ntitle: 01\n---\n', '01'],
  ['no empty property', '---\ntitle:\n---\n# Heading', 'Heading'],
  ['no quoted empty property', '---\ntitle: ""\n---\n# Heading', 'Heading'],
  ['no list as the property', '---\ntitle: [a, b]\n---\n# Heading', 'Heading'],
  ['no template in the property', '---\ntitle: {{title}}\n---\n', 'File name'],
  ['a quoted template, which is text', '---\ntitle: "{{title}}"\n---\n', '{{title}}'],
  ['the only level-1 heading', lines('Intro', '', '# Heading', '', '## Sub'), 'Heading'],
  ['a setext heading', lines('Heading', '===', 'text'), 'Heading'],
  [
    'a heading without its signs',
    '# **Bold** `code` [[Note|shown]] [t](x.md) ==m== ~~s~~ #',
    'Bold code shown t m s',
  ],
  ['a heading without its block id', '# Heading ^abc', 'Heading'],
  ['a heading with escapes and entities', '# a\\*b &amp; c_d_e', 'a*b & c_d_e'],
  ['the file name where two level-1 headings stand', lines('# One', '# Two'), 'File name'],
  ['the file name where a lower heading comes first', lines('## Sub', '# One'), 'File name'],
  ['the file name for template code', '# {{title}}', 'File name'],
  ['the file name for other template code', '# <% tp.file.title %>', 'File name'],
  ['the file name for an empty heading', '#\n\ntext', 'File name'],
  ['no heading inside a quote', lines('> # Quoted', '', 'text'), 'File name'],
  ['a heading beside one in a list', lines('# Heading', '', '- # In a list'), 'Heading'],
  ['no heading inside a fence', lines('```', '# no', '```', '# Heading'), 'Heading'],
  ['the file name for an empty note', '', 'File name'],
];

test.each(CASES)('readTitle() takes %s', (_, markdown, title) => {
  expect(readTitle(scan(markdown), 'dir/File name.md').title).toBe(title);
});
