/** Files that need no second look: which they are, that few changes are found without reading all that is known, and that nothing is missed. */

import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { reindex } from '../../src/core/memory/reindex.js';
import type { NoteIndex } from '../../src/core/ports.js';
import { makeTempVault } from '../temp-vault.js';
import { inventedNotes } from './invented-notes.js';

/** A minute on, no file is young any more. */
const LATER = { ...systemClock, nowMs: () => Date.now() + 60_000 };

async function opened(clock = LATER) {
  const temp = makeTempVault(inventedNotes(20));
  const index = await openSqliteIndex({ folder: undefined, clock });
  onTestFinished(() => index.close());
  const vault = openVault(temp.root);
  const run = (of: NoteIndex = index) => reindex({ vault, index: of, clock }, {});
  await run();
  const look = async () => (await index.unsettled((await vault.list()).marks))!;
  return { temp, index, run, look };
}

function withoutWhole(index: NoteIndex): NoteIndex {
  return new Proxy(index, {
    get: (target, name) => {
      if (name === 'known') return () => Promise.reject(new Error('all that is known was asked for'));
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

test('all files are settled once none is young, and none before', async () => {
  const { look } = await opened();
  expect(await look()).toEqual({ places: [], notes: 20 });
  const young = await opened(systemClock);
  const { places, notes } = await young.look();
  expect(places).toHaveLength(20);
  expect(notes).toBe(20);
});

test('changed and new notes are found without asking for all that is known', async () => {
  const { temp, index, run, look } = await opened();
  temp.write({ 'note-3.md': '# Note 3\n\nanother text\n', 'new.md': 'a new note\n' });
  expect(await run(withoutWhole(index))).toMatchObject({ indexed: 2, unchanged: 19, removed: 0 });
  expect(await look()).toEqual({ places: [], notes: 21 });
  expect(await run(withoutWhole(index))).toMatchObject({ indexed: 0, unchanged: 21 });
});

test('what is gone or was renamed is found as before', async () => {
  const { temp, index, run, look } = await opened();
  rmSync(join(temp.root, 'note-1.md'));
  renameSync(join(temp.root, 'note-2.md'), join(temp.root, 'renamed.md'));
  await expect(run(withoutWhole(index))).rejects.toThrow('all that is known was asked for');
  expect(await run()).toMatchObject({ indexed: 0, moved: 1, removed: 1, unchanged: 18 });
  expect(await look()).toEqual({ places: [], notes: 19 });
});

test('a note that the index lost comes back, though its file is settled', async () => {
  const { index, run } = await opened();
  const writing = (await index.startWriting({ wait: true }))!;
  await writing.write({ put: [], move: [], touch: [], remove: ['note-7.md'], seenMs: 0 });
  const { fingerprint: _, ...last } = (await index.lastCheck())!;
  // Without the fingerprint the next look compares.
  await writing.recordCheck({ ...last, fingerprint: '' });
  await writing.end();
  expect(await run()).toMatchObject({ indexed: 1, unchanged: 19 });
});

test('as many changes as make it worth are compared at once', async () => {
  const { temp, index, run } = await opened();
  temp.write(inventedNotes(600, 20));
  await expect(run(withoutWhole(index))).rejects.toThrow('all that is known was asked for');
  expect(await run()).toMatchObject({ indexed: 620 });
});
