import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { stampsOf } from '../../src/core/memory/compare.js';
import { BatchReader } from '../../src/core/memory/read-batches.js';
import { reindex } from '../../src/core/memory/reindex.js';
import type { NoteReading, Vault } from '../../src/core/ports.js';
import { dumpIndex } from '../index-dump.js';
import { runCommand } from '../surfaces/run-memory.js';
import { makeTempVault } from '../temp-vault.js';

/** Enough for the other thread to be asked. */
const NOTES = 700;
const TERMS = ['river', 'stone', 'note7', 'getuserbyid', 'zürich', 'alpha'];

function manyNotes(): Record<string, string> {
  const words = ['river', 'Stone', 'getUserById', 'Zürich', '`code`', '[[Note 3]]', '#tag/sub', 'v1.0.2'];
  const files: Record<string, string> = {};
  for (let note = 0; note < NOTES; note++) {
    const lines = Array.from({ length: 110 }, (_, line) => {
      const picked = Array.from(
        { length: 9 },
        (_, at) => words[(note * 7 + line * 5 + at * 3) % words.length],
      );
      return line % 20 === 0
        ? `## Part ${line} of note${note}`
        : `- ${picked.join(' ')} w${(note * line) % 997}`;
    });
    files[`folder ${note % 7}/Note ${note}.md`] = `---\ntitle: Note ${note}\n---\n${lines.join('\n')}\n`;
  }
  return files;
}

test('reindex with a second thread makes the index that one thread makes', async () => {
  const vault = makeTempVault(manyNotes());
  const places = join(vault.root, '.vectors');
  const { code } = await runCommand(process.execPath, ['bin/memory.js', 'reindex', '--vault', vault.root], {
    cwd: root,
    environment: { AGENT_MEMORY_MODEL: 'none' },
  });
  expect(code).toBe(0);
  const byTwo = await openSqliteIndex({ folder: places, clock: systemClock });
  const byOne = await openSqliteIndex({ folder: undefined, clock: systemClock });
  // From the sources there is no thread to start.
  await reindex({ vault: openVault(vault.root), index: byOne, clock: systemClock }, {});
  await byTwo.state();
  expect(await dumpIndex(byTwo, TERMS)).toEqual(await dumpIndex(byOne, TERMS));
  await byTwo.close();
  await byOne.close();
});

function withReading(vault: Vault, reading: NoteReading): Vault {
  return Object.create(vault, { readAside: { value: async () => reading } }) as Vault;
}

test('BatchReader reads here what the other thread fails at, in order', async () => {
  const temp = makeTempVault(manyNotes());
  const vault = openVault(temp.root);
  let closed = 0;
  const failing: NoteReading = {
    read: () => Promise.reject(new Error('out of memory')),
    close: async () => {
      closed += 1;
    },
  };
  const stamps = stampsOf(await vault.list());
  const reader = new BatchReader(withReading(vault, failing), systemClock, {});
  const paths: string[] = [];
  for await (const notes of reader.notes(stamps)) paths.push(...notes.map(({ stamp }) => stamp.path));
  expect(paths).toEqual(stamps.map(({ path }) => path));
  expect(closed).toBe(1);
});

test('BatchReader reports what cannot be read, and ends the other thread when it is stopped', async () => {
  const temp = makeTempVault(manyNotes());
  const vault = openVault(temp.root);
  const stamps = stampsOf(await vault.list());
  chmodSync(temp.root, 0o755);
  const gone = { ...stamps[5]!, path: 'folder 0/gone.md' };
  let closed = 0;
  const idle: NoteReading = {
    read: (paths) => vault.read(paths).then((files) => files.filter((file) => 'reason' in file)),
    close: async () => {
      closed += 1;
    },
  };
  const stop = new AbortController();
  const reader = new BatchReader(withReading(vault, idle), systemClock, {
    signal: stop.signal,
    report: ({ done }) => {
      if (done > 300) stop.abort();
    },
  });
  const run = async () => {
    for await (const _ of reader.notes([gone, ...stamps]));
  };
  await expect(run()).rejects.toThrow();
  expect(reader.unread.map(({ path }) => path)).toEqual(['folder 0/gone.md']);
  expect(closed).toBe(1);
});
