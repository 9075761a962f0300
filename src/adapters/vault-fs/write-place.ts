/** Where a write may go: inside the vault by its real path, into files and folders that may be written. */

import { lstatSync, mkdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import { codeOf, reasonOf } from './files.js';

/** The absolute path. Throws `invalid_input` where a link in it leads out of the vault. */
export function placeInside(root: string, path: string): string {
  const parts = path.split('/');
  if (
    path === '' ||
    path.startsWith('/') ||
    path.includes('\0') ||
    parts.some((part) => part === '..' || part === '')
  ) {
    throw leadsOut(path);
  }
  const place = join(root, path);
  const realRoot = realpathSync(root);
  // What does not exist yet cannot be a link; the folder above it can.
  for (let folder = dirname(place); ; folder = dirname(folder)) {
    let real: string;
    try {
      real = realpathSync(folder);
    } catch (error) {
      const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
      if (isMissing && folder.length > root.length && !isLink(folder)) continue;
      throw leadsOut(path);
    }
    if (real !== realRoot && !real.startsWith(realRoot + sep)) throw leadsOut(path);
    return place;
  }
}

function isLink(place: string): boolean {
  try {
    return lstatSync(place).isSymbolicLink();
  } catch {
    return false;
  }
}

function leadsOut(path: string): MemoryError {
  return new MemoryError('invalid_input', `The path ${JSON.stringify(path)} leads out of the vault`, {
    hint: 'Name a note inside the vault; links to the outside are not followed.',
  });
}

/** Refuses files and folders that are read-only by their mode, which root could write to all the same. */
export function checkWritable(path: string, place: string, stats: Stats | undefined): void {
  if (stats !== undefined && (stats.mode & 0o222) === 0) {
    throw new MemoryError('unavailable', `Cannot write "${path}": the file is read-only`, {
      hint: 'Make it writable first, as with `chmod u+w`.',
    });
  }
  const folder = statSync(dirname(place), { throwIfNoEntry: false });
  if (folder !== undefined && (folder.mode & 0o222) === 0) {
    throw new MemoryError('unavailable', `Cannot write "${path}": its folder is read-only`, {
      hint: 'Make the folder writable first, as with `chmod u+w`.',
    });
  }
}

export function makeFolder(path: string, place: string): void {
  try {
    mkdirSync(dirname(place), { recursive: true, ...(path.startsWith('.') ? { mode: 0o700 } : {}) });
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

export function cannotWrite(path: string, error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  const hint = hintFor(codeOf(error));
  return new MemoryError('unavailable', `Cannot write "${path}": ${writeReason(error)}`, {
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}

/** As `reasonOf`, and what only writing meets. */
export function writeReason(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
      return 'the disk is full';
    case 'EDQUOT':
      return 'the quota is used up';
    case 'EROFS':
      return 'the disk is mounted read-only';
    case 'EEXIST':
    case 'ENOTDIR':
      return 'a file stands where a folder should be';
    default:
      return reasonOf(error);
  }
}

function hintFor(code: string): string | undefined {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'Free some space; the note is as it was.';
  if (code === 'EACCES' || code === 'EPERM') return 'Check who owns the file and its folder.';
  return code === 'ENAMETOOLONG' ? 'Choose a shorter name.' : undefined;
}
