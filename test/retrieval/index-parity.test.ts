/** The ranking does not care which index stands behind it: SQLite's postings against those in memory. */

import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { stampsOf } from '../../src/core/memory/compare.js';
import { reindex } from '../../src/core/memory/reindex.js';
import { readNote } from '../../src/core/note/read-note.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { type RankedNote, rankByWords } from '../../src/core/retrieval/rank.js';
import { buildMemoryPostings } from './memory-postings.js';

const VAULT = join(import.meta.dirname, '../../examples/vault');

test('rankByWords() answers alike from SQLite and from memory', async () => {
  const vault = openVault(VAULT);
  const sqlite = await openSqliteIndex({ folder: undefined, clock: systemClock });
  onTestFinished(() => sqlite.close());
  await reindex({ vault, index: sqlite, clock: systemClock }, {});
  const stamps = stampsOf(await vault.list());
  const files = await vault.read(stamps.map(({ path }) => path));
  const notes = files.flatMap((file) => ('reason' in file ? [] : [readNote(file)]));
  const memory = buildMemoryPostings(notes);
  const queries = [
    ...notes.map(({ title }) => title),
    ...notes.flatMap(({ passages }) => passages.flatMap(({ headings }) => headings.slice(-1))),
    'why is the index disposable',
    'index -lock',
    '"plain notes"',
    'memor',
  ];
  const view = ({ path, score, coverage, contributions }: RankedNote) => ({
    path,
    score,
    coverage,
    contributions,
  });
  for (const query of new Set(queries)) {
    const plan = planQuery(query);
    const [a, b] = [
      await rankByWords(plan, sqlite, { limit: 20 }),
      await rankByWords(plan, memory, { limit: 20 }),
    ];
    expect(a.hits.map(view), query).toEqual(b.hits.map(view));
  }
  expect(notes.length).toBeGreaterThan(20);
});
