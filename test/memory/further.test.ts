/** Vectors of a further model: made beside everything else, once each, and never mixed with those of another. */

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { root as project } from '../../scripts/bundle.mjs';
import { prepareIndexFolder } from '../../src/adapters/index-sqlite/index-folder.js';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { MemoryError } from '../../src/core/errors.js';
import { embedFurther } from '../../src/core/memory/embed-further.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import { furtherMeaningOf } from '../../src/core/memory/meaning-of.js';
import type { Progress } from '../../src/core/memory/memory.js';
import type { Embedder } from '../../src/core/ports.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { makeTempVault, type TempVault } from '../temp-vault.js';
import { furtherModel } from './further-embedder.js';

async function open(vault: TempVault, further: (() => Promise<Embedder | undefined>) | undefined) {
  const folder = join(vault.root, '.vectors');
  prepareIndexFolder(folder);
  const index = await openSqliteIndex({ folder, clock: systemClock });
  const places = { vault: openVault(vault.root), index, clock: systemClock, ...(further ? { further } : {}) };
  const memory = joinMemory(places);
  onTestFinished(() => memory.close());
  const notices: string[] = [];
  const calls = { notice: (text: string) => void notices.push(text) };
  return { memory, index, places, notices, calls };
}

const openWith = (vault: TempVault, { embedder }: { readonly embedder: Embedder }) =>
  open(vault, async () => embedder);

function notesUpTo(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`n${at}.md`, `# Note ${at}\n\nthe text of number ${at}\n`]),
  );
}

function vectorFiles(vault: TempVault): string[] {
  return readdirSync(vault.path('.vectors')).filter((name) => /^vectors-.*\.db$/.test(name));
}

test('reindex embeds each passage once, reports progress, and a moved or touched note costs nothing', async () => {
  const vault = makeTempVault(notesUpTo(40));
  const model = furtherModel();
  const { memory } = await openWith(vault, model);
  const reports: Progress[] = [];
  const first = await memory.reindex({}, { report: (progress) => void reports.push(progress) });
  expect(first).toMatchObject({ embedded: 40, pending: 0, failed: 0 });
  expect(model.seen).toHaveLength(40);
  expect(new Set(model.seen).size).toBe(40);
  expect(reports.filter(({ unit }) => unit === 'passages').at(-1)).toMatchObject({ done: 40, total: 40 });
  renameSync(vault.path('n0.md'), vault.path('moved.md'));
  utimesSync(vault.path('n1.md'), 1, 1);
  expect(await memory.reindex({})).toMatchObject({ moved: 1, embedded: 0, pending: 0 });
  expect(await memory.reindex({ verify: true })).toMatchObject({ embedded: 0 });
  expect(model.seen).toHaveLength(40);
  expect((await memory.status()).further).toEqual({
    model: 'further',
    embedded: 40,
    pending: 0,
    failed: 0,
    stale: 0,
    bytes: expect.any(Number),
  });
});

test('neither a search nor a status embeds with the further model', async () => {
  const vault = makeTempVault(notesUpTo(3));
  const model = furtherModel();
  const { memory } = await openWith(vault, model);
  await memory.search({ query: 'number' });
  vault.write({ 'new.md': 'a new note\n' });
  await memory.search({ query: 'new', freshness: 'always' });
  expect((await memory.status()).further).toMatchObject({ embedded: 0, pending: 4 });
  expect(model.calls).toEqual([]);
  await memory.reindex({});
  expect(model.seen).toHaveLength(4);
});

test('a refused text stays pending alone, is told once, and is tried again by reindex only', async () => {
  const vault = makeTempVault({ ...notesUpTo(30), 'bad.md': '# Bad\n\nfull of poison\n' });
  const model = furtherModel({ poison: 'poison' });
  const { memory, places, notices, calls } = await openWith(vault, model);
  expect(await memory.reindex({}, calls)).toMatchObject({ embedded: 30, pending: 1, failed: 1 });
  expect(notices).toEqual([expect.stringMatching(/^"bad\.md" line \d+ stays without a vector of "further"/)]);
  expect((await memory.status()).further).toMatchObject({ embedded: 30, pending: 1, failed: 1 });
  const before = model.calls.length;
  expect(await embedFurther(places, calls)).toMatchObject({ embedded: 0, pending: 1, failed: 1 });
  expect(model.calls).toHaveLength(before);
  expect(await memory.reindex({}, calls)).toMatchObject({ embedded: 0, failed: 1 });
  expect(model.calls.slice(before)).toEqual([1]);
  expect(notices).toHaveLength(1);
  vault.write({ 'bad.md': '# Bad\n\ncured\n' });
  expect(await memory.reindex({}, calls)).toMatchObject({ embedded: 1, pending: 0, failed: 0 });
});

test('a model that refuses every text is what is wrong, and is told so once', async () => {
  const vault = makeTempVault(notesUpTo(60));
  const model = furtherModel({ poison: 'number' });
  const { memory, notices, calls } = await openWith(vault, model);
  expect(await memory.reindex({}, calls)).toMatchObject({ embedded: 0, pending: 60 });
  expect(notices.at(-1)).toContain('refuses every text');
  expect(notices.length).toBeLessThan(8);
  expect(model.calls.length).toBeLessThan(60);
});

test('a model that cannot be opened, or is lost on the way, stops the embedding with a notice', async () => {
  const vault = makeTempVault(notesUpTo(40));
  const away = await open(vault, async () => {
    throw new MemoryError('unavailable', 'The model "further" cannot be opened', { hint: 'Pull it.' });
  });
  const without = await away.memory.reindex({}, away.calls);
  expect(without.indexed).toBe(40);
  expect(without.embedded).toBeUndefined();
  expect(away.notices).toEqual(['The model "further" cannot be opened; passages get no vectors of it']);
  const lost = furtherModel({ lostAfter: 1 });
  const { memory, notices, calls } = await openWith(vault, lost);
  const outcome = await memory.reindex({}, calls);
  expect(outcome).toMatchObject({ embedded: lost.seen.length, pending: 40 - lost.seen.length });
  expect(lost.seen.length).toBeGreaterThan(0);
  expect(notices).toEqual([expect.stringContaining('cannot be reached')]);
  const found = furtherModel();
  const second = await openWith(vault, found);
  expect(await second.memory.reindex({})).toMatchObject({ embedded: 40 - lost.seen.length, pending: 0 });
  expect(new Set([...lost.seen, ...found.seen]).size).toBe(40);
  expect(found.seen).toHaveLength(40 - lost.seen.length);
});

test('another model, or another fingerprint, has a file of its own, and going back costs nothing', async () => {
  const vault = makeTempVault(notesUpTo(5));
  const one = furtherModel();
  await (await openWith(vault, one)).memory.reindex({});
  const two = furtherModel({ fingerprint: 'of-256-dimensions' });
  const second = await openWith(vault, two);
  expect(await second.index.state()).toBe('ready');
  const reading = await furtherMeaningOf(second.places, planQuery('number 3'));
  expect(reading).toEqual({ model: 'further', meaning: undefined, openedMs: 0, lack: 'no vectors' });
  expect(two.queries).toEqual([]);
  expect(await second.memory.reindex({})).toMatchObject({ embedded: 5 });
  expect(vectorFiles(vault)).toHaveLength(2);
  const back = await openWith(vault, one);
  expect(await back.memory.reindex({})).toMatchObject({ embedded: 0, pending: 0 });
  expect(one.seen).toHaveLength(5);
});

test('vectors of a model that no reindex used for a week are removed, those in use are not', async () => {
  const vault = makeTempVault(notesUpTo(5));
  await (await openWith(vault, furtherModel({ id: 'old' }))).memory.reindex({});
  const model = furtherModel();
  await (await openWith(vault, model)).memory.reindex({});
  const longAgo = Date.now() / 1000 - 8 * 24 * 60 * 60;
  for (const name of vectorFiles(vault)) utimesSync(vault.path(`.vectors/${name}`), longAgo, longAgo);
  const { memory } = await openWith(vault, model);
  await memory.reindex({});
  expect(vectorFiles(vault)).toEqual([expect.stringMatching(/^vectors-further-/)]);
  expect(model.seen).toHaveLength(5);
  expect((await memory.search({ query: 'number 3' })).hits[0]?.path).toBe('n3.md');
});

test('furtherMeaningOf() says what is missing, and compares what there is', async () => {
  const vault = makeTempVault(notesUpTo(5));
  const model = furtherModel();
  const { memory, places } = await openWith(vault, model);
  await memory.reindex({});
  vault.write({ 'new.md': 'a new note\n', 'newer.md': 'a newer note\n' });
  await memory.search({ query: 'x', freshness: 'always' });
  const half = await furtherMeaningOf(places, planQuery('number 3'));
  expect(half).toMatchObject({ model: 'further', lack: '2 passages pending', meaning: { model: 'further' } });
  await memory.reindex({});
  expect((await furtherMeaningOf(places, planQuery('number 3'))).lack).toBeUndefined();
  const nothing = { model: '', meaning: undefined, openedMs: 0, lack: 'no model' };
  expect(await furtherMeaningOf({ ...places, further: async () => undefined }, planQuery('x'))).toEqual(
    nothing,
  );
  const foreign = planQuery('wo ist das Haus von der Frau');
  const english = { ...model.embedder, model: { ...model.embedder.model, languages: ['en'] } };
  expect(await furtherMeaningOf({ ...places, further: async () => english }, foreign)).toMatchObject({
    meaning: undefined,
    lack: 'no de',
  });
});

test('a long passage is embedded in windows that keep within what the model reads', async () => {
  const vault = makeTempVault({ 'long.md': `# Long\n\n${'word after word '.repeat(90)}\n` });
  const model = furtherModel({ windowChars: 300 });
  const { memory } = await openWith(vault, model);
  expect(await memory.reindex({})).toMatchObject({ embedded: 1 });
  expect(model.seen.length).toBeGreaterThan(4);
  for (const text of model.seen) expect(text.length).toBeLessThan(350);
});

test('notes are searched and edited while a batch is embedded; what came meanwhile is embedded as well', async () => {
  const vault = makeTempVault(notesUpTo(20));
  const plain = await open(vault, undefined);
  await plain.memory.reindex({});
  let isFirst = true;
  const model = furtherModel({
    beforeBatch: async () => {
      if (!isFirst) return;
      isFirst = false;
      await plain.memory.add({ title: 'Meanwhile', content: 'written beside the embedding' });
      const found = await plain.memory.search({ query: 'beside', freshness: 'always' });
      expect(found.hits.map(({ title }) => title)).toEqual(['Meanwhile']);
    },
  });
  const { memory } = await openWith(vault, model);
  expect(await memory.reindex({})).toMatchObject({ embedded: 21, pending: 0 });
});

test('an interrupted run keeps the batches it has stored', async () => {
  const vault = makeTempVault(notesUpTo(40));
  const stop = new AbortController();
  const first = furtherModel({ beforeBatch: async () => stop.abort() });
  const { memory } = await openWith(vault, first);
  await expect(memory.reindex({}, { signal: stop.signal })).rejects.toThrow();
  const second = furtherModel();
  const again = await openWith(vault, second);
  expect(await again.memory.reindex({})).toMatchObject({ pending: 0 });
  expect(first.seen.length + second.seen.length).toBe(40);
});

test('release() lets go of a further model that was opened, and a later search opens it again', async () => {
  const vault = makeTempVault(notesUpTo(3));
  let released = 0;
  const { embedder } = furtherModel();
  const counting = { ...embedder, release: async () => void (released += 1) };
  const { memory } = await open(vault, async () => counting);
  await memory.release();
  expect(released).toBe(0);
  await memory.reindex({});
  await memory.release();
  expect(released).toBe(1);
  expect((await memory.search({ query: 'number' })).hits).toHaveLength(3);
});

test('following embeds beside the looks, and ends with the batch in hand', async () => {
  const vault = makeTempVault(notesUpTo(10));
  const model = furtherModel();
  const { memory } = await openWith(vault, model);
  const stop = new AbortController();
  const followed = memory.follow({ signal: stop.signal, poll: true, tell: () => {} });
  await expect.poll(() => model.seen.length, { timeout: 10_000 }).toBe(10);
  await memory.add({ title: 'Another', content: 'one more note' });
  await memory.search({ query: 'another', freshness: 'always' });
  await expect.poll(() => model.seen.length, { timeout: 10_000 }).toBe(11);
  stop.abort();
  await followed;
  expect((await memory.status()).further).toMatchObject({ embedded: 11, pending: 0 });
});

const script = join(project, `node_modules/.cache/embed-process-${process.pid}.mjs`);

async function startEmbedding(vault: TempVault, log: string, msEach: number) {
  if (!existsSync(script)) {
    mkdirSync(join(script, '..'), { recursive: true });
    await build({
      entryPoints: [join(import.meta.dirname, 'embed-process.ts')],
      outfile: script,
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['better-sqlite3'],
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    onTestFinished(() => rmSync(script, { force: true }));
  }
  const child: ChildProcess = spawn(process.execPath, [script, vault.root, log, String(msEach)]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout!.on('data', (bytes) => (stdout += String(bytes)));
  child.stderr!.on('data', (bytes) => (stderr += String(bytes)));
  const ended = new Promise<{ stdout: string; stderr: string }>((resolve) => {
    child.on('close', () => resolve({ stdout, stderr }));
  });
  return { child, ended };
}

function linesOf(log: string): string[] {
  return existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

test('a process killed while it embeds loses a batch at most; the next embeds the rest', async () => {
  const vault = makeTempVault(notesUpTo(60));
  const log = vault.path('.log');
  const { child, ended } = await startEmbedding(vault, log, 40);
  await expect.poll(() => linesOf(log).length, { timeout: 20_000, interval: 10 }).toBeGreaterThan(15);
  child.kill('SIGKILL');
  await ended;
  const model = furtherModel();
  const { memory, index } = await openWith(vault, model);
  const kept =
    (await index.state()) !== 'none' ? (await index.vectorCounts(model.embedder.model)).embedded : 0;
  expect(kept).toBeGreaterThan(0);
  expect(await memory.reindex({})).toMatchObject({ embedded: 60 - kept, pending: 0 });
  expect(model.seen).toHaveLength(60 - kept);
  expect((await memory.status()).further).toMatchObject({ embedded: 60, pending: 0, stale: 0 });
});

test('of two processes one embeds, each passage once, and the other says so', async () => {
  const vault = makeTempVault(notesUpTo(60));
  const log = vault.path('.log');
  const first = await startEmbedding(vault, log, 20);
  await expect.poll(() => linesOf(log).length, { timeout: 20_000, interval: 10 }).toBeGreaterThan(0);
  const second = await startEmbedding(vault, log, 20);
  const [one, other] = await Promise.all([first.ended, second.ended]);
  expect(JSON.parse(one.stdout)).toEqual({ embedded: 60, pending: 0 });
  expect(JSON.parse(other.stdout).embedded).toBe(0);
  expect(other.stderr).toContain('another process is embedding with "further"');
  expect(linesOf(log)).toHaveLength(60);
  expect(new Set(linesOf(log)).size).toBe(60);
});
