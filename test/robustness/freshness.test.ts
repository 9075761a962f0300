/** What changes in the files is seen by the next search, whatever the times say. */

import { renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import { systemClock } from '../../src/app/system-clock.js';
import type { Clock } from '../../src/core/ports.js';
import { makeTempVault } from '../temp-vault.js';

async function opened(files: Readonly<Record<string, string>>, clock: Clock = systemClock) {
  const vault = makeTempVault(files);
  const memory = await openMemory(vault.root, { clock });
  onTestFinished(() => memory.close());
  const paths = async (query: string, freshness: 'auto' | 'always' | 'never' = 'auto') =>
    (await memory.search({ query, freshness, full: true })).hits.map((hit) => hit.path).sort();
  return { vault, memory, paths };
}

test('new, changed, deleted and renamed notes', async () => {
  const { vault, paths } = await opened({ 'a.md': 'apple', 'b.md': 'banana' });
  expect(await paths('apple banana')).toEqual(['a.md', 'b.md']);
  vault.write({ 'c.md': 'apple' });
  expect(await paths('apple')).toEqual(['a.md', 'c.md']);
  vault.write({ 'a.md': 'cherry' });
  expect(await paths('apple')).toEqual(['c.md']);
  renameSync(vault.path('c.md'), vault.path('d.md'));
  expect(await paths('apple')).toEqual(['d.md']);
});

test('an edit of the same size within the same second', async () => {
  const { vault, paths } = await opened({ 'a.md': 'apple' });
  expect(await paths('apple')).toEqual(['a.md']);
  for (const word of ['grape', 'lemon', 'mango', 'peach']) {
    writeFileSync(vault.path('a.md'), word);
    expect(await paths(word)).toEqual(['a.md']);
    expect(await paths('apple')).toEqual([]);
  }
});

test('an edit of the same size with the same modification time', async () => {
  const { vault, paths } = await opened({ 'a.md': 'apple' });
  const { atimeMs, mtimeMs } = statSync(vault.path('a.md'));
  expect(await paths('apple')).toEqual(['a.md']);
  writeFileSync(vault.path('a.md'), 'grape');
  utimesSync(vault.path('a.md'), atimeMs / 1000, mtimeMs / 1000);
  expect(await paths('grape')).toEqual(['a.md']);
});

test('an older file put back with its old times', async () => {
  const { vault, paths } = await opened({ 'a.md': 'apple' });
  const { atimeMs, mtimeMs } = statSync(vault.path('a.md'));
  expect(await paths('apple')).toEqual(['a.md']);
  vault.write({ 'a.md': 'banana and more' });
  expect(await paths('banana')).toEqual(['a.md']);
  vault.write({ 'a.md': 'apple' });
  utimesSync(vault.path('a.md'), atimeMs / 1000, mtimeMs / 1000);
  expect(await paths('apple')).toEqual(['a.md']);
  expect(await paths('banana')).toEqual([]);
});

test('a file replaced by rename, as editors save', async () => {
  const { vault, paths } = await opened({ 'a.md': 'apple' });
  expect(await paths('apple')).toEqual(['a.md']);
  const { atimeMs, mtimeMs } = statSync(vault.path('a.md'));
  writeFileSync(vault.path('a.tmp'), 'grape');
  utimesSync(vault.path('a.tmp'), atimeMs / 1000, mtimeMs / 1000);
  renameSync(vault.path('a.tmp'), vault.path('a.md'));
  expect(await paths('grape')).toEqual(['a.md']);
});

test('a clock that jumps back an hour, and forward', async () => {
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, nowMs: () => Date.now() + shiftMs };
  const { vault, paths, memory } = await opened({ 'a.md': 'apple' }, clock);
  expect(await paths('apple')).toEqual(['a.md']);
  shiftMs = -3_600_000;
  vault.write({ 'b.md': 'banana' });
  expect(await paths('banana')).toEqual(['b.md']);
  expect((await memory.search({ query: 'banana' })).checkedMsAgo).toBeGreaterThanOrEqual(0);
  shiftMs = 86_400_000;
  vault.write({ 'c.md': 'cherry' });
  expect(await paths('cherry')).toEqual(['c.md']);
});

test('`never` does not look, `always` does, and the age is told', async () => {
  let shiftMs = 0;
  const clock: Clock = { ...systemClock, nowMs: () => Date.now() + shiftMs };
  const { vault, paths, memory } = await opened({ 'a.md': 'apple' }, clock);
  expect(await paths('apple')).toEqual(['a.md']);
  vault.write({ 'b.md': 'apple' });
  shiftMs = 60_000;
  expect(await paths('apple', 'never')).toEqual(['a.md']);
  expect((await memory.search({ query: 'apple', freshness: 'never' })).checkedMsAgo).toBeGreaterThan(59_000);
  expect(await paths('apple', 'always')).toEqual(['a.md', 'b.md']);
  expect((await memory.search({ query: 'apple', freshness: 'never' })).checkedMsAgo).toBeLessThan(30_000);
});

test('a moved note is told as moved and takes what hangs on its path', async () => {
  const { vault, memory, paths } = await opened({
    'plain.md': 'apple',
    'folder/2026-01-02.md': 'banana',
    'titled.md': '# Title\n\ncherry',
  });
  await memory.reindex({});
  renameSync(vault.path('plain.md'), vault.path('folder/renamed.md'));
  renameSync(vault.path('folder/2026-01-02.md'), vault.path('2025-03-04.md'));
  renameSync(vault.path('titled.md'), vault.path('folder/titled.md'));
  expect(await memory.reindex({})).toMatchObject({ indexed: 0, moved: 3, removed: 0, unchanged: 0 });
  const { hits } = await memory.search({ query: 'apple banana cherry', full: true });
  expect(hits.map(({ path, title }) => `${path} ${title}`).sort()).toEqual([
    '2025-03-04.md 2025-03-04',
    'folder/renamed.md renamed',
    'folder/titled.md Title',
  ]);
  expect(hits.find(({ path }) => path === '2025-03-04.md')?.date).toBe('2025-03-04');
  expect(await paths('renamed')).toEqual(['folder/renamed.md']);
  expect(await paths('plain')).toEqual([]);
});

test('two equal notes that both vanish and come back elsewhere are no moves', async () => {
  const { vault, memory } = await opened({ 'a.md': 'same', 'b.md': 'same', 'keep.md': 'x' });
  await memory.reindex({});
  renameSync(vault.path('a.md'), vault.path('c.md'));
  renameSync(vault.path('b.md'), vault.path('d.md'));
  expect(await memory.reindex({})).toMatchObject({ indexed: 2, moved: 0, removed: 2 });
});
