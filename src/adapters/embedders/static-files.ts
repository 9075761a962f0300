/**
 * The files of a static model, and what is wrong with them. All numbers are little-endian.
 *
 *   model.json       id, format (1), dimensions, words, fingerprint: SHA-256 of vocabulary.bin + vectors.bin
 *   vocabulary.bin   "AMV1", uint32 words, uint32 offsets (words + 1, the first 0), the words' bytes, sorted
 *   vectors.bin      "AME1", uint32 words, uint32 dimensions, float32 scales (words), int8 rows (words x dimensions)
 *
 * The row of a word is its place; a component is its byte times the row's scale. Read by static-table.ts.
 */

import { join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type { EmbeddingModel } from '../../core/ports.js';
import { ANOTHER_MODEL, damaged, ModelFile, readJson } from './model-file.js';

export const MODEL_FILE = 'model.json';
const VOCABULARY_FILE = 'vocabulary.bin';
const VECTORS_FILE = 'vectors.bin';

export const VOCABULARY_HEADER_BYTES = 8;
export const VECTORS_HEADER_BYTES = 12;

const FORMAT = 1;
/** What one WebAssembly memory surely holds. */
const MOST_BYTES = 1 << 30;

export type StaticModel = EmbeddingModel & { readonly words: number };

/**
 * About eighty words: the sum over a longer text says a little of everything. On public collections windows of 64 words
 * gain .002 more, and take more room than a passage should.
 */
const WINDOW_CHARS = 480;

/** Reads model.json. */
export function readStaticModel(folder: string): StaticModel {
  const path = join(folder, MODEL_FILE);
  const { id, format, dimensions, words, fingerprint, languages } = readJson(path);
  if (format !== FORMAT) {
    throw new MemoryError(
      'unavailable',
      `"${path}" has the format ${JSON.stringify(format)}, not ${FORMAT}`,
      {
        hint: 'The model was made for another version of agent-memory; install the version it came with, or name another model.',
      },
    );
  }
  if (typeof id !== 'string' || typeof fingerprint !== 'string')
    throw damaged(path, 'it lacks an id or a fingerprint');
  if (!isCount(dimensions) || !isCount(words))
    throw damaged(path, 'its dimensions or words are no whole numbers above 0');
  if (!isListOfTexts(languages)) throw damaged(path, 'its languages are no list of texts');
  return { id, dimensions, words, fingerprint, windowChars: WINDOW_CHARS, languages };
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

/** Opens vocabulary.bin and vectors.bin, whose sizes fit the model. */
export function openStaticFiles(folder: string, { words, dimensions }: StaticModel) {
  const vocabulary = ModelFile.open(join(folder, VOCABULARY_FILE));
  let vectors: ModelFile | undefined;
  try {
    vectors = ModelFile.open(join(folder, VECTORS_FILE));
    const letterBytes = vocabulary.bytes - VOCABULARY_HEADER_BYTES - 4 * (words + 1);
    if (letterBytes < words) throw wrongSize(vocabulary, `${words} words`);
    if (vectors.bytes !== VECTORS_HEADER_BYTES + 4 * words + words * dimensions) {
      throw wrongSize(vectors, `${words} rows of ${dimensions} dimensions`);
    }
    if (vocabulary.bytes + vectors.bytes > MOST_BYTES) {
      throw new MemoryError('unavailable', `The model in "${folder}" is larger than one gigabyte`, {
        hint: ANOTHER_MODEL,
      });
    }
    return { vocabulary, vectors, letterBytes };
  } catch (error) {
    vocabulary.close();
    vectors?.close();
    throw error;
  }
}

/** The head of vocabulary.bin, or of vectors.bin. */
export function checkHeader(
  file: ModelFile,
  start: Uint8Array,
  magic: string,
  numbers: readonly number[],
): void {
  const view = new DataView(start.buffer, start.byteOffset);
  const found = String.fromCharCode(...start.subarray(0, 4));
  if (found !== magic) throw damaged(file.path, `it does not begin with "${magic}"`);
  if (numbers.some((number, at) => view.getUint32(4 + 4 * at, true) !== number)) {
    throw damaged(file.path, `its head and ${MODEL_FILE} give different sizes`);
  }
}

function wrongSize(file: ModelFile, expected: string): MemoryError {
  return damaged(file.path, `${file.bytes} bytes cannot hold ${expected}`);
}
