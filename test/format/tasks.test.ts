/** NOTE-FORMAT section 2, row "tasks". */

import { expect, test } from 'vitest';
import { itemText } from '../../src/core/markdown/item-text.js';
import { scan } from '../../src/core/markdown/scan.js';
import { readTaskSigns } from '../../src/core/markdown/task-dates.js';
import { lines } from './views.js';

const CASES: readonly (readonly [what: string, markdown: string, tasks: readonly string[]])[] = [
  ['open', '- [ ] do it', [' do it']],
  ['done', '- [x] done\n- [X] Done', ['xdone', 'XDone']],
  ['any mark', '- [/] half\n- [-] no\n- [>] later\n- [?] why', ['/half', '-no', '>later', '?why']],
  ['other scripts', '- [é] a\n- [✓] b\n- [👍] c', ['éa', '✓b', '👍c']],
  ['other markers', '* [ ] a\n+ [x] b\n1. [ ] c\n2) [x] d', [' a', 'xb', ' c', 'xd']],
  ['nested', '- a\n  - [ ] b\n    - [x] c', [' b', 'xc']],
  ['in quotes', '> - [ ] a', [' a']],
  ['wide blanks', '- [ ]   a', [' a']],
  ['empty', '- [ ]', [' ']],
  ['links behind the mark', '- [ ] [[A]] [b](c.md)', [' [[A]] [b](c.md)']],
  ['no link', '- [x](url) a', []],
  ['no wikilink', '- [[x]] a', []],
  ['no word', '- [ab] c', []],
  ['no missing blank', '- [x]a', []],
  ['no paragraph', '[ ] a', []],
  ['no empty brackets', '- [] a', []],
  ['no escaped bracket', '- \\[ ] a', []],
  ['no code', '```\n- [ ] a\n```', []],
];

test.each(CASES)('scan() reads tasks: %s', (_, markdown, tasks) => {
  const note = scan(markdown);
  expect(note.tasks.map(({ mark, item }) => `${mark}${itemText(note, item)}`)).toEqual(tasks);
  for (const { start, mark, item } of note.tasks) {
    expect(markdown.slice(start - 1, start + mark.length + 1)).toBe(`[${mark}]`);
    expect(note.items[item]!.task).toBe(mark);
  }
});

const SIGNS: readonly (readonly [text: string, signs: object])[] = [
  ['pay [due:: 2026-01-31]', { due: '2026-01-31' }],
  ['pay (Due:: 2026-01-31) [completion:: 2026-01-30]', { due: '2026-01-31', done: '2026-01-30' }],
  ['pay 📅 2026-01-31', { due: '2026-01-31' }],
  [
    'a 🛫 2026-01-01 ⏳ 2026-01-02 📅2026-01-03',
    { start: '2026-01-01', scheduled: '2026-01-02', due: '2026-01-03' },
  ],
  [
    'a ➕ 2026-01-01 ✅ 2026-01-02 ❌ 2026-01-03',
    { created: '2026-01-01', done: '2026-01-02', cancelled: '2026-01-03' },
  ],
  ['a ⏫ 🔁 every week 📅 2026-01-31', { priority: 'high', repeat: 'every week', due: '2026-01-31' }],
  ['a 🗓️ 2026-01-31 ^id', { due: '2026-01-31' }],
  ['a [repeat:: every day] [priority:: low]', { repeat: 'every day', priority: 'low' }],
  ['a 📅 tomorrow', {}],
  ['a [due::2026-01-31] due: 2026-01-31', {}],
  ['a [due:: 2026-01-31] 📅 2026-02-01', { due: '2026-01-31' }],
  ['nothing', {}],
];

test.each(SIGNS)('readTaskSigns() reads %s', (text, signs) => {
  expect(readTaskSigns(text)).toEqual(signs);
});

test('scan() leaves the mark out of the text and of links', () => {
  const note = scan(lines('- [x] a', '', '[x]: n.md'));
  expect(note.links).toEqual([]);
  expect(note.tasks).toHaveLength(1);
});
