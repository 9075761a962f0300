/** What walking and reading share: stamps, the root, and errors of the file system in words. */

import { type Dirent, readdirSync, type Stats } from 'node:fs';
import { MemoryError } from '../../core/errors.js';
import type { FileStamp } from '../../core/ports.js';

/** Milliseconds keep their fraction: about a quarter of a microsecond, finer than file systems' clocks tick. */
export function stampOf(path: string, stats: Stats): FileStamp {
  return {
    path,
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    inode: stats.ino,
    birthMs: stats.birthtimeMs,
  };
}

/** Throws `unavailable` when the folder cannot be read. */
export function readRoot(root: string): Dirent[] {
  try {
    return readdirSync(root, { withFileTypes: true });
  } catch (error) {
    throw new MemoryError('unavailable', `Cannot read the vault "${root}": ${reasonOf(error)}`, {
      hint: 'Check that the folder exists, is mounted and may be read, or name another with --vault.',
      cause: error,
    });
  }
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? '';
}

export function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'ENOENT':
      return 'it does not exist';
    case 'ENOTDIR':
      return 'it is not a folder';
    case 'EISDIR':
      return 'it is a folder';
    case 'ELOOP':
      return 'it is a link';
    case 'EIO':
    case 'ESTALE':
    case 'ENXIO':
      return 'the disk does not answer';
    case 'ENAMETOOLONG':
      return 'its name is too long';
    default:
      return codeOf(error) || String(error);
  }
}
