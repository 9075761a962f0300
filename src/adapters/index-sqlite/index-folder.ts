/** The folder of the index: where it may be, what it looks like, who may write in it. */

import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { LockHolder } from '../../core/ports.js';
import { SCHEMA } from './schema.js';

const CACHE_TAG = `Signature: 8a477f597d28d172789f06886806bc55
# This folder holds an index that memory can make anew from the notes at any time.
`;

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

export const INDEX_NAME = `memory-${SCHEMA}.db`;
export const LOCK_NAME = 'index.lock';
export const EMBEDDING_LOCK_NAME = 'embedding.lock';
const HOLDER_NAME = 'index.lock.json';

/** Makes the folder if need be. False when it cannot be made or written. */
export function prepareIndexFolder(folder: string): boolean {
  try {
    // Asked first, since an error that is caught costs more than the question.
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
    writeOnce(join(folder, '.gitignore'), '*\n');
    writeOnce(join(folder, 'CACHEDIR.TAG'), CACHE_TAG);
    return true;
  } catch {
    return false;
  }
}

function writeOnce(path: string, text: string): void {
  if (existsSync(path)) return;
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** A name for a new index beside the present one. */
export function newIndexName(): string {
  return `${INDEX_NAME}.new-${process.pid.toString(36)}${process.hrtime.bigint().toString(36)}`;
}

/** Whether these are vectors of a model, see vector-store.ts. */
export function isVectorsName(name: string): boolean {
  return name.startsWith('vectors-') && name.endsWith('.db');
}

const UNFINISHED = /^(memory-\d+\.db\.new-|vectors-.*\.(db|failed)\.new$)/;
const GENERATION = /^memory-\d+\.db(-wal|-shm|\.seal)?$/;

/** What interrupted rebuilds left, and other generations. */
export function orphansIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => UNFINISHED.test(name) || (GENERATION.test(name) && !name.startsWith(INDEX_NAME)))
    .sort();
}

/** Removes orphans; of other generations those that nobody used for a week. Only under the lock. */
export function sweepIndexFolder(folder: string, nowMs: number): void {
  for (const name of orphansIn(folder)) {
    try {
      const path = join(folder, name);
      if (UNFINISHED.test(name) || nowMs - statSync(path).mtimeMs > WEEK_MS) rmSync(path, { force: true });
    } catch {
      // Another process was faster, or the file is not ours to remove.
    }
  }
}

export function removeIndexFiles(path: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true });
}

export function makePrivate(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch {
    // File systems without modes refuse; the folder's own mode protects then.
  }
}

export function writeHolder(folder: string, sinceMs: number): void {
  const holder: LockHolder = { pid: process.pid, host: hostname(), sinceMs };
  try {
    writeFileSync(join(folder, HOLDER_NAME), JSON.stringify(holder), { mode: 0o600 });
  } catch {
    // The folder is gone or the disk is full: the lock itself is what counts.
  }
}

export function removeHolder(folder: string): void {
  try {
    // rmSync loads half a millisecond of code.
    unlinkSync(join(folder, HOLDER_NAME));
  } catch {
    // Gone with the folder, or another's: the lock itself is what counts.
  }
}

export function readHolder(folder: string): LockHolder | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, HOLDER_NAME), 'utf8')) as LockHolder;
  } catch {
    return undefined;
  }
}
