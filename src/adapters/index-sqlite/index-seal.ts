/**
 * Tells whether the index files are as this program left them. SQLite notices a broken page, but not a changed byte
 * inside a value, and a lost write-ahead log not at all; so whoever writes leaves a seal: size, times and inode of
 * the files. All changes happen under the lock (index-lock.ts), readers open the files read-only, so a difference
 * means that something else touched them.
 */

import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { INDEX_NAME, isVectorsName } from './index-folder.js';

const SEAL_NAME = `${INDEX_NAME}.seal`;
/** Written in place and always as long, so that a full disk cannot keep it from being written. */
const SEAL_BYTES = 1_024;

/** `sealed`: untouched. `writing`: somebody writes or was killed while writing. `broken`: changed from outside, or never sealed. */
export type SealState = 'sealed' | 'writing' | 'broken';

export function readSeal(folder: string): SealState {
  // Between reading the seal and looking at the files a writer may have begun or ended: then the seal has changed.
  let before = readRaw(folder);
  for (;;) {
    const files = describeFiles(folder);
    const after = readRaw(folder);
    if (after === before) {
      if (before === undefined) return 'broken';
      if (before === 'writing') return 'writing';
      return before === files ? 'sealed' : 'broken';
    }
    before = after;
  }
}

export function breakSeal(folder: string): void {
  writeRaw(folder, 'writing');
}

export function setSeal(folder: string): void {
  writeRaw(folder, describeFiles(folder));
}

function describeFiles(folder: string): string {
  const index = [describeFile(folder, INDEX_NAME, false), describeFile(folder, `${INDEX_NAME}-wal`, true)];
  return [...index, ...vectorFiles(folder).map((name) => describeFile(folder, name, false))].join(' / ');
}

function describeFile(folder: string, name: string, isLog: boolean): string {
  const stats = statSync(join(folder, name), { throwIfNoEntry: false });
  // An empty log says the same as none.
  if (!stats || (isLog && stats.size === 0)) return '-';
  const { ino, size, mtimeMs, ctimeMs } = stats;
  // SQLite gives a log it opens as root the owner of the database, which touches its ctime.
  return (isLog ? [ino, size, mtimeMs] : [ino, size, mtimeMs, ctimeMs]).join(' ');
}

function vectorFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(isVectorsName).sort();
  } catch {
    return [];
  }
}

function readRaw(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, SEAL_NAME), 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}

function writeRaw(folder: string, text: string): void {
  const path = join(folder, SEAL_NAME);
  let file: number;
  try {
    file = openSync(path, 'r+');
  } catch {
    file = openSync(path, 'w', 0o600);
  }
  try {
    writeSync(file, text.padEnd(SEAL_BYTES), 0);
    ftruncateSync(file, SEAL_BYTES);
  } finally {
    closeSync(file);
  }
}
