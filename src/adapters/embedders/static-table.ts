/**
 * A static model in the memory of its kernel: vocabulary and scales at once, rows one by one as texts need them, or all.
 * Everything here is synchronous, so that texts cannot get into each other's way. Opened by static-embedder.ts.
 */

import type { createHash } from 'node:crypto';
import { MemoryError } from '../../core/errors.js';
import type { QueryVector } from '../../core/ports.js';
import { type EmbeddingKernel, startEmbeddingKernel } from './embedding-kernel.js';
import { foldLetters } from './fold-letters.js';
import { ANOTHER_MODEL, damaged, type ModelFile } from './model-file.js';
import { checkHeader, openStaticFiles, type StaticModel, VECTORS_HEADER_BYTES } from './static-files.js';

/** A UTF-16 code unit makes at most so many bytes of UTF-8. */
const MOST_BYTES_A_UNIT = 3;

export class StaticTable {
  readonly #folder: string;
  readonly #model: StaticModel;
  readonly #kernel: EmbeddingKernel;
  readonly #vocabularyBytes: number;
  readonly #vectors: ModelFile;
  /** Which rows have been read; undefined when all have. */
  #present: Uint8Array | undefined;
  #memory: Buffer;

  private constructor(folder: string, model: StaticModel) {
    this.#folder = folder;
    this.#model = model;
    this.#kernel = startEmbeddingKernel();
    this.#memory = Buffer.from(this.#kernel.memory.buffer);
    this.#present = new Uint8Array(model.words);
    const { vocabulary, vectors, letterBytes } = openStaticFiles(folder, model);
    this.#vectors = vectors;
    this.#vocabularyBytes = vocabulary.bytes;
    try {
      this.#demand(this.#kernel.openModel(model.words, model.dimensions, vocabulary.bytes), 'the model');
      const words = this.#fileAt(this.#kernel.vocabulary.value);
      vocabulary.read(words, 0, vocabulary.bytes);
      checkHeader(vocabulary, words, 'AMV1', [model.words]);
      if (this.#kernel.checkWords(letterBytes) === 0)
        throw damaged(vocabulary.path, 'its offsets make no sense');
      const rows = this.#fileAt(this.#kernel.vectors.value);
      vectors.read(rows, 0, VECTORS_HEADER_BYTES + 4 * model.words);
      checkHeader(vectors, rows, 'AME1', [model.words, model.dimensions]);
    } catch (error) {
      vectors.close();
      throw error;
    } finally {
      vocabulary.close();
    }
  }

  static open(folder: string, model: StaticModel): StaticTable {
    return new StaticTable(folder, model);
  }

  get isWhole(): boolean {
    return this.#present === undefined;
  }

  /** Reads what is missing and compares all with the fingerprint. From then on words are found faster, too. */
  complete(hash: ReturnType<typeof createHash>): void {
    const { words, dimensions, fingerprint } = this.#model;
    const vectors = this.#fileAt(this.#kernel.vectors.value);
    this.#vectors.read(vectors, VECTORS_HEADER_BYTES + 4 * words, words * dimensions);
    const vocabulary = this.#fileAt(this.#kernel.vocabulary.value);
    hash
      .update(vocabulary.subarray(0, this.#vocabularyBytes))
      .update(vectors.subarray(0, this.#vectors.bytes));
    if (hash.digest('hex') !== fingerprint) {
      throw new MemoryError(
        'corrupt',
        `The model in "${this.#folder}" does not have the fingerprint of its model.json`,
        {
          hint: ANOTHER_MODEL,
        },
      );
    }
    this.#kernel.indexWords();
    this.#present = undefined;
    this.#vectors.close();
  }

  embedPassages(texts: readonly string[]): Int8Array {
    const { dimensions } = this.#model;
    const kernel = this.#kernel;
    const out = new Int8Array(texts.length * dimensions);
    texts.forEach((text, at) => {
      kernel.readWords(this.#place(text), 0);
      this.#readRows();
      kernel.addUp();
      kernel.writeBytes();
      out.set(new Int8Array(kernel.memory.buffer, kernel.bytes.value, dimensions), at * dimensions);
    });
    return out;
  }

  embedQuery(text: string): QueryVector {
    const kernel = this.#kernel;
    const bytes = this.#place(text);
    this.#demand(kernel.startCounting(bytes), 'a query');
    kernel.readWords(bytes, 1);
    this.#readRows();
    kernel.addUp();
    kernel.writeDirection();
    const vector = new Float32Array(
      kernel.memory.buffer,
      kernel.direction.value,
      this.#model.dimensions,
    ).slice();
    const seen = kernel.seenCount.value;
    return { vector, knownShare: seen === 0 ? 0 : kernel.knownCount.value / seen };
  }

  close(): void {
    this.#vectors.close();
  }

  /** Puts a text where the kernel looks for it; its length in bytes. */
  #place(text: string): number {
    const written = this.#write(text);
    // As many bytes as code units: ASCII, whose letters the kernel lower-cases itself.
    return written === text.length ? written : this.#write(foldLetters(text));
  }

  #write(text: string): number {
    const room = text.length * MOST_BYTES_A_UNIT;
    this.#demand(this.#kernel.makeRoom(room), 'a text');
    // UTF-8; to name it would make Node load code for choosing an encoding.
    return this.#view().write(text, this.#kernel.text.value, room);
  }

  #readRows(): void {
    const present = this.#present;
    if (present === undefined) return;
    const { words, dimensions } = this.#model;
    const { memory, found, foundCount, vectors } = this.#kernel;
    const file = this.#fileAt(vectors.value);
    for (const row of new Uint32Array(memory.buffer, found.value, foundCount.value)) {
      if (present[row] === 1) continue;
      this.#vectors.read(file, VECTORS_HEADER_BYTES + 4 * words + row * dimensions, dimensions);
      present[row] = 1;
    }
  }

  /** The kernel's memory from an address on. */
  #fileAt(address: number): Uint8Array {
    return this.#view().subarray(address);
  }

  /** A memory that has grown is another buffer. */
  #view(): Buffer {
    if (this.#memory.buffer !== this.#kernel.memory.buffer) {
      this.#memory = Buffer.from(this.#kernel.memory.buffer);
    }
    return this.#memory;
  }

  #demand(answer: number, what: string): void {
    if (answer !== 0) return;
    throw new MemoryError('unavailable', `There is not enough memory to embed ${what}`, {
      hint: 'Close other programs, or search by words alone.',
    });
  }
}
