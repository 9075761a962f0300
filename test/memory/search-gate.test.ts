/** What search says of itself: which ways it went and why, how sure it is, and how each score came about. */

import { expect, onTestFinished, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import type { Embedder } from '../../src/core/ports.js';
import { makeTempVault } from '../temp-vault.js';
import { type FurtherModel, furtherModel } from './further-embedder.js';

const NOTES = {
  'lock.md': '# Index lock\n\nThe lock of the index is held by one process while it writes.\n',
  'model.md':
    '# Lazy model\n\nThe model of meaning is loaded when words are not enough, and released after.\n',
  'tea.md': '# Green tea\n\nSteep for two minutes in water of eighty degrees.\n',
  'garden.md': '# Garden\n\nTomatoes need water every evening in summer.\n',
};

async function memoryWith(further?: () => Promise<Embedder | undefined>) {
  const vault = makeTempVault(NOTES);
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const memory = joinMemory({
    vault: openVault(vault.root),
    index,
    clock: systemClock,
    ...(further ? { further } : {}),
  });
  onTestFinished(() => memory.close());
  await memory.reindex({});
  return memory;
}

const withModel = ({ embedder }: FurtherModel) => memoryWith(async () => embedder);

test('search trusts words for a note that is asked for by name, and does not open the further model', async () => {
  const model = furtherModel();
  const memory = await withModel(model);
  const found = await memory.search({ query: 'Green tea' });
  expect(found.hits[0]?.path).toBe('tea.md');
  expect(found).toMatchObject({ streams: ['words'] });
  expect(found.gate).toMatch(/^exact name, coverage 1\.00$/);
  expect(model.queries).toEqual([]);
});

test('search opens the further model where the gate does, or where it is asked to', async () => {
  const model = furtherModel();
  const memory = await withModel(model);
  const opened = await memory.search({ query: 'evening zyzzyva quuxly tomatoes', nearest: true });
  expect(opened.gate).toMatch(/^unknown words/);
  expect(opened.streams).toEqual(['words', 'further']);
  expect(model.queries).toEqual(['evening zyzzyva quuxly tomatoes']);
  const forced = await memory.search({ query: 'Green tea', semantic: true });
  expect(forced.streams).toEqual(['words', 'further']);
  const never = await memory.search({ query: 'evening zyzzyva quuxly tomatoes', nearest: true, words: true });
  expect(never).toMatchObject({ streams: ['words'], gate: '' });
  expect(model.queries).toHaveLength(2);
});

test('search says that no further model is there only to who asked for it', async () => {
  const memory = await memoryWith();
  expect((await memory.search({ query: 'green tea', semantic: true })).gate).toMatch(/; no model$/);
  expect((await memory.search({ query: 'evening zyzzyva quuxly tomatoes' })).gate).not.toContain(';');
});

test('search has no hits for a query about nothing in the vault, says why, and lists the nearest on request', async () => {
  const memory = await memoryWith();
  const none = await memory.search({ query: 'blorptik vandrushel' });
  expect(none).toMatchObject({ hits: [], band: 'none' });
  expect(none.reason).toContain('"blorptik"');
  expect(none.hint).not.toBe('');
  const nearest = await memory.search({ query: 'water blorptik vandrushel quuxly zyzzy', nearest: true });
  expect(nearest.hits.length).toBeGreaterThan(0);
  expect(nearest.hits.every(({ band }) => ['none', 'low'].includes(band))).toBe(true);
});

test('search explains scores as the sums of their contributions, and names what a hit lacks', async () => {
  const memory = await withModel(furtherModel());
  const { hits, explain } = await memory.search({
    query: 'water in the summer garden lock',
    explain: true,
    nearest: true,
    semantic: true,
  });
  expect(explain?.hits.map(({ path }) => path)).toEqual(hits.map(({ path }) => path));
  for (const { score, contributions } of explain!.hits) {
    expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(score, 9);
  }
  const garden = explain!.hits.find(({ path }) => path === 'garden.md')!;
  expect(garden.lacks).toContain('lock');
  expect(garden.lacks).not.toContain('water');
  expect(explain!.words.map(({ term }) => term)).toContain('lock');
  expect((await memory.search({ query: 'water' })).explain).toBeUndefined();
});

test('explain tells what a note has, or what keeps it away, and what would bring it up', async () => {
  const memory = await memoryWith();
  const first = await memory.explain({ query: 'green tea', note: 'tea.md' });
  expect(first).toMatchObject({ verdict: 'shown', rank: 1, lacks: [] });
  expect(first.contributions.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(first.score, 9);
  const lower = await memory.explain({ query: 'water eighty degrees', note: 'garden.md' });
  expect(lower.rank).toBeGreaterThan(1);
  expect(lower.lacks).toEqual(['eighty', 'degrees']);
  expect(lower.advice).toContain('"eighty"');
  expect(await memory.explain({ query: 'green tea', note: 'lock.md' })).toMatchObject({
    verdict: 'no match',
    rank: 0,
  });
  const filtered = await memory.explain({ query: 'green tea', note: 'tea.md', folder: 'elsewhere' });
  expect(filtered).toMatchObject({ verdict: 'filtered' });
  expect(filtered.why).toContain('--folder');
  const strange = await memory.explain({ query: 'water blorptik vandrushel quuxly zyzzy', note: 'tea.md' });
  expect(strange.verdict).toBe('abstained');
  await expect(memory.explain({ query: 'x', note: 'nowhere.md' })).rejects.toThrow(/nowhere/);
});

test('explain names the rule that keeps a note out of the index', async () => {
  const vault = makeTempVault({ ...NOTES, '.memoryignore': 'private/\n', 'private/diary.md': 'green tea\n' });
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const memory = joinMemory({ vault: openVault(vault.root), index, clock: systemClock });
  onTestFinished(() => memory.close());
  const ignored = await memory.explain({ query: 'green tea', note: 'private/diary.md' });
  expect(ignored.verdict).toBe('ignored');
  expect(ignored.why).toContain('.memoryignore');
});
