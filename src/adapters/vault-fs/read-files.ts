/** The bytes of notes, with stamps that belong to them. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NoteFile, SeenFile, SkippedFile } from '../../core/ports.js';
import { reasonOf, stampOf } from './files.js';

/** The stamp is taken from the open file, so that bytes and stamp belong together. */
export function readFile(root: string, path: string): SeenFile | SkippedFile {
  let file: number | undefined;
  try {
    file = openSync(join(root, path), constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(file);
    if (!stats.isFile()) return { path, reason: 'not a regular file' };
    return { path, bytes: readFileSync(file), stamp: stampOf(path, stats) };
  } catch (error) {
    return { path, reason: `cannot be read: ${reasonOf(error)}` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

export async function readHashed(
  root: string,
  paths: readonly string[],
): Promise<readonly (NoteFile | SkippedFile)[]> {
  // Few commands need it, and each would pay for loading it.
  const { createHash } = await import('node:crypto');
  return paths.map((path) => {
    const file = readFile(root, path);
    if ('reason' in file) return file;
    return { ...file, hash: createHash('sha256').update(file.bytes).digest('hex') };
  });
}
