/**
 * A file replaced as a whole: written beside the old one under a hidden name, brought to the disk, renamed over it.
 *
 *   note.md ── read ──────────────── still the same? ── rename ── folder to the disk
 *   .memory-….tmp ── write, fsync ──────────────────────┘
 */

import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { NoteFile } from '../../core/ports.js';
import { codeOf, stampOf } from './files.js';
import { sha256 } from './sha-256.js';

/** From so many files on, one flush of the file system takes less time than one for each file. */
export const MANY_FILES = 24;

/** Undefined where there is no file. Links are not followed. */
export function readWhole(path: string, place: string): NoteFile | undefined {
  let file: number;
  try {
    file = openSync(place, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw Object.assign(new Error('not a regular file'), { code: 'EISDIR' });
    const bytes = readFileSync(file);
    return { path, bytes, stamp: stampOf(path, stats), hash: sha256(bytes) };
  } finally {
    closeSync(file);
  }
}

/** One name for each file, so that what a crash left is used by the next write, and found by nobody as a note. */
export function temporaryName(place: string): string {
  const mark = sha256(Buffer.from(basename(place))).slice(0, 16);
  return join(dirname(place), `.memory-${mark}.tmp`);
}

/** Writes the file beside the one it is to replace, with that one's mode and owner. */
export async function writeBeside(
  place: string,
  bytes: Uint8Array,
  old: Stats | undefined,
  isFlushed: boolean,
  mode: number,
): Promise<string> {
  const temporary = temporaryName(place);
  rmSync(temporary, { force: true });
  const file = await open(temporary, 'wx', old?.mode ?? mode);
  try {
    await file.writeFile(bytes);
    if (old !== undefined) keepOwner(file.fd, old);
    if (isFlushed) await file.sync();
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return temporary;
}

function keepOwner(file: number, old: Stats): void {
  const now = fstatSync(file);
  try {
    if (now.uid !== old.uid || now.gid !== old.gid) fchownSync(file, old.uid, old.gid);
  } catch {
    // Only root may give files away.
  }
  if ((now.mode & 0o7777) !== (old.mode & 0o7777)) fchmodSync(file, old.mode & 0o7777);
}

export function isUntouched(place: string, { stamp }: NoteFile): boolean {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  return (
    stats !== undefined &&
    stats.ino === stamp.inode &&
    stats.size === stamp.size &&
    stats.mtimeMs === stamp.mtimeMs &&
    stats.ctimeMs === stamp.ctimeMs
  );
}

/** File systems that cannot flush folders refuse it, and need it as little. */
export function flushFolder(folder: string): void {
  let file: number | undefined;
  try {
    file = openSync(folder, 'r');
    fsyncSync(file);
  } catch {
    // See above.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Brings many written files to the disk. */
export async function flushFiles(root: string, files: readonly string[]): Promise<void> {
  const { execFile } = await import('node:child_process');
  const isDone = await new Promise<boolean>((resolve) => {
    // One call flushes the file system; file by file it is some milliseconds each.
    execFile('sync', ['-f', root], (error) => resolve(error === null));
  });
  if (isDone) return;
  for (const place of files) {
    const file = openSync(place, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}
