/** Small static models for tests: written to a temporary folder, the same for the same seed. */

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { seededRandom } from '../random.js';

export type StaticTables = {
  readonly words: readonly string[];
  readonly dimensions: number;
  readonly scales: Float32Array;
  readonly rows: Int8Array;
};

/** Some are others with an ending, some are only reached by losing one. */
export const WORDS = [
  ...[
    'a',
    'as',
    'assess',
    'bake',
    'baker',
    'box',
    'cafe',
    'card',
    'car',
    'class',
    'compile',
    'compiler',
    'd',
    'deliver',
  ],
  ...[
    'elan',
    'error',
    'except',
    'house',
    'i',
    'key',
    'map',
    'naive',
    'note',
    'quick',
    'read',
    'ring',
    'run',
    'runn',
  ],
  ...[
    's',
    'sing',
    'template',
    'the',
    'thing',
    'throw',
    'to',
    'uber',
    'value',
    'vector',
    'write',
    '2026',
    '3d',
    'x86',
  ],
].sort();

/** A folder that is gone after the test. */
export function temporaryModelFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function makeTables(dimensions: number, words: readonly string[] = WORDS, seed = 8): StaticTables {
  const random = seededRandom(seed);
  return {
    words,
    dimensions,
    scales: Float32Array.from(words, () => (1 + random.below(1000)) / 90_000),
    rows: Int8Array.from({ length: words.length * dimensions }, () => random.below(255) - 127),
  };
}

export function writeStaticModel(tables: StaticTables, folder = temporaryModelFolder()): string {
  const { words, dimensions, scales, rows } = tables;
  const letters = words.map((word) => Buffer.from(word));
  const offsets = new Uint32Array(words.length + 1);
  letters.forEach((word, at) => {
    offsets[at + 1] = offsets[at]! + word.length;
  });
  const vocabulary = Buffer.concat([
    Buffer.from('AMV1'),
    bytesOf(Uint32Array.of(words.length)),
    bytesOf(offsets),
    ...letters,
  ]);
  const head = bytesOf(Uint32Array.of(words.length, dimensions));
  const vectors = Buffer.concat([Buffer.from('AME1'), head, bytesOf(scales), bytesOf(rows)]);
  const fingerprint = createHash('sha256').update(vocabulary).update(vectors).digest('hex');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'vocabulary.bin'), vocabulary);
  writeFileSync(join(folder, 'vectors.bin'), vectors);
  const card = {
    id: `tiny-${dimensions}`,
    format: 1,
    dimensions,
    words: words.length,
    languages: ['en'],
    fingerprint,
  };
  writeFileSync(join(folder, 'model.json'), JSON.stringify(card));
  return folder;
}

function bytesOf(array: Uint32Array | Float32Array | Int8Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}
