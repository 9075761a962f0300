/** Everything that can happen to the files of an index, one function each. */

import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Random } from '../random.js';

export type Damage = (folder: string, random: Random) => void;

const databaseIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^memory-\d+\.db$/.test(name))
    .map((name) => join(folder, name))[0];

/** Does nothing where there is no database to damage. */
const toDatabase =
  (work: (path: string, random: Random) => void): Damage =>
  (folder, random) => {
    const path = databaseIn(folder);
    if (path !== undefined) work(path, random);
  };

function overwrite(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, offset);
  closeSync(file);
}

const noise = (length: number, random: Random) => Uint8Array.from({ length }, () => random.below(256));

export const DAMAGES: Readonly<Record<string, Damage>> = {
  'folder gone': (folder) => rmSync(folder, { recursive: true, force: true }),
  'database gone': toDatabase((path) => rmSync(path)),
  'database empty': toDatabase((path) => truncateSync(path, 0)),
  'database truncated': toDatabase((path, random) => truncateSync(path, random.below(statSync(path).size))),
  'bytes garbled': toDatabase((path, random) => {
    const { size } = statSync(path);
    for (let spot = 0; spot < 5; spot += 1)
      if (size > 0) overwrite(path, random.below(size), noise(1 + random.below(40), random));
  }),
  'one bit flipped': toDatabase((path, random) => {
    const bytes = readFileSync(path);
    if (bytes.length === 0) return;
    const at = random.below(bytes.length);
    overwrite(path, at, Uint8Array.of(bytes[at]! ^ (1 << random.below(8))));
  }),
  'another program’s file': toDatabase((path) => writeFileSync(path, 'This is no database.\n'.repeat(500))),
  'another program’s database': toDatabase((path) => {
    rmSync(path);
    const other = new Sqlite(path);
    other.exec('CREATE TABLE notes (number INTEGER); INSERT INTO notes VALUES (1)');
    other.close();
  }),
  'a newer schema': toDatabase((path) => {
    try {
      const database = new Sqlite(path);
      database.pragma('user_version = 999');
      database.close();
    } catch {
      // It was damaged before.
    }
  }),
  'tables missing': toDatabase((path) => {
    try {
      const database = new Sqlite(path);
      database.exec('DROP TABLE passages');
      database.close();
    } catch {
      // It was damaged before.
    }
  }),
  'log gone': toDatabase((path) => rmSync(`${path}-wal`, { force: true })),
  'log garbled': toDatabase((path, random) => writeFileSync(`${path}-wal`, noise(5_000, random))),
  'log from elsewhere': toDatabase((path, random) => {
    const elsewhere = `${path}.elsewhere`;
    const other = new Sqlite(elsewhere);
    other.pragma('journal_mode = WAL');
    other.exec(`CREATE TABLE t (x); INSERT INTO t VALUES (${random.below(1000)})`);
    copyFileSync(`${elsewhere}-wal`, `${path}-wal`);
    other.close();
    for (const ending of ['', '-wal', '-shm']) rmSync(elsewhere + ending, { force: true });
  }),
  'shared memory gone': toDatabase((path) => rmSync(`${path}-shm`, { force: true })),
  'shared memory garbled': toDatabase((path, random) => writeFileSync(`${path}-shm`, noise(32_768, random))),
  'read-only file': toDatabase((path) => chmodSync(path, 0o400)),
  'seal gone': toDatabase((path) => rmSync(`${path}.seal`, { force: true })),
  'seal garbled': toDatabase((path, random) => writeFileSync(`${path}.seal`, noise(600, random))),
  'an unfinished rebuild left behind': toDatabase((path, random) =>
    writeFileSync(`${path}.new-0badcafe0000`, noise(10_000, random)),
  ),
  'an older generation beside it': (folder) => {
    if (existsSync(folder)) writeFileSync(join(folder, 'memory-0.db'), 'old');
  },
};
