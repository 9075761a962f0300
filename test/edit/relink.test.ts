/** Links of every form before a move and after it. Paths of the notes around are those of VAULT. */

import { describe, expect, test } from 'vitest';
import { relink } from '../../src/core/edit/relink.js';
import { scan } from '../../src/core/markdown/scan.js';
import { lookupKey, stemKey } from '../../src/core/note/lookup-key.js';
import type { NamedNote, NameLookUp } from '../../src/core/note/resolve-link.js';

const VAULT = [
  'Old.md',
  'top.md',
  'a/Deep.md',
  'a/b/Twin.md',
  'c/Twin.md',
  'a/Holder.md',
  'My Note.md',
  'c/Note.md',
];

function lookUp(paths: readonly string[]): NameLookUp {
  return (key) =>
    paths.filter((path) => stemKey(path) === key).map((path): NamedNote => ({ path, kind: 'stem' }));
}

function moved(from: string, to: string, holder: string, text: string, files: readonly string[] = []) {
  const after = VAULT.map((path) => (path === from ? to : path));
  const move = { from, to, before: lookUp(VAULT), after: lookUp(after) };
  return relink(scan(text), holder, move, new Set(files));
}

type Row = readonly [what: string, from: string, to: string, before: string, after: string];

describe('links to a moved note', () => {
  test.each<Row>([
    ['by its name', 'Old.md', 'New.md', '[[Old]]', '[[New]]'],
    ['with a shown text', 'Old.md', 'New.md', '[[Old|see]]', '[[New|see]]'],
    [
      'with an escaped pipe',
      'Old.md',
      'New.md',
      '|a|\n|-|\n|[[Old\\|see]]|\n',
      '|a|\n|-|\n|[[New\\|see]]|\n',
    ],
    ['with a heading', 'Old.md', 'New.md', '[[Old#A#B]]', '[[New#A#B]]'],
    ['with a block', 'Old.md', 'New.md', '[[Old#^id|x]]', '[[New#^id|x]]'],
    ['with its ending', 'Old.md', 'New.md', '[[Old.md]]', '[[New.md]]'],
    ['white space around stays', 'Old.md', 'New.md', '[[ Old  | see ]]', '[[ New  | see ]]'],
    ['embeds', 'Old.md', 'New.md', '![[Old]] ![[Old#A|x]]', '![[New]] ![[New#A|x]]'],
    ['in other case', 'Old.md', 'New.md', '[[oLD]]', '[[New]]'],
    ['by its name, which stays', 'Old.md', 'x/y/Old.md', '[[Old]]', '[[Old]]'],
    ['by its whole path', 'a/Deep.md', 'x/Deep.md', '[[a/Deep]]', '[[x/Deep]]'],
    ['by its path, moved to the top', 'a/Deep.md', 'Deep.md', '[[a/Deep]]', '[[Deep]]'],
    ['by the end of its path', 'a/b/Twin.md', 'a/x/Twin.md', '[[b/Twin]]', '[[x/Twin]]'],
    ['from the root of the vault', 'a/Deep.md', 'x/New.md', '[[/a/Deep]]', '[[/x/New]]'],
    ['where the new name is another’s too', 'Old.md', 'x/Twin.md', '[[Old]]', '[[x/Twin]]'],
    ['in properties', 'Old.md', 'New.md', '---\nup: "[[Old|x]]"\n---\n', '---\nup: "[[New|x]]"\n---\n'],
    [
      'in lists of properties',
      'Old.md',
      'New.md',
      '---\nup:\n  - "[[Old]]"\n---\n',
      '---\nup:\n  - "[[New]]"\n---\n',
    ],
    ['Markdown', 'Old.md', 'New.md', '[x](../Old.md#A)', '[x](../New.md#A)'],
    ['Markdown with a title', 'Old.md', 'New.md', '[x](../Old.md "t")', '[x](../New.md "t")'],
    ['Markdown from the root', 'Old.md', 'x/New.md', '[x](Old.md)', '[x](x/New.md)'],
    ['Markdown of a note beside', 'a/Deep.md', 'a/New Name.md', '[x](Deep.md)', '[x](New%20Name.md)'],
    ['Markdown without ending', 'a/Deep.md', 'a/New.md', '[x](Deep)', '[x](New)'],
    ['Markdown, encoded', 'My Note.md', 'x/Ü (b).md', '[x](../My%20Note.md)', '[x](../x/Ü%20(b).md)'],
    [
      'Markdown in angle brackets',
      'My Note.md',
      'New Note.md',
      '[x](<../My Note.md#A b>)',
      '[x](<../New Note.md#A b>)',
    ],
    ['Markdown with dots', 'a/Deep.md', 'x/Deep.md', '[x](./Deep.md)', '[x](../x/Deep.md)'],
    ['Markdown embeds', 'Old.md', 'New.md', '![x](../Old.md)', '![x](../New.md)'],
    [
      'by reference',
      'Old.md',
      'New.md',
      '[x][r] [r][] [r]\n\n[r]: ../Old.md "t"\n',
      '[x][r] [r][] [r]\n\n[r]: ../New.md "t"\n',
    ],
    ['text in brackets', 'Old.md', 'New.md', '[a [b] c](../Old.md)', '[a [b] c](../New.md)'],
    [
      'in a quote over lines',
      'Old.md',
      'New.md',
      '> a [x\n> y](../Old.md) b\n',
      '> a [x\n> y](../New.md) b\n',
    ],
    [
      'not in code',
      'Old.md',
      'New.md',
      '`[[Old]]` [[Old]]\n\n```\n[[Old]]\n```\n',
      '`[[Old]]` [[New]]\n\n```\n[[Old]]\n```\n',
    ],
    [
      'not to others',
      'Old.md',
      'New.md',
      '[[top]] [[none]] [x](http://a/Old.md)',
      '[[top]] [[none]] [x](http://a/Old.md)',
    ],
    ['in CRLF', 'Old.md', 'New.md', 'a\r\n[[Old]]\r\n', 'a\r\n[[New]]\r\n'],
  ])('%s', (_, from, to, before, after) => {
    const { note, left } = moved(from, to, 'a/Holder.md', before);
    expect(note.text).toBe(after);
    expect(left).toEqual([]);
  });

  test('that cannot be written there are left and told', () => {
    const { note, left } = moved('Old.md', "It's.md", 'top.md', "---\nup: '[[Old]]'\n---\n[[Old]]\n");
    expect(note.text).toContain("up: '[[Old]]'\n---\n[[It's]]");
    expect(left).toMatchObject([{ line: 2 }]);
  });

  test('by title or alias are left and told', () => {
    const named: NameLookUp = (key) =>
      key === lookupKey('The Title') ? [{ path: 'Old.md', kind: 'title' }] : lookUp(VAULT)(key);
    const move = { from: 'Old.md', to: 'New.md', before: named, after: named };
    const { note, left } = relink(scan('x [[The Title]]'), 'top.md', move, new Set());
    expect(note.text).toBe('x [[The Title]]');
    expect(left).toMatchObject([{ line: 1, target: 'The Title' }]);
  });

  test('that the moved note takes from another are told', () => {
    const { note, left } = moved('Old.md', 'c/Deep.md', 'c/Note.md', '[[Deep]]');
    expect(note.text).toBe('[[Deep]]');
    expect(left).toMatchObject([{ target: 'Deep', reason: expect.stringContaining('"a/Deep.md"') }]);
  });
});

describe('links of the moved note', () => {
  test.each<Row>([
    [
      'relative ones',
      'a/Holder.md',
      'x/y/Holder.md',
      '[x](Deep.md) [y](../Old.md)',
      '[x](../../a/Deep.md) [y](../../Old.md)',
    ],
    ['wikilinks with dots', 'a/Holder.md', 'Holder.md', '[[./Deep]] [[../Old]]', '[[./a/Deep]] [[./Old]]'],
    ['by name stay', 'a/Holder.md', 'x/Holder.md', '[[Old]] [[Deep]]', '[[Old]] [[Deep]]'],
    [
      'to itself',
      'a/Holder.md',
      'a/New.md',
      '[[Holder#A]] [[#A]] [x](Holder.md)',
      '[[New#A]] [[#A]] [x](New.md)',
    ],
    [
      'to a picture beside it',
      'a/Holder.md',
      'x/Holder.md',
      '![p](img/p.png) ![[p.png]]',
      '![p](../a/img/p.png) ![[p.png]]',
    ],
    [
      'to what is not there stay',
      'a/Holder.md',
      'x/Holder.md',
      '[n](none.md) ![q](q.png)',
      '[n](none.md) ![q](q.png)',
    ],
    ['to a note that was beside it', 'c/Note.md', 'a/b/Note.md', '[[Twin]]', '[[c/Twin]]'],
    ['by name to one that stays beside it', 'c/Twin.md', 'x/Twin.md', '[[Twin]]', '[[Twin]]'],
  ])('%s', (_, from, to, before, after) => {
    expect(moved(from, to, from, before, ['a/img/p.png']).note.text).toBe(after);
  });
});
