/** What each profile does to a search, and that explanations tell all of it. */

import { rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { openTable } from '../../src/app/built-in-model.js';
import { systemClock } from '../../src/app/system-clock.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import type { Memory } from '../../src/core/memory/memory.js';
import type { SearchInput } from '../../src/core/memory/search-types.js';
import type { Embedder } from '../../src/core/ports.js';
import { SEARCH_PROFILE_NAMES } from '../../src/core/retrieval/profile-names.js';
import { makeTempVault } from '../temp-vault.js';
import { furtherModel } from './further-embedder.js';

type Models = {
  readonly embedder?: () => Promise<Embedder | undefined>;
  readonly further?: () => Promise<Embedder | undefined>;
};

async function memoryOf(files: Readonly<Record<string, string>>, models: Models = {}): Promise<Memory> {
  const vault = makeTempVault(files);
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const memory = joinMemory({ vault: openVault(vault.root), index, clock: systemClock, ...models });
  onTestFinished(() => memory.close());
  await memory.reindex({});
  return memory;
}

const pathsOf = async (memory: Memory, query: string, more: Partial<SearchInput> = {}) =>
  (await memory.search({ query, full: true, ...more })).hits.map(({ path }) => path);

const filler = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`filler-${at}.md`, `# Filler ${at}\n\nOther words about tea.\n`]),
);

const LONG = 'Many other words stand here, of gardens and of tea. '.repeat(40);

const SPELLINGS = {
  ...filler,
  'typed.md': `# Notes of Monday\n\n${LONG}\n\nThen it calls getUserById once.\n`,
  'title.md': '# get_user_by_id\n\nget_user_by_id and get_user_by_id: how get_user_by_id works.\n',
  'parts.md': `# Get user\n\n${'Get the user by id, by the id of the user get it. '.repeat(30)}\n`,
  'heading.md': `# Reference\n\n${LONG}\n\n## \`getUserById\`\n\nTakes a number.\n`,
};

test('search puts the spelling that was asked for first, explained before used, then others, then parts', async () => {
  const memory = await memoryOf(SPELLINGS);
  for (const profile of ['default', 'code', 'words'] as const) {
    expect(await pathsOf(memory, 'getUserById', { profile })).toEqual([
      'heading.md',
      'typed.md',
      'title.md',
      'parts.md',
    ]);
    expect((await pathsOf(memory, 'get_user_by_id', { profile }))[0]).toBe('title.md');
  }
});

test('search names the stream exact where it lifted a note, and only there', async () => {
  const memory = await memoryOf(SPELLINGS);
  expect((await memory.search({ query: 'getUserById' })).streams).toEqual(['words', 'exact']);
  expect((await memory.search({ query: 'where is getUserById.' })).streams).toEqual(['words', 'exact']);
  expect((await memory.search({ query: 'get user by id.' })).streams).toEqual(['words']);
  expect((await memory.search({ query: 'tea.' })).streams).toEqual(['words']);
});

test('search --explain says how a note spells what was asked for', async () => {
  const memory = await memoryOf(SPELLINGS);
  const { explain } = await memory.search({ query: 'getUserById', explain: true, full: true });
  const exact = explain!.hits.map(({ path, contributions }) => [
    path,
    contributions.filter(({ kind }) => kind === 'exact').map(({ text }) => text),
  ]);
  expect(exact).toEqual([
    ['heading.md', ['getUserById']],
    ['typed.md', ['getUserById']],
    ['title.md', ['get_user_by_id']],
    ['parts.md', []],
  ]);
  const why = await memory.explain({ query: 'getUserById', note: 'typed.md' });
  expect(why.rank).toBe(2);
  expect(why.contributions).toEqual(explain!.hits[1]!.contributions);
});

test('search finds the spelling in a note that changed since it was indexed, and does without one that is gone', async () => {
  const vault = makeTempVault(SPELLINGS);
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const memory = joinMemory({ vault: openVault(vault.root), index, clock: systemClock });
  onTestFinished(() => memory.close());
  await memory.reindex({});
  vault.write({ 'typed.md': '# Notes of Monday\n\nNothing of the kind.\n' });
  rmSync(vault.path('heading.md'));
  const found = await memory.search({ query: 'getUserById', freshness: 'never', full: true, explain: true });
  const exact = found.explain!.hits.filter(({ contributions }) =>
    contributions.some(({ kind }) => kind === 'exact'),
  );
  expect(exact.map(({ path }) => path)).toEqual(['title.md']);
  expect(found.hits).toHaveLength(4);
});

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

const DATED = {
  'old.md': `---\ncreated: ${day(2_000)}\n---\n# Pool\n\nThe size of the pool of connections.\n`,
  'new.md': `---\ncreated: ${day(1)}\n---\n# Basin\n\nThe size of the pool of connections, and the rest that stands here.\n`,
  'revised.md': `---\ncreated: ${day(2_000)}\nupdated: ${day(2)}\n---\n# Lake\n\nThe size of the pool of connections, and the rest that stands here.\n`,
  'unfit.md': `---\ncreated: ${day(0)}\n---\n# Garden\n\n${LONG} A pool.\n`,
};

test('the profile recent puts the newer of notes that fit alike first, and none that hardly fits', async () => {
  const memory = await memoryOf({ ...filler, ...DATED });
  const query = 'size of the pool of connections';
  expect(await pathsOf(memory, query)).toEqual(['old.md', 'new.md', 'revised.md', 'unfit.md']);
  const recent = await memory.search({ query, profile: 'recent', explain: true, full: true });
  expect(recent.hits.map(({ path }) => path)).toEqual(['new.md', 'revised.md', 'old.md', 'unfit.md']);
  const [newest] = recent.explain!.hits;
  expect(newest!.contributions.at(-1)).toMatchObject({ kind: 'recency', text: day(1) });
  const { hits, explain } = await memory.search({ query, explain: true, full: true });
  expect(hits).toHaveLength(4);
  expect(explain!.hits.flatMap(({ contributions }) => contributions.map(({ kind }) => kind))).not.toContain(
    'recency',
  );
});

const MEANT = {
  ...filler,
  'words.md': `# Notes\n\n${LONG}\n\nThe physician said no.\n`,
  'meant.md': '# Doctors\n\nThe doctor treats patients in the hospital, and a nurse helps with medicine.\n',
};

test('the profile code neither shortens words nor lets meaning decide', async () => {
  const files = { ...MEANT, 'a.md': '# A\n\nDer Gartenzaun steht.\n' };
  const memory = await memoryOf(files, { embedder: () => openTable() });
  const query = 'Gartenzaeune';
  expect(await pathsOf(memory, query, { nearest: true })).toContain('a.md');
  expect(await pathsOf(memory, query, { nearest: true, profile: 'code' })).not.toContain('a.md');
  const ofMeaning = async (profile: 'default' | 'code') => {
    const { contributions } = await memory.explain({ query: 'physician', note: 'meant.md', profile });
    const parts = contributions.filter(({ kind }) => kind === 'meaning');
    return parts.reduce((sum, { amount }) => sum + amount, 0);
  };
  expect(await ofMeaning('code')).toBeLessThan((await ofMeaning('default')) / 3);
});

test('the profile meaning puts the nearer in meaning before the one with the word, words does without', async () => {
  const memory = await memoryOf(MEANT, { embedder: () => openTable() });
  const query = 'physician';
  expect((await pathsOf(memory, query))[0]).toBe('words.md');
  expect((await pathsOf(memory, query, { profile: 'meaning' }))[0]).toBe('meant.md');
  const words = await memory.search({ query, profile: 'words' });
  expect(words).toMatchObject({ streams: ['words'], gate: '' });
  expect(words.hits).toEqual((await memory.search({ query, words: true })).hits);
});

test('the profile meaning always asks the further model, words never, and flags win over both', async () => {
  const model = furtherModel();
  const memory = await memoryOf(MEANT, { further: async () => model.embedder });
  const asks = async (input: Partial<SearchInput>) => {
    const before = model.queries.length;
    await memory.search({ query: 'Doctors', ...input });
    return model.queries.length > before;
  };
  expect(await asks({})).toBe(false);
  expect(await asks({ profile: 'meaning' })).toBe(true);
  expect(await asks({ profile: 'words' })).toBe(false);
  expect(await asks({ profile: 'words', semantic: true })).toBe(true);
  expect(await asks({ profile: 'meaning', words: true })).toBe(false);
  const none = await memoryOf(MEANT);
  expect((await none.search({ query: 'Doctors', profile: 'meaning' })).gate).not.toContain(';');
});

test.each(SEARCH_PROFILE_NAMES)(
  'scores of the profile %s are the sums of their contributions',
  async (profile) => {
    const model = furtherModel();
    const models = { embedder: () => openTable(), further: async () => model.embedder };
    const memory = await memoryOf({ ...SPELLINGS, ...DATED, ...MEANT }, models);
    const query = 'getUserById of the physician in the pool of connections';
    const found = await memory.search({ query, profile, explain: true, nearest: true, limit: 50 });
    expect(found.hits.length).toBeGreaterThan(4);
    for (const { path, score, contributions } of found.explain!.hits) {
      expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(score, 9);
      const why = await memory.explain({ query, note: path, profile, limit: 50 });
      expect(why.score).toBeCloseTo(score, 5);
      expect(why.contributions.map(({ kind, text }) => [kind, text])).toEqual(
        contributions.map(({ kind, text }) => [kind, text]),
      );
    }
  },
);

test('a search with a profile that there is not is refused with the names of those that there are', async () => {
  const memory = await memoryOf(filler);
  await expect(memory.search({ query: 'tea', profile: 'best' as 'code' })).rejects.toThrow(
    'no profile "best"',
  );
});
