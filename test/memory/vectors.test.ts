/** Vectors beside an index: when they are made, kept and dropped, and what a search says without them. */

import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { prepareIndexFolder } from '../../src/adapters/index-sqlite/index-folder.js';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { MemoryError } from '../../src/core/errors.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import type { Embedder } from '../../src/core/ports.js';
import { deterministicEmbedder } from '../embedders/deterministic-embedder.js';
import { makeTempVault, type TempVault } from '../temp-vault.js';

/** Counts the texts that it is given. */
function countingEmbedder(fingerprint = 'one') {
  const seen: string[] = [];
  const embedder: Embedder = {
    ...deterministicEmbedder,
    model: { ...deterministicEmbedder.model, fingerprint },
    embedPassages: (texts) => {
      seen.push(...texts);
      return deterministicEmbedder.embedPassages(texts);
    },
  };
  return { embedder, seen };
}

async function open(vault: TempVault, embedder?: Embedder) {
  const folder = join(vault.root, '.vectors');
  prepareIndexFolder(folder);
  const index = await openSqliteIndex({ folder, clock: systemClock });
  const places = { vault: openVault(vault.root), index, clock: systemClock, embedder: async () => embedder };
  const memory = joinMemory(places);
  onTestFinished(() => memory.close());
  const counts = async () => embedder && (await index.vectorCounts(embedder.model));
  return { memory, index, counts };
}

const NOTES = {
  'a.md': '# Alpha\n\nfirst text about boats\n',
  'b.md': '# Beta\n\nsecond text about trains\n',
  'c.md': '# Gamma\n\nthird text about planes\n',
};

function vectorFiles(vault: TempVault): string[] {
  return readdirSync(join(vault.root, '.vectors'))
    .filter((name) => /^vectors-.*\.db$/.test(name))
    .sort();
}

test('reindex makes a vector for each passage, once', async () => {
  const vault = makeTempVault(NOTES);
  const { embedder, seen } = countingEmbedder();
  const { memory, counts } = await open(vault, embedder);
  await memory.reindex({});
  expect(seen).toHaveLength(3);
  expect(await counts()).toMatchObject({ embedded: 3, pending: 0, stale: 0 });
  await memory.reindex({});
  await memory.reindex({ verify: true });
  expect(seen).toHaveLength(3);
});

test('a changed note costs the vectors of its changed passages, a moved or copied one none', async () => {
  const long = 'word '.repeat(300);
  const vault = makeTempVault({ ...NOTES, 'd.md': `# One\n\n${long}\n\n# Two\n\n${long}\n` });
  const { embedder, seen } = countingEmbedder();
  const { memory, counts } = await open(vault, embedder);
  await memory.reindex({});
  const before = seen.length;
  writeFileSync(join(vault.root, 'd.md'), `# One\n\n${long}\n\n# Two\n\n${long} changed\n`);
  await memory.reindex({});
  expect(seen.slice(before)).toHaveLength(1);
  expect(seen.at(-1)).toContain('changed');
  await memory.move({ note: 'a.md', to: 'moved/a.md' });
  writeFileSync(join(vault.root, 'copy.md'), readFileSync(join(vault.root, 'b.md')));
  await memory.reindex({});
  expect(seen).toHaveLength(before + 1);
  expect(await counts()).toMatchObject({ pending: 0 });
});

test('what this program writes has its vectors at once', async () => {
  const vault = makeTempVault(NOTES);
  const { embedder } = countingEmbedder();
  const { memory, counts } = await open(vault, embedder);
  await memory.reindex({});
  await memory.add({ title: 'Delta', content: 'a fourth text about bicycles' });
  const found = await memory.search({ query: 'bicycles', freshness: 'never' });
  expect(found.streams).toEqual(['words', 'meaning']);
  expect(found.hits[0]?.title).toBe('Delta');
  expect(await counts()).toMatchObject({ embedded: 4, pending: 0 });
});

test('what was written while the model could not be read gets its vectors with the next reindex', async () => {
  const vault = makeTempVault(NOTES);
  const { embedder } = countingEmbedder();
  const { memory, counts } = await open(vault, embedder);
  await memory.reindex({});
  const unread: Embedder = {
    ...embedder,
    embedPassages: () => Promise.reject(new MemoryError('unavailable', 'The model is away')),
  };
  const { memory: meanwhile } = await open(vault, unread);
  await meanwhile.edit({ note: 'b.md', append: 'by night' });
  expect(await counts()).toMatchObject({ embedded: 2, pending: 1 });
  await memory.reindex({});
  expect(await counts()).toMatchObject({ embedded: 3, pending: 0 });
});

test('a search by words alone, or without a model, says so', async () => {
  const vault = makeTempVault(NOTES);
  const { embedder } = countingEmbedder();
  const { memory } = await open(vault, embedder);
  expect((await memory.search({ query: 'boats' })).streams).toEqual(['words', 'meaning']);
  expect((await memory.search({ query: 'boats', words: true })).streams).toEqual(['words']);
  const { memory: without } = await open(vault);
  expect((await without.search({ query: 'boats' })).streams).toEqual(['words']);
});

test('another model gets vectors of its own from the next reindex, and they never meet', async () => {
  const vault = makeTempVault(NOTES);
  const first = countingEmbedder('one');
  const { memory: a } = await open(vault, first.embedder);
  await a.reindex({});
  await a.close();
  const second = countingEmbedder('two');
  const { memory: b, counts } = await open(vault, second.embedder);
  const early = await b.search({ query: 'boats', freshness: 'never' });
  expect(early.streams).toEqual(['words']);
  await b.reindex({});
  expect(second.seen).toHaveLength(3);
  expect(vectorFiles(vault)).toHaveLength(2);
  expect(await counts()).toMatchObject({ embedded: 3, pending: 0 });
  expect((await b.search({ query: 'boats' })).streams).toEqual(['words', 'meaning']);
});

test.each<[string, (path: string) => void]>([
  ['gone', (path) => rmSync(path)],
  ['emptied', (path) => truncateSync(path, 0)],
  ['cut', (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  ['foreign', (path) => writeFileSync(path, 'not a database at all '.repeat(2_000))],
])('vectors that are %s are made again, and the search is answered', async (_, damage) => {
  const vault = makeTempVault(NOTES);
  const { embedder } = countingEmbedder();
  const first = await open(vault, embedder);
  await first.memory.reindex({});
  await first.memory.close();
  damage(join(vault.root, '.vectors', vectorFiles(vault)[0]!));
  const { memory, counts } = await open(vault, embedder);
  const found = await memory.search({ query: 'boats' });
  expect(found.hits[0]?.path).toBe('a.md');
  expect(found.streams).toEqual(['words', 'meaning']);
  expect(await counts()).toMatchObject({ embedded: 3, pending: 0 });
});

test('vectors of passages that are gone are dropped once they are many', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`n${at}.md`, `# N ${at}\n\nnumber ${at} has a text of its own\n`]),
  );
  const vault = makeTempVault(many);
  const { embedder } = countingEmbedder();
  const { memory, counts } = await open(vault, embedder);
  await memory.reindex({});
  for (let at = 0; at < 30; at += 1) rmSync(join(vault.root, `n${at}.md`));
  await memory.reindex({});
  expect(await counts()).toMatchObject({ embedded: 10, pending: 0, stale: 0 });
  const found = await memory.search({ query: 'number 35 has a text of its own' });
  expect(found.hits[0]?.path).toBe('n35.md');
});

test('an index kept up to date answers with meaning as one built from nothing', async () => {
  const vault = makeTempVault(NOTES);
  const { embedder } = countingEmbedder();
  const { memory } = await open(vault, embedder);
  await memory.reindex({});
  for (let at = 0; at < 30; at += 1) {
    await memory.add({ title: `Note ${at}`, content: `about subject ${at % 7} and boats ${at}` });
  }
  writeFileSync(join(vault.root, 'b.md'), '# Beta\n\nnow about boats as well\n');
  rmSync(join(vault.root, 'c.md'));
  const ask = async (of: typeof memory) =>
    Promise.all(
      ['boats', 'subject 3', 'text about trains', 'beta'].map(async (query) =>
        (await of.search({ query, full: true })).hits.map(({ path, score }) => [path, score]),
      ),
    );
  await memory.reindex({});
  const kept = await ask(memory);
  await memory.close();
  rmSync(join(vault.root, '.vectors'), { recursive: true });
  const { memory: anew } = await open(vault, embedder);
  expect(await ask(anew)).toEqual(kept);
  expect(existsSync(join(vault.root, '.vectors', vectorFiles(vault)[0]!))).toBe(true);
});

test('release() frees a model that was opened, opens none, and the next search loads it again', async () => {
  const vault = makeTempVault(NOTES);
  const { embedder } = countingEmbedder();
  let released = 0;
  const { memory } = await open(vault, {
    ...embedder,
    release: async () => {
      released += 1;
    },
  });
  await memory.release();
  expect(released).toBe(0);
  await memory.search({ query: 'boats' });
  await memory.release();
  expect(released).toBe(1);
  expect((await memory.search({ query: 'boats' })).streams).toEqual(['words', 'meaning']);
});
