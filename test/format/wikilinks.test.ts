/** NOTE-FORMAT section 2, row "wikilinks". */

import { expect, test } from 'vitest';
import { lines, linksOf } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, links: readonly string[]])[] = [
  ['a note', '[[n]]', ['link wiki n']],
  ['a shown text', '[[n|shown]]', ['link wiki n|shown']],
  ['a heading', '[[n#H]]', ['link wiki n#H']],
  ['a path of headings', '[[n#H1#H2]]', ['link wiki n#H1#H2']],
  ['a block', '[[n#^id]]', ['link wiki n^id']],
  ['a block below a heading', '[[n#H#^id]]', ['link wiki n^id']],
  ['a heading of this note', '[[#H]]', ['link wiki #H']],
  ['a block of this note', '[[#^id]]', ['link wiki ^id']],
  [
    'paths',
    '[[dir/n]] [[./n]] [[../n]] [[/n]]',
    ['dir/n', './n', '../n', '/n'].map((path) => `link wiki ${path}`),
  ],
  ['an ending', '[[n.md]] [[x.canvas]]', ['link wiki n.md', 'link wiki x.canvas']],
  ['blanks inside', '[[ n # H | s ]]', ['link wiki n#H|s']],
  [
    'a pipe escaped in a table',
    lines('| [[a\\|b]] | c |', '| - | - |', '| [[d]] | [[e\\|f]] |'),
    ['link wiki a|b', 'link wiki d', 'link wiki e|f'],
  ],
  ['a pipe that splits a cell', lines('| [[a|b]] | c |', '| - | - | - |'), []],
  ['several on a line', '[[a]][[b]], [[c]]', ['link wiki a', 'link wiki b', 'link wiki c']],
  ['other scripts', '[[日本語 ノート|表示]] [[😀]]', ['link wiki 日本語 ノート|表示', 'link wiki 😀']],
  ['brackets in the shown text', '[[n|see [1]]]', ['link wiki n|see [1']],
  ['brackets around it', '[[[n]]]', ['link wiki n']],
  ['a bracket left open before', '[a [[n]]', ['link wiki n']],
  ['the inner of two', '[[a [[b]]', ['link wiki b']],
  ['emphasis around it', '**[[n]]** ==[[m]]==', ['link wiki n', 'link wiki m']],
  ['no line break', '[[a\nb]]', []],
  ['nothing', '[[]] [[ ]] [[|x]] [[#]]', []],
  ['no URL', '[[https://example.org]]', []],
  ['no inline code', '`[[a]]` ``[[b]] ` `` [[c]]', ['link wiki c']],
  ['no fence', lines('~~~', '[[a]]', '~~~'), []],
  ['no math', '$[[a]]$ [[b]]', ['link wiki b']],
  ['no HTML comment', '<!-- [[a]] --> x', []],
  ['no escaped brackets', '\\[[a]] [\\[b]]', []],
  [
    'headings and quotes',
    lines('# [[a]]', '> [[b]]', '> [[c]]'),
    ['link wiki a', 'link wiki b', 'link wiki c'],
  ],
  ['a quote over lines', lines('> one', '> two [[a|b]]', '>> three [[c]]'), ['link wiki a|b', 'link wiki c']],
  ['a comment', '%% [[a]] %%', ['link wiki a']],
  ['a property', '---\nup: "[[a|b]]"\n---\n[[c]]', ['link property a|b', 'link wiki c']],
  ['brackets that a destination follows', '[[a]](b.md)', ['link wiki a']],
  ['a numbered reference', '[[1](http://x.org), [2](http://y.org)]', []],
  ['carriage returns', '[[a]]\r\n[[b]]\r\n', ['link wiki a', 'link wiki b']],
];

test.each(CASES)('scan() reads wikilinks: %s', (_, markdown, links) => {
  expect(linksOf(markdown)).toEqual(links);
});
