import { renameSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { SearchInput } from '../../src/core/memory/search-types.js';
import { memoryOf } from './memory-of.js';

const NOTES = {
  'alpha.md': '---\ntype: Project\nstatus: open\nbudget: 900\ndue: 2026-02-10\ntags: [a]\n---\nword',
  'beta.md':
    '---\ntype: "[[Project]]"\nstatus: [closed, late]\nbudget: 1200.5\ndue: 2026-03-01 09:00\n---\nword',
  'gamma.md':
    '---\ntype: person\nowner: "[[people/Ada Lovelace|Ada]]"\nbudget: about 1000\nzero: 0\n---\nword',
  'folder/delta.md': 'word, and no property',
};

const FIELDS = {
  'a.md': '---\nrating: 3\n---\nword [Rating:: 5] and (when:: 2026-02-01)',
  'b.md':
    'word\n\n**Reading Time**:: 12\nwith:: [[people/Ada|Ada]], [[Bob]]\n\n- type:: project\n- said:: "Hello, you"',
  'c.md': 'word `[rating:: 9]` std::vector\n\n```\nrating:: 9\n```',
};

const FIELD_CASES: readonly (readonly [Omit<SearchInput, 'query'>, readonly string[]])[] = [
  [{ where: ['rating=5'] }, ['a.md']],
  [{ where: ['rating=3'] }, ['a.md']],
  [{ where: ['rating>=9'] }, []],
  [{ where: ['rating!=5'] }, ['b.md', 'c.md']],
  [{ where: ['when<2026-03'] }, ['a.md']],
  [{ where: ['reading time>10'] }, ['b.md']],
  [{ where: ['reading-time=12'] }, ['b.md']],
  [{ where: ['with=Bob', 'with=Ada'] }, ['b.md']],
  [{ where: ['said=hello, you'] }, ['b.md']],
  [{ where: ['type=project'] }, ['b.md']],
  [{ type: 'project' }, []],
];

const ALL = ['alpha.md', 'beta.md', 'folder/delta.md', 'gamma.md'];

const CASES: readonly (readonly [Omit<SearchInput, 'query'>, readonly string[]])[] = [
  [{}, ALL],
  [{ type: 'project' }, ['alpha.md', 'beta.md']],
  [{ type: 'person' }, ['gamma.md']],
  [{ type: 'proj' }, []],
  // text
  [{ where: ['status=OPEN'] }, ['alpha.md']],
  [{ where: ['status != open'] }, ['beta.md', 'folder/delta.md', 'gamma.md']],
  [{ where: ['owner=Ada Lovelace'] }, ['gamma.md']],
  [{ where: ['owner=Ada'] }, ['gamma.md']],
  // lists
  [{ where: ['status=late'] }, ['beta.md']],
  [{ where: ['status!=closed'] }, ['alpha.md', 'folder/delta.md', 'gamma.md']],
  // numbers
  [{ where: ['budget<1000'] }, ['alpha.md']],
  [{ where: ['budget>900'] }, ['beta.md']],
  [{ where: ['budget>=900'] }, ['alpha.md', 'beta.md']],
  [{ where: ['budget=0900.0'] }, ['alpha.md']],
  [{ where: ['zero=0'] }, ['gamma.md']],
  // dates, a bare day covers all of itself
  [{ where: ['due<2026-03-01'] }, ['alpha.md']],
  [{ where: ['due<=2026-03-01'] }, ['alpha.md', 'beta.md']],
  [{ where: ['due>2026-02'] }, ['beta.md']],
  [{ where: ['due>=2026-02'] }, ['alpha.md', 'beta.md']],
  // that it is set, and all of several
  [{ where: ['status'] }, ['alpha.md', 'beta.md']],
  [{ where: ['Status', 'budget>1000'] }, ['beta.md']],
  [{ where: ['nothing'] }, []],
  // with the others
  [{ folder: 'folder/' }, ['folder/delta.md']],
  [{ tag: '#A', type: 'project' }, ['alpha.md']],
  [{ exclude: ['alpha.md', 'gamma.md', 'not there.md'] }, ['beta.md', 'folder/delta.md']],
];

describe('search()', () => {
  test.each(CASES)('%j', async (input, expected) => {
    const { memory } = await memoryOf(NOTES);
    const { hits } = await memory.search({ query: 'word', full: true, ...input });
    expect(hits.map(({ path }) => path).sort()).toEqual(expected);
  });

  test.each(FIELD_CASES)('inline fields: %j', async (input, expected) => {
    const { memory, vault } = await memoryOf(FIELDS);
    const found = async () => {
      const { hits } = await memory.search({ query: 'word', full: true, ...input });
      return hits.map(({ path }) => path).sort();
    };
    expect(await found()).toEqual(expected);
    // Also when a note was moved and another taken out.
    vault.write({ 'c.md': '' });
    renameSync(vault.path('b.md'), vault.path('z.md'));
    await memory.reindex({});
    const moved = expected.filter((path) => path !== 'c.md').map((path) => (path === 'b.md' ? 'z.md' : path));
    expect(await found()).toEqual(moved.sort());
  });

  test.each([
    [{ folder: 'nowhere' }, 'there are no notes in a folder "nowhere"'],
    [{ folder: 'folder', tag: 'a' }, 'no note passes the filters'],
  ])('says why the filters %j let nothing through', async (filters, expected) => {
    const { memory } = await memoryOf(NOTES);
    const notices: string[] = [];
    const options = { notice: (text: string) => void notices.push(text) };
    await memory.search({ query: 'word', ...filters }, options);
    await memory.recent(filters, options);
    expect(notices).toEqual([expected, expected]);
  });

  test('inline fields go with their note, and with their line', async () => {
    const { memory, vault } = await memoryOf(FIELDS);
    const found = async (where: string) =>
      (await memory.search({ query: 'word', where: [where] })).hits.map(({ path }) => path);
    expect([await found('when'), await found('with')]).toEqual([['a.md'], ['b.md']]);
    rmSync(vault.path('a.md'));
    vault.write({ 'b.md': 'word', 'new.md': 'word' });
    await memory.reindex({});
    expect([await found('when'), await found('with')]).toEqual([[], []]);
  });

  test.each(['=x', '', '<3', '!=', '='])('refuses the test %j with an example', async (where) => {
    const { memory } = await memoryOf(NOTES);
    await expect(memory.search({ query: 'word', where: [where] })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('--where status=open'),
    });
  });

  test('says so when no note passes the filters', async () => {
    const { memory } = await memoryOf(NOTES);
    const said: string[] = [];
    const notice = (text: string) => said.push(text);
    await memory.search({ query: 'word', folder: 'none' }, { notice });
    expect(said).toEqual(['there are no notes in a folder "none"']);
    await memory.search({ query: 'xyzzy', folder: 'folder' }, { notice });
    expect(said).toHaveLength(1);
  });

  test('pages by leaving out what was seen', async () => {
    const { memory } = await memoryOf(NOTES);
    const seen: string[] = [];
    for (let page = 0; page < 4; page += 1) {
      const { hits } = await memory.search({ query: 'word', limit: 1, full: true, exclude: seen });
      seen.push(...hits.map(({ path }) => path));
    }
    expect([...seen].sort()).toEqual(ALL);
    expect((await memory.search({ query: 'word', full: true, exclude: seen })).hits).toEqual([]);
  });

  test('fits the list into a budget of tokens', async () => {
    const { memory } = await memoryOf(NOTES);
    const all = await memory.search({ query: 'word', full: true });
    const some = await memory.search({ query: 'word', full: true, maxTokens: 30 });
    expect(some.hits.length).toBeGreaterThan(0);
    expect(some.hits.length).toBeLessThan(all.hits.length);
    expect(some.hits[0]!.path).toBe(all.hits[0]!.path);
  });
});
