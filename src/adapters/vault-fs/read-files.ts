/** The bytes of notes, with stamps that belong to them. */

import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NoteFile, SeenFile, SkippedFile } from '../../core/ports.js';
import { reasonOf, stampOf } from './files.js';
import { sha256 } from './sha-256.js';

/** Hashed by our own code in less time than node:crypto takes to load. */
const FEW_BYTES = 128_000;

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
  const files = paths.map((path) => readFile(root, path));
  const size = files.reduce((sum, file) => sum + ('reason' in file ? 0 : file.bytes.length), 0);
  const hash = size > FEW_BYTES ? await cryptoHash() : sha256;
  return files.map((file) => ('reason' in file ? file : { ...file, hash: hash(file.bytes) }));
}

async function cryptoHash(): Promise<(bytes: Uint8Array) => string> {
  const { createHash } = await import('node:crypto');
  return (bytes) => createHash('sha256').update(bytes).digest('hex');
}
