/**
 * What lies beside the vectors of a model (vector-store.ts), and when all of it goes: keys of passages that the model
 * refused, and files of models that were not used for a week. A file counts as used when it is written, or found in
 * use by `sweepVectorFiles`.
 */

import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddingModel } from '../../core/ports.js';
import { KEY_BYTES } from '../../core/retrieval/evidence.js';
import { isVectorsName } from './index-folder.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const WEEK_MS = 7 * DAY_MS;

/** The name says what the vectors depend on. */
export function vectorsName({ id, fingerprint }: EmbeddingModel): string {
  return `vectors-${id.replace(/[^A-Za-z0-9.-]+/g, '-')}-${fingerprint.slice(0, 8)}.db`;
}

export function readFailed(folder: string, model: EmbeddingModel): Uint8Array {
  try {
    const bytes = readFileSync(join(folder, failedName(vectorsName(model))));
    return new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % KEY_BYTES)));
  } catch {
    return new Uint8Array(0);
  }
}

export function writeFailed(folder: string, model: EmbeddingModel, keys: Uint8Array): void {
  const path = join(folder, failedName(vectorsName(model)));
  if (keys.length === 0) {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(`${path}.new`, keys, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Whether `sweepVectorFiles` would change something. */
export function hasUnusedFiles(folder: string, used: readonly EmbeddingModel[], nowMs: number): boolean {
  return vectorFiles(folder, used, nowMs).some(({ isUsed, ageMs }) => ageMs > (isUsed ? DAY_MS : WEEK_MS));
}

/** Only under the lock, with the seal broken. */
export function sweepVectorFiles(folder: string, used: readonly EmbeddingModel[], nowMs: number): void {
  for (const { name, isUsed, ageMs } of vectorFiles(folder, used, nowMs)) {
    try {
      if (isUsed && ageMs > DAY_MS) utimesSync(join(folder, name), nowMs / 1000, nowMs / 1000);
      if (isUsed || ageMs <= WEEK_MS) continue;
      rmSync(join(folder, name), { force: true });
      rmSync(join(folder, failedName(name)), { force: true });
    } catch {
      // Another process has it open, on systems where that matters; the next sweep finds it.
    }
  }
}

function vectorFiles(
  folder: string,
  used: readonly EmbeddingModel[],
  nowMs: number,
): readonly { readonly name: string; readonly isUsed: boolean; readonly ageMs: number }[] {
  const names = new Set(used.map(vectorsName));
  return readdirSync(folder)
    .filter(isVectorsName)
    .map((name) => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      return { name, isUsed: names.has(name), ageMs: stats ? nowMs - stats.mtimeMs : 0 };
    });
}

function failedName(vectors: string): string {
  return vectors.replace(/\.db$/, '.failed');
}
