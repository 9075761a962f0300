/** Several writers at once: processes, calls of one process, and people in their editors. */

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import { MemoryError } from '../../src/core/errors.js';
import { makeTempVault } from '../temp-vault.js';
import { buildWorker, ended, startWorker } from './run-worker.js';

const EDITS = process.env['CHECK_ALL'] ? 1_000 : 120;

test(`two processes with ${EDITS} edits each on the same 20 notes keep them all`, {
  timeout: 600_000,
}, async () => {
  const worker = await buildWorker();
  const notes = Array.from({ length: 20 }, (_, i) => `note ${i}.md`);
  const vault = makeTempVault(Object.fromEntries(notes.map((path) => [path, `# ${path}\n`])));
  const prepared = await openMemory(vault.root);
  await prepared.reindex({});
  await prepared.close();
  const jobs = ['one', 'two'].map((mark) => ({ kind: 'appends' as const, notes, count: EDITS, mark }));
  const outcomes = await Promise.all(jobs.map((job) => ended(startWorker(worker, vault.root, job))));
  expect(outcomes).toEqual([
    { code: 0, stdout: '', stderr: '' },
    { code: 0, stdout: '', stderr: '' },
  ]);
  const lines = notes.flatMap((path) => readFileSync(vault.path(path), 'utf8').split('\n').slice(1, -1));
  const expected = ['one', 'two'].flatMap((mark) => Array.from({ length: EDITS }, (_, i) => `${mark} ${i}`));
  expect(lines.sort()).toEqual(expected.sort());

  const memory = await openMemory(vault.root);
  const verified = await memory.reindex({ verify: true });
  await memory.close();
  expect({ indexed: verified.indexed, unchanged: verified.unchanged }).toEqual({ indexed: 0, unchanged: 20 });
});

test('fifty parallel appends to one note are fifty lines', async () => {
  const vault = makeTempVault({ 'a.md': '# A\n' });
  const memory = await openMemory(vault.root);
  await Promise.all(Array.from({ length: 50 }, (_, i) => memory.edit({ note: 'a.md', append: `line ${i}` })));
  const lines = readFileSync(vault.path('a.md'), 'utf8').split('\n').slice(1, -1);
  expect(lines.sort()).toEqual(Array.from({ length: 50 }, (_, i) => `line ${i}`).sort());
  await memory.close();
});

describe('a hand edit between reading and writing', () => {
  const text = '# A\n\none\n\ntwo\n\nthree\n';

  async function readThen(hand: (text: string) => string) {
    const vault = makeTempVault({ 'a.md': text });
    const memory = await openMemory(vault.root);
    const { hash } = await memory.show({ note: 'a.md' });
    writeFileSync(vault.path('a.md'), hand(text));
    return { vault, memory, hash };
  }

  test('of other lines is kept', async () => {
    const { vault, memory, hash } = await readThen((now) => now.replace('one', 'ONE'));
    await memory.edit({ note: 'a.md', replace: 'three', with: 'THREE', ifHash: hash });
    expect(readFileSync(vault.path('a.md'), 'utf8')).toBe('# A\n\nONE\n\ntwo\n\nTHREE\n');
    await memory.close();
  });

  test('moves the lines that are named by number', async () => {
    const { vault, memory, hash } = await readThen((now) => now.replace('# A\n', '# A\n\nnew\n'));
    await memory.edit({ note: 'a.md', lines: '5', content: 'TWO', ifHash: hash.slice(0, 16) });
    expect(readFileSync(vault.path('a.md'), 'utf8')).toBe('# A\n\nnew\n\none\n\nTWO\n\nthree\n');
    await memory.close();
  });

  test('of the same lines refuses the edit', async () => {
    const { vault, memory, hash } = await readThen((now) => now.replace('two', 'two by hand'));
    const edit = memory.edit({ note: 'a.md', replace: 'two', with: 'TWO', ifHash: hash });
    await expect(edit).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(vault.path('a.md'), 'utf8')).toBe(text.replace('two', 'two by hand'));
    await memory.close();
  });

  test('refuses the edit where the text that was read is not known', async () => {
    const { vault, memory } = await readThen((now) => now.replace('one', 'ONE'));
    const edit = memory.edit({ note: 'a.md', append: 'more', ifHash: 'f'.repeat(64) });
    await expect(edit).rejects.toThrow(MemoryError);
    expect(readFileSync(vault.path('a.md'), 'utf8')).toBe(text.replace('one', 'ONE'));
    await memory.close();
  });

  test('by another call is worked out from the journal', async () => {
    const vault = makeTempVault({ 'a.md': text });
    const memory = await openMemory(vault.root);
    const { hash } = await memory.edit({ note: 'a.md', prepend: 'zero' });
    await memory.edit({ note: 'a.md', replace: 'one', with: 'ONE' });
    await memory.edit({ note: 'a.md', replace: 'three', with: 'THREE', ifHash: hash });
    expect(readFileSync(vault.path('a.md'), 'utf8')).toBe('zero\n# A\n\nONE\n\ntwo\n\nTHREE\n');
    await memory.close();
  });

  test('in an editor that saves every 15 ms loses neither', { timeout: 60_000 }, async () => {
    const vault = makeTempVault({ 'a.md': '# A\n' });
    const memory = await openMemory(vault.root);
    await memory.reindex({});
    let hand = 0;
    let isDone = false;
    const editor = (async () => {
      while (!isDone) {
        const now = readFileSync(vault.path('a.md'), 'utf8');
        writeFileSync(vault.path('a.md'), `${now}hand ${hand}\n`);
        hand += 1;
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    })();
    for (let i = 0; i < 40; i += 1) await memory.edit({ note: 'a.md', append: `call ${i}` });
    isDone = true;
    await editor;
    const lines = new Set(readFileSync(vault.path('a.md'), 'utf8').split('\n'));
    for (let i = 0; i < 40; i += 1) expect(lines).toContain(`call ${i}`);
    for (let i = 0; i < hand; i += 1) expect(lines).toContain(`hand ${i}`);
    await memory.close();
  });
});
