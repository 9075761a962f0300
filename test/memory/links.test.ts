import { describe, expect, test } from 'vitest';
import type { LinkPlace, LinksOutput } from '../../src/core/memory/reading-types.js';
import { memoryOf } from './memory-of.js';

const HUB = `---
up: "[[Home]]"
---
# Hub

See [[Plan]] and [the plan](plans/Plan.md#Goals), or [[Plan#^done|what is done]].
Someday [[Missing]], and [[Old name]], and [gone](none/gone.md).
![[Plan#Goals]] ![[map.png]] [[report.pdf]]
Two are called so: [[Twin]]. Two bear this name: [[Shared]].
Within: [[#Hub]]. Outside: [site](https://example.org).
`;

const NOTES = {
  'Hub.md': HUB,
  'Home.md': 'All of it: [[Hub]].\n\n- once more [[Hub|the hub]]',
  'plans/Plan.md': '# Plan\n\nUp to [Hub](../Hub.md).\n\n## Goals\n\nDone. ^done\n',
  'a/Twin.md': 'No link.',
  'b/Twin.md': 'By its title: [[The hub]].',
  'New name.md': '---\naliases: [Old name]\n---\nBack: ![[Hub]]',
  'x/One.md': '---\ntitle: Shared\n---\n',
  'x/Two.md': '---\ntitle: Shared\n---\n',
};

type Group = Exclude<keyof LinksOutput, 'path' | 'title' | 'totals'>;

function rowOf({ path, line, target, text, state }: LinkPlace): readonly unknown[] {
  return [path, line, target, text, state];
}

const SEE = 'See [[Plan]] and [the plan](plans/Plan.md#Goals), or [[Plan#^done|what is done]].';
const SOMEDAY = 'Someday [[Missing]], and [[Old name]], and [gone](none/gone.md).';
const SHOWN = '![[Plan#Goals]] ![[map.png]] [[report.pdf]]';
const TWO = 'Two are called so: [[Twin]]. Two bear this name: [[Shared]].';

const GROUPS: readonly (readonly [Group, readonly (readonly unknown[])[]])[] = [
  [
    'out',
    [
      ['Home.md', 2, 'Home', 'up: "[[Home]]"', 'resolved'],
      ['plans/Plan.md', 6, 'Plan', SEE, 'resolved'],
      ['plans/Plan.md', 6, 'plans/Plan.md#Goals', SEE, 'resolved'],
      ['plans/Plan.md', 6, 'Plan#^done', SEE, 'resolved'],
      ['New name.md', 7, 'Old name', SOMEDAY, 'inferred'],
      ['', 8, 'report.pdf', SHOWN, 'attachment'],
      ['a/Twin.md', 9, 'Twin', TWO, 'ambiguous'],
    ],
  ],
  [
    'embeds',
    [
      ['plans/Plan.md', 8, 'Plan#Goals', SHOWN, 'resolved'],
      ['', 8, 'map.png', SHOWN, 'attachment'],
    ],
  ],
  [
    'back',
    [
      ['Home.md', 1, 'Hub', 'All of it: [[Hub]].', 'resolved'],
      ['Home.md', 3, 'Hub', '- once more [[Hub|the hub]]', 'resolved'],
      ['New name.md', 4, 'Hub', 'Back: ![[Hub]]', 'resolved'],
      ['plans/Plan.md', 3, '../Hub.md', 'Up to [Hub](../Hub.md).', 'resolved'],
    ],
  ],
  [
    'unresolved',
    [
      ['', 7, 'Missing', SOMEDAY, 'unresolved'],
      ['', 7, 'none/gone.md', SOMEDAY, 'unresolved'],
      ['', 9, 'Shared', TWO, 'ambiguous'],
    ],
  ],
  [
    'ambiguous',
    [
      ['a/Twin.md', 9, 'Twin', TWO, 'ambiguous'],
      ['', 9, 'Shared', TWO, 'ambiguous'],
    ],
  ],
  ['inferred', [['New name.md', 7, 'Old name', SOMEDAY, 'inferred']]],
];

describe('links()', () => {
  test.each(GROUPS)('lists %s with line, target, text and state', async (group, rows) => {
    const { memory } = await memoryOf(NOTES);
    const output = await memory.links({ note: 'Hub' });
    expect(output[group].map(rowOf)).toEqual(rows);
    expect(output.totals[group]).toBe(rows.length);
  });

  test('names the notes that an ambiguous link could mean', async () => {
    const { memory } = await memoryOf(NOTES);
    const { ambiguous } = await memory.links({ note: 'Hub.md' });
    expect(ambiguous.map(({ candidates }) => candidates)).toEqual([['b/Twin.md'], ['x/One.md', 'x/Two.md']]);
  });

  test('counts a link by alias or title among those that lead back', async () => {
    const { memory } = await memoryOf(NOTES);
    const { back } = await memory.links({ note: 'New name' });
    expect(back.map(rowOf)).toEqual([['Hub.md', 7, 'Old name', SOMEDAY, 'inferred']]);
  });

  test('cuts each list at the limit and counts all', async () => {
    const { memory } = await memoryOf(NOTES);
    const output = await memory.links({ note: 'Hub', limit: 1 });
    expect(output.out).toHaveLength(1);
    expect(output.back).toHaveLength(1);
    expect(output.totals).toEqual({ out: 7, back: 4, embeds: 2, unresolved: 3, ambiguous: 2, inferred: 1 });
  });

  test('sees a note that appears as the target of links that led nowhere', async () => {
    const { memory, vault } = await memoryOf(NOTES);
    expect((await memory.links({ note: 'Hub' })).totals.unresolved).toBe(3);
    vault.write({ 'later/Missing.md': 'here' });
    await memory.reindex({});
    expect((await memory.links({ note: 'Hub' })).unresolved.map(({ target }) => target)).toEqual([
      'none/gone.md',
      'Shared',
    ]);
    expect((await memory.links({ note: 'Missing' })).back.map(({ path }) => path)).toEqual(['Hub.md']);
  });

  test('cuts a long line to a window around the link', async () => {
    const words = 'word '.repeat(100);
    const { memory } = await memoryOf({ 'Long.md': `${words}[[Other]] ${words}`, 'Other.md': '' });
    const [place] = (await memory.links({ note: 'Long' })).out;
    expect(place!.text).toMatch(/^….*\[\[Other\]\].*…$/);
    expect(place!.text.length).toBeLessThan(200);
  });

  test('takes a place in a note for the note', async () => {
    const { memory } = await memoryOf(NOTES);
    for (const note of ['Hub.md:6', '[[Hub]]', 'Hub#Hub']) {
      expect((await memory.links({ note })).path).toBe('Hub.md');
    }
  });
});

test('says of links, here and from others, that their heading or block is not there', async () => {
  const { memory } = await memoryOf({
    'a.md': '[[b#Here]] [[b#Gone]] ![[b#^gone]] [[b]]',
    'b.md': '# Here\n\n[[a#^x]]',
  });
  const { out, embeds } = await memory.links({ note: 'a' });
  expect(out.map(({ target, partMissing }) => [target, partMissing])).toEqual([
    ['b#Here', false],
    ['b#Gone', true],
    ['b', false],
  ]);
  expect(embeds).toMatchObject([{ target: 'b#^gone', partMissing: true, state: 'resolved' }]);
  const { back } = await memory.links({ note: 'b' });
  expect(back.map(({ partMissing }) => partMissing)).toEqual([false, true, true, false]);
});
