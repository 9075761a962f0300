import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { reindex } from '../../src/core/memory/reindex.js';
import { dumpIndex } from '../index-dump.js';
import { makeTempVault } from '../temp-vault.js';

const WORDS = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'walking',
  'walks',
  'getUserById',
  '笔记',
  'straße',
  'v1.0.21',
];
const TERMS = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'walk',
  'getuserbyid',
  'user',
  '笔记',
  'strass',
  'strasse',
  '1.0.21',
  'n0',
  'n1',
];

type Step =
  | { readonly kind: 'write'; readonly note: number; readonly words: readonly string[] }
  | { readonly kind: 'delete'; readonly note: number }
  | { readonly kind: 'move'; readonly note: number; readonly to: number }
  | { readonly kind: 'reindex' };

const note = fc.integer({ min: 0, max: 11 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      note,
      words: fc.array(fc.constantFrom(...WORDS, '\n\n## Part\n\n', '[[n1]]', '#tag'), { maxLength: 30 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), note }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), note, to: note }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'reindex' as const }) },
);

const pathOf = (number: number) => (number % 3 === 0 ? `n${number}.md` : `folder/n${number}.md`);

async function openIndex() {
  const folder = mkdtempSync(join(tmpdir(), 'index-'));
  const index = await openSqliteIndex({ folder, clock: systemClock });
  return { index, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

test('an index kept up to date answers as one built from nothing', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 40 }), async (steps) => {
      const root = mkdtempSync(join(tmpdir(), 'vault-'));
      const kept = await openIndex();
      const fresh = await openIndex();
      try {
        const vault = openVault(root);
        writeFileSync(join(root, 'first.md'), 'alpha');
        const { mkdirSync } = await import('node:fs');
        mkdirSync(join(root, 'folder'));
        await reindex({ vault, index: kept.index, clock: systemClock }, {});
        for (const taken of steps) {
          const path = 'note' in taken ? join(root, pathOf(taken.note)) : '';
          if (taken.kind === 'write') writeFileSync(path, taken.words.join(' '));
          else if (taken.kind === 'delete') rmSync(path, { force: true });
          else if (taken.kind === 'reindex')
            await reindex({ vault, index: kept.index, clock: systemClock }, {});
          else {
            try {
              renameSync(path, join(root, pathOf(taken.to)));
            } catch {
              // There was nothing to move.
            }
          }
        }
        await reindex({ vault, index: kept.index, clock: systemClock }, {});
        await reindex({ vault, index: fresh.index, clock: systemClock }, {});
        expect(await dumpIndex(kept.index, TERMS)).toEqual(await dumpIndex(fresh.index, TERMS));
      } finally {
        await kept.index.close();
        await fresh.index.close();
        kept.remove();
        fresh.remove();
        rmSync(root, { recursive: true, force: true });
      }
    }),
    { numRuns: 60, seed: 20261129 },
  );
});

test('a second reindex of an unchanged vault changes nothing', async () => {
  const vault = makeTempVault({ 'a.md': '# A\n\nalpha beta', 'b.md': 'gamma', 'empty.md': '' });
  const { index, remove } = await openIndex();
  onTestFinished(remove);
  const places = { vault: openVault(vault.root), index, clock: systemClock };
  expect(await reindex(places, {})).toMatchObject({ indexed: 3, unchanged: 0, removed: 0, skipped: [] });
  const before = await dumpIndex(index, TERMS);
  expect(await reindex(places, {})).toMatchObject({ indexed: 0, unchanged: 3, removed: 0, moved: 0 });
  expect(await reindex(places, { verify: true })).toMatchObject({
    indexed: 0,
    unchanged: 3,
    removed: 0,
    moved: 0,
  });
  expect(await dumpIndex(index, TERMS)).toEqual(before);
  await index.close();
});

test('many small changes are merged into few segments and lose nothing', async () => {
  const vault = makeTempVault({ 'a.md': 'alpha' });
  const kept = await openIndex();
  const fresh = await openIndex();
  onTestFinished(kept.remove);
  onTestFinished(fresh.remove);
  const places = { vault: openVault(vault.root), index: kept.index, clock: systemClock };
  await reindex(places, {});
  for (let round = 0; round < 60; round += 1) {
    vault.write({ [`n${round % 17}.md`]: `alpha round${round} beta ${'delta '.repeat(round)}` });
    await reindex(places, {});
  }
  await reindex({ ...places, index: fresh.index }, {});
  const terms = [...TERMS, ...Array.from({ length: 60 }, (_, round) => `round${round}`)];
  expect(await dumpIndex(kept.index, terms)).toEqual(await dumpIndex(fresh.index, terms));
  await kept.index.close();
  await fresh.index.close();
});
