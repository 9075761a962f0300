/**
 * The embedder for folders in the format of model2vec, or of static models of sentence-transformers: tokenizer.json
 * (word-pieces.ts) and model.safetensors (safetensors.ts). The vector of a text is the mean of its tokens' rows.
 */

import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Embedder, EmbeddingModel, QueryVector } from '../../core/ports.js';
import { damaged, ModelFile, readJson } from './model-file.js';
import { openTensors, readNumbers, type Tensor, type TensorFile } from './safetensors.js';
import { makeTokenizer, type Tokenizer, type Tokens } from './word-pieces.js';

const TOKENIZER_FILE = 'tokenizer.json';
const TENSOR_FILE = 'model.safetensors';
/** Where sentence-transformers may keep both. */
const INNER_FOLDER = '0_StaticEmbedding';

const MOST_TOKENS = 512;
/** Reading single rows costs as much as reading all of them after about so many characters. */
const WHOLE_FROM_CHARACTERS = 60_000;

/** Of what is hashed for the fingerprint: blocks spread over the whole file. */
const SAMPLES = 64;
const SAMPLE_BYTES = 4096;
/** Changes when the arithmetic here does. */
const ARITHMETIC = 'model2vec-1';

/** Where the two files are; undefined where they are not. */
export function findModel2vec(folder: string): string | undefined {
  return [folder, join(folder, INNER_FOLDER)].find(
    (place) => existsSync(join(place, TOKENIZER_FILE)) && existsSync(join(place, TENSOR_FILE)),
  );
}

/** Throws `unavailable` or `corrupt` where there is no such model, or none that can be used. */
export async function openModel2vec(folder: string): Promise<Embedder> {
  const place = findModel2vec(folder) ?? folder;
  const tensors = openTensors(join(place, TENSOR_FILE));
  try {
    const { shape } = embeddingsOf(tensors);
    return new Model2vecEmbedder(place, {
      id: basename(resolve(folder)),
      dimensions: shape[1]!,
      fingerprint: await fingerprintOf(place, tensors),
    });
  } finally {
    tensors.file.close();
  }
}

/** Hashing hundreds of megabytes would take longer than a search: a model that differs, differs in the samples. */
async function fingerprintOf(place: string, { file, header }: TensorFile): Promise<string> {
  const { createHash } = await import('node:crypto');
  const hash = createHash('sha256').update(`${ARITHMETIC}\n${file.bytes}\n${header}\n`);
  const size = Math.min(SAMPLE_BYTES, file.bytes);
  const sample = new Uint8Array(size);
  for (let i = 0; i < SAMPLES; i++) {
    const from = Math.floor(((file.bytes - size) * i) / (SAMPLES - 1));
    file.read(sample, from, size, from);
    hash.update(sample);
  }
  const tokenizer = ModelFile.open(join(place, TOKENIZER_FILE));
  try {
    const text = new Uint8Array(tokenizer.bytes);
    tokenizer.read(text, 0, text.length);
    return hash.update(text).digest('hex');
  } finally {
    tokenizer.close();
  }
}

function embeddingsOf({ file, tensors }: TensorFile): Tensor {
  const tensor = tensors.get('embeddings') ?? tensors.get('embedding.weight');
  const [rows = 0, dimensions = 0] = tensor?.shape ?? [];
  if (tensor === undefined || tensor.shape.length !== 2 || rows === 0 || dimensions === 0) {
    throw damaged(file.path, 'it has no table of "embeddings"');
  }
  return tensor;
}

class Model2vecEmbedder implements Embedder {
  readonly model: EmbeddingModel;
  readonly #folder: string;
  #loaded: LoadedModel | undefined;

  constructor(folder: string, model: EmbeddingModel) {
    this.#folder = folder;
    this.model = model;
  }

  async embedPassages(texts: readonly string[]): Promise<Int8Array> {
    return this.#use((loaded) => {
      if (texts.reduce((sum, text) => sum + text.length, 0) >= WHOLE_FROM_CHARACTERS) loaded.readAll();
      const { dimensions } = this.model;
      const out = new Int8Array(texts.length * dimensions);
      texts.forEach((text, at) => {
        const sum = loaded.addUp(loaded.tokenise(text).numbers);
        const largest = sum.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        if (!(largest > 0)) return;
        const scale = 127 / largest;
        sum.forEach((value, d) => {
          out[at * dimensions + d] = Math.round(value * scale);
        });
      });
      return out;
    });
  }

  async embedQuery(text: string): Promise<QueryVector> {
    return this.#use((loaded) => {
      const { numbers, words, unknown } = loaded.tokenise(text);
      const sum = loaded.addUp(numbers);
      const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
      return {
        vector:
          length > 0 && Number.isFinite(length)
            ? Float32Array.from(sum, (value) => value / length)
            : new Float32Array(sum.length),
        knownShare: words.size === 0 ? 0 : 1 - unknown.size / words.size,
      };
    });
  }

  async release(): Promise<void> {
    this.#loaded?.close();
    this.#loaded = undefined;
  }

  /** After a failure nothing is kept; the next call begins anew. */
  #use<T>(work: (loaded: LoadedModel) => T): T {
    try {
      this.#loaded ??= new LoadedModel(this.#folder);
      return work(this.#loaded);
    } catch (error) {
      this.#loaded?.close();
      this.#loaded = undefined;
      throw error;
    }
  }
}

/** Tokenizer and tables in memory; rows as far as they were needed. */
class LoadedModel {
  readonly #tokenizer: Tokenizer;
  readonly #tensors: TensorFile;
  readonly #embeddings: Tensor;
  readonly #dimensions: number;
  readonly #rows: Float32Array;
  #present: Uint8Array | undefined;
  /** By token, where the model has them. */
  readonly #rowOfToken: Float64Array | undefined;
  readonly #weightOfToken: Float64Array | undefined;
  #mostCharacters: number | undefined;

  constructor(folder: string) {
    const path = join(folder, TOKENIZER_FILE);
    this.#tokenizer = makeTokenizer(path, readJson(path));
    this.#tensors = openTensors(join(folder, TENSOR_FILE));
    try {
      this.#embeddings = embeddingsOf(this.#tensors);
      const [count, dimensions] = this.#embeddings.shape as [number, number];
      this.#dimensions = dimensions;
      this.#rows = new Float32Array(count * dimensions);
      this.#present = new Uint8Array(count);
      this.#rowOfToken = this.#readByToken('mapping');
      this.#weightOfToken = this.#readByToken('weights');
    } catch (error) {
      this.#tensors.file.close();
      throw error;
    }
  }

  #readByToken(name: string): Float64Array | undefined {
    const tensor = this.#tensors.tensors.get(name);
    if (tensor === undefined) return undefined;
    const numbers = new Float64Array(tensor.shape.reduce((product, size) => product * size, 1));
    readNumbers(this.#tensors.file, tensor, 0, numbers);
    return numbers;
  }

  /** At most 512 tokens. Texts are cut before that, at 512 times the median length of tokens. */
  tokenise(text: string): Tokens {
    const tokens = this.#tokenizer.tokenise(this.#cut(text));
    return tokens.numbers.length <= MOST_TOKENS
      ? tokens
      : { ...tokens, numbers: tokens.numbers.slice(0, MOST_TOKENS) };
  }

  #cut(text: string): string {
    if (text.length <= MOST_TOKENS) return text;
    this.#mostCharacters ??= MOST_TOKENS * medianLength(Object.keys(this.#tokenizer.vocabulary));
    if (text.length <= this.#mostCharacters) return text;
    // Characters beyond the first 65,536 of Unicode are two units each.
    return [...text.slice(0, this.#mostCharacters * 2)].slice(0, this.#mostCharacters).join('');
  }

  readAll(): void {
    if (this.#present === undefined) return;
    readNumbers(this.#tensors.file, this.#embeddings, 0, this.#rows);
    this.#present = undefined;
  }

  /** The sum of the tokens' rows, which has the direction of their mean. */
  addUp(tokens: readonly number[]): Float64Array {
    const sum = new Float64Array(this.#dimensions);
    for (const token of tokens) {
      const row = this.#rowOfToken === undefined ? token : (this.#rowOfToken[token] ?? -1);
      const weight = this.#weightOfToken === undefined ? 1 : (this.#weightOfToken[token] ?? 0);
      const start = this.#placeOf(row);
      for (let d = 0; d < sum.length; d++) sum[d] = sum[d]! + weight * this.#rows[start + d]!;
    }
    return sum;
  }

  #placeOf(row: number): number {
    const start = row * this.#dimensions;
    if (!(row >= 0 && start < this.#rows.length)) {
      throw damaged(this.#tensors.file.path, `it has no row ${row}, which the tokenizer needs`);
    }
    if (this.#present !== undefined && this.#present[row] === 0) {
      readNumbers(
        this.#tensors.file,
        this.#embeddings,
        start,
        this.#rows.subarray(start, start + this.#dimensions),
      );
      this.#present[row] = 1;
    }
    return start;
  }

  close(): void {
    this.#tensors.file.close();
  }
}

function medianLength(tokens: readonly string[]): number {
  const lengths = Uint32Array.from(tokens, (token) => [...token].length).sort();
  const middle = lengths.length >> 1;
  const median = lengths.length % 2 === 1 ? lengths[middle]! : (lengths[middle - 1]! + lengths[middle]!) / 2;
  return Math.floor(median);
}
