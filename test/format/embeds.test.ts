/** NOTE-FORMAT section 2, row "embeds". */

import { expect, test } from 'vitest';
import { lines, linksOf } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, links: readonly string[]])[] = [
  ['a note', '![[n]]', ['embed wiki n']],
  ['a section', '![[n#H]]', ['embed wiki n#H']],
  ['a block', '![[n#^id]]', ['embed wiki n^id']],
  ['a picture with its width', '![[dir/img.png|100]]', ['embed wiki dir/img.png|100']],
  [
    'a canvas and a base',
    '![[a.canvas]] ![[b.base#View]]',
    ['embed wiki a.canvas', 'embed wiki b.base#View'],
  ],
  ['a Markdown picture', '![alt](my%20img.png "t")', ['embed markdown my img.png|alt']],
  ['a Markdown note', '![](n.md)', ['embed markdown n.md']],
  ['a reference', lines('![alt][r]', '', '[r]: i.png'), ['embed reference i.png|alt']],
  ['no external picture', '![alt](https://x.org/i.png)', []],
  ['no link inside the text of a picture', '![a [b](c.md)](d.png)', ['embed markdown d.png|a [b](c.md)']],
  ['a sign behind a word', 'wow![[n]]', ['embed wiki n']],
  ['a sign apart, which makes a link', '! [[n]]', ['link wiki n']],
  ['an escaped sign, which makes a link', '\\![[n]] \\![t](m.md)', ['link wiki n', 'link markdown m.md|t']],
  ['two signs', '!![[n]]', ['embed wiki n']],
  ['no code', '`![[n]]`', []],
  [
    'tables',
    lines('| ![[a\\|50]] |', '| --- |', '| ![x](b.png) |'),
    ['embed wiki a|50', 'embed markdown b.png|x'],
  ],
  ['a picture that stays open', '![a [[n]]', ['link wiki n']],
];

test.each(CASES)('scan() reads embeds: %s', (_, markdown, links) => {
  expect(linksOf(markdown)).toEqual(links);
});
