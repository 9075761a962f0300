/** Search with the profile `precise`: what a reranker changes, and that nothing is lost without one. */

import { existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import type { RerankerFacts } from '../../src/adapters/embedders/model-facts.js';
import { openTransformersReranker } from '../../src/adapters/embedders/transformers-reranker.js';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import type { SearchExplanation } from '../../src/core/memory/explain-search.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import type { Reranker } from '../../src/core/ports.js';
import { hasTransformers, TINY_RERANKER_FACTS, tinyReranker } from '../embedders/tiny-encoder.js';
import { makeTempVault } from '../temp-vault.js';

const PROGRAM = join(root, 'dist/program/encoder-process.cjs');
const QUERY = 'river stone garden';
const HINT = 'no reranker: `memory model pull ms-marco-MiniLM-L-6-v2`';

/** `late.md` has the words most often, where the tiny reranker, which reads 64 tokens, no longer sees them. */
const NOTES = {
  'late.md': `# Late\n\n${'dog cat bird tree house road light water '.repeat(9)}\n${'river stone garden '.repeat(9)}\n`,
  'early.md': `# Early\n\nThe river, a stone, a garden. ${'Bread and butter, and paper for a book. '.repeat(20)}\n`,
  'part.md': '# Part\n\nThe river in winter.\n',
};

async function memoryWith(
  reranker?: () => Promise<Reranker | undefined>,
  files: Readonly<Record<string, string>> = NOTES,
) {
  const vault = makeTempVault(files);
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const places = { vault: openVault(vault.root), index, clock: systemClock };
  const memory = joinMemory({ ...places, ...(reranker ? { reranker } : {}) });
  onTestFinished(async () => {
    await memory.release();
    await memory.close();
  });
  await memory.reindex({});
  const notices: string[] = [];
  const search = (more: Parameters<typeof memory.search>[0] | object = {}) =>
    memory.search(
      { query: QUERY, profile: 'precise', freshness: 'never', full: true, ...more },
      { notice: (text) => notices.push(text) },
    );
  const paths = async (more: object = {}) => (await search(more)).hits.map(({ path }) => path);
  return { memory, vault, notices, search, paths };
}

function opening(folder: string, { program, ...facts }: Partial<RerankerFacts> & { program?: string } = {}) {
  let opened: Promise<Reranker> | undefined;
  return async () => {
    opened ??= openTransformersReranker(
      { ...TINY_RERANKER_FACTS, ...facts },
      { folder, device: 'cpu', program },
    );
    return opened;
  };
}

/** Of this process. */
function childProcesses(): readonly string[] {
  const file = `/proc/${process.pid}/task/${process.pid}/children`;
  return readFileSync(file, 'utf8').split(' ').filter(Boolean);
}

describe.skipIf(!hasTransformers)('search with a reranker', () => {
  test('reads the best passages once more, and says so', async () => {
    const { search, paths } = await memoryWith(opening(tinyReranker()));
    expect(await paths({ profile: 'default' })).toEqual(['late.md', 'early.md', 'part.md']);
    const found = await search();
    expect(found.hits.map(({ path }) => path)).toEqual(['early.md', 'late.md', 'part.md']);
    expect(found.streams).toEqual(['words', 'tiny-reranker']);
    expect(found.gate).toMatch(/; 3 hits reranked in \d+ ms$/);
    expect(found.band).toBe((await search({ profile: 'default' })).band);
  });

  test('explains scores as sums, with the reranker’s part', async () => {
    const { memory, search } = await memoryWith(opening(tinyReranker()));
    const { explain } = (await search({ explain: true })) as { readonly explain?: SearchExplanation };
    for (const { score, contributions } of explain!.hits) {
      expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(score, 9);
      expect(contributions.at(-1)).toMatchObject({ kind: 'rerank', text: 'tiny-reranker' });
    }
    const why = await memory.explain({ query: QUERY, note: 'early.md', profile: 'precise' });
    expect(why).toMatchObject({ verdict: 'shown', rank: 1 });
    expect(why.contributions.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(why.score, 9);
  });

  test('ranks anew before the list is cut to its limit', async () => {
    const { paths } = await memoryWith(opening(tinyReranker()));
    expect(await paths({ profile: 'default', limit: 1 })).toEqual(['late.md']);
    expect(await paths({ limit: 1 })).toEqual(['early.md']);
  });

  test('does not ask it where only words are wanted, or by another profile', async () => {
    let asked = 0;
    const { search } = await memoryWith(async () => {
      asked += 1;
      return undefined;
    });
    await search({ words: true });
    await search({ profile: 'default' });
    expect(asked).toBe(0);
    await search();
    expect(asked).toBe(1);
  });

  test('reads a note as it is now, though it was indexed before', async () => {
    const { vault, search } = await memoryWith(opening(tinyReranker()));
    vault.write({ 'early.md': '# Early\n\nThe dog.\n' });
    const found = await search();
    expect(found.hits[0]?.path).toBe('late.md');
    expect(found.streams).toContain('tiny-reranker');
  });

  test('leaves the order to what ranked before for a language that it does not know', async () => {
    const reranker = opening(tinyReranker(), { languages: ['en'] });
    const { search } = await memoryWith(reranker, {
      'ein.md': '# Fluss\n\nDer Fluss und der Garten hinter dem Haus, nicht weit von der Stadt.\n',
    });
    const found = await search({ query: 'wo ist der Garten hinter dem Haus und der Fluss' });
    expect(found.streams).toEqual(['words']);
    expect(found.gate).toMatch(/; not reranked: no de$/);
  });

  test('leaves the order, and tells why, where a text is refused', async () => {
    const { search, notices, paths } = await memoryWith(opening(tinyReranker({ poison: 'stone' })));
    const found = await search();
    expect(found.hits.map(({ path }) => path)).toEqual(await paths({ profile: 'default' }));
    expect(found.gate).toMatch(/; not reranked: a text refused$/);
    expect(notices).toEqual([expect.stringMatching(/its score is NaN; the order of the hits stands$/)]);
    const long = await search({ query: `${QUERY} ${'winter bread '.repeat(40)}` });
    expect(long.gate).toMatch(/; not reranked: a text refused$/);
  });

  test('leaves the order, and tells why, where it cannot be opened', async () => {
    const folder = tinyReranker();
    const { search, notices } = await memoryWith(opening(folder));
    truncateSync(join(folder, 'onnx/model.onnx'), 100);
    const found = await search();
    expect(found.hits.map(({ path }) => path)).toEqual(['late.md', 'early.md', 'part.md']);
    expect(found.streams).toEqual(['words']);
    expect(found.gate).toMatch(/; not reranked: no model$/);
    expect(notices).toEqual([
      expect.stringMatching(/^The model "tiny-reranker" in .* the order of the hits stands without it$/),
    ]);
  });

  test.skipIf(!existsSync('/proc/self/task'))(
    'ends its process when the memory is released, and opens it again',
    async () => {
      const before = childProcesses();
      const { memory, search } = await memoryWith(opening(tinyReranker(), { program: PROGRAM }));
      await search();
      expect(childProcesses().length).toBe(before.length + 1);
      await memory.release();
      expect(childProcesses()).toEqual(before);
      expect((await search()).streams).toContain('tiny-reranker');
    },
  );
});

describe('search with the profile `precise` and no reranker', () => {
  test('says how to get one, once, and ranks as ever', async () => {
    for (const reranker of [undefined, async () => undefined]) {
      const { search, notices, paths } = await memoryWith(reranker);
      const found = await search();
      expect(found.hits.map(({ path }) => path)).toEqual(await paths({ profile: 'default' }));
      expect(found.gate.split('; ').slice(1)).toEqual([HINT]);
      expect(found.streams).toEqual(['words']);
      expect(notices).toEqual([]);
    }
  });

  test('has nothing to rerank where nothing is found', async () => {
    const { search } = await memoryWith();
    expect(await search({ query: 'zyzzyva' })).toMatchObject({ hits: [], band: 'none' });
  });
});
