/** A calibration outlives the index that it was made with, as far as that can still be read. */

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prepareIndexFolder } from '../../src/adapters/index-sqlite/index-folder.js';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { rebuildFromNothing } from '../../src/core/memory/bring-up-to-date.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import { makeTempVault, type TempVault } from '../temp-vault.js';

const WORDS = 'river stone garden winter bread letter paper engine market forest island copper'.split(' ');

function notes(count: number, salt = ''): Record<string, string> {
  const word = (at: number, place: number) =>
    `${WORDS[place % WORDS.length]}${'abcdefghijklm'[(at * 7 + place) % 13]}${salt}`;
  const text = (at: number) => Array.from({ length: 30 }, (_, place) => word(at, place)).join(' ');
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`n${at}.md`, `# N${at}\n\n${text(at)}\n`]),
  );
}

async function open(vault: TempVault) {
  const folder = join(vault.root, '.vectors');
  prepareIndexFolder(folder);
  const index = await openSqliteIndex({ folder, clock: systemClock });
  const places = { vault: openVault(vault.root), index, clock: systemClock };
  const memory = joinMemory(places);
  onTestFinished(() => memory.close());
  return { memory, index, places };
}

async function calibrated(count = 20) {
  const vault = makeTempVault(notes(count));
  const one = await open(vault);
  await one.memory.reindex({});
  await one.memory.calibrate();
  const made = await one.index.readCalibration('');
  expect(made).toMatchObject({ notes: count, passages: Math.min(60, count) });
  return { vault, made, ...one };
}

function databaseIn(vault: TempVault): string {
  const folder = vault.path('.vectors');
  return join(folder, readdirSync(folder).find((name) => /^memory-\d+\.db$/.test(name))!);
}

describe('a calibration', () => {
  test('is kept when most notes changed and the index is built anew', async () => {
    const { vault, made, memory, index } = await calibrated(520);
    const inode = statSync(databaseIn(vault)).ino;
    vault.write(notes(520, 'x'));
    expect(await memory.reindex({})).toMatchObject({ indexed: 520 });
    expect(statSync(databaseIn(vault)).ino).not.toBe(inode);
    expect(await index.readCalibration('')).toEqual(made);
  });

  test('is kept when the index is built from nothing', async () => {
    const { made, places, index } = await calibrated();
    await rebuildFromNothing(places, {});
    expect(await index.readCalibration('')).toEqual(made);
  });

  test('is kept where somebody else touched the index, which can still be read', async () => {
    const { vault, made, memory } = await calibrated();
    await memory.close();
    const path = databaseIn(vault);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(1)]));
    const again = await open(vault);
    expect(await again.index.state()).toBe('none');
    expect((await again.memory.search({ query: 'riverb' })).notes).toBe(20);
    expect(await again.index.readCalibration('')).toEqual(made);
  });

  test.each<[string, (path: string) => void]>([
    ['no database any more', (path) => writeFileSync(path, 'This is no database.\n'.repeat(500))],
    ['gone', (path) => rmSync(path)],
    [
      'changed where it stood',
      (path) => {
        const database = new Sqlite(path);
        database.exec(`UPDATE meta SET value = replace(value, 'thresholds', 'threshelds')`);
        database.close();
      },
    ],
  ])('is lost with an index that is %s, and nothing else is', async (_, damage) => {
    const { vault, memory } = await calibrated();
    await memory.close();
    damage(databaseIn(vault));
    const again = await open(vault);
    const { indexed } = await again.memory.reindex({});
    expect(indexed).toBe(20);
    // Only the size that growth is told from.
    expect(await again.index.readCalibration('')).toMatchObject({ notes: 20, passages: 0 });
    expect(await again.memory.status()).toMatchObject({ calibrated: '' });
    expect((await again.memory.search({ query: 'riverb' })).hits.length).toBeGreaterThan(0);
  });
});
