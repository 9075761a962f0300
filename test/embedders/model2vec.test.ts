/** Folders of model2vec: the mean of the tokens' rows, whatever kind of numbers they are stored as. */

import { cpSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openModel2vec } from '../../src/adapters/embedders/model2vec.js';
import type { Embedder } from '../../src/core/ports.js';
import {
  floatTensor,
  PIECES,
  someNumbers,
  type TensorContent,
  tokenizerOf,
  writeModel2vec,
} from './model2vec-folder.js';
import { temporaryModelFolder } from './static-model.js';

const DIMENSIONS = 6;
const NUMBERS = someNumbers(PIECES.length * DIMENSIONS);
const embeddings = floatTensor([PIECES.length, DIMENSIONS], NUMBERS);

/** The direction of the mean of some tokens' rows, each with its weight. */
function meanOf(tokens: readonly string[], numbers = NUMBERS, weightOf = (_token: number) => 1): number[] {
  const mean = new Array<number>(DIMENSIONS).fill(0);
  for (const token of tokens) {
    const at = PIECES.indexOf(token);
    for (let d = 0; d < DIMENSIONS; d++) mean[d] = mean[d]! + weightOf(at) * numbers[at * DIMENSIONS + d]!;
  }
  const length = Math.hypot(...mean);
  return mean.map((value) => value / length);
}

async function expectDirection(
  embedder: Embedder,
  text: string,
  direction: readonly number[],
): Promise<void> {
  const { vector } = await embedder.embedQuery(text);
  direction.forEach((value, d) => {
    expect(vector[d]).toBeCloseTo(value, 6);
  });
  const largest = Math.max(...direction.map(Math.abs));
  const passage = await embedder.embedPassages([text]);
  direction.forEach((value, d) => {
    expect(Math.abs(passage[d]! - (value / largest) * 127)).toBeLessThan(0.501);
  });
}

function tensorOf(
  dtype: string,
  bytesOfNumber: number,
  write: (bytes: Buffer, value: number, at: number) => void,
) {
  const bytes = Buffer.alloc(NUMBERS.length * bytesOfNumber);
  NUMBERS.forEach((value, at) => {
    write(bytes, value, at * bytesOfNumber);
  });
  return { dtype, shape: [PIECES.length, DIMENSIONS], bytes } satisfies TensorContent;
}

/** Of a sixteenth up to 4: its exponent and up to six bits of fraction. */
function halfOf(value: number): number {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = (Math.abs(value) / 2 ** exponent - 1) * 1024;
  return (value < 0 ? 0x8000 : 0) | ((exponent + 15) << 10) | fraction;
}

describe('openModel2vec()', () => {
  const TEXT = 'The tokenizers, unknown café';
  const TOKENS = ['the', 'token', '##ize', '##r', '##s', ',', 'un', '##known', 'cafe'];

  test.each<[string, TensorContent]>([
    ['F32', embeddings],
    ['F64', tensorOf('F64', 8, (bytes, value, at) => bytes.writeDoubleLE(value, at))],
    ['F16', tensorOf('F16', 2, (bytes, value, at) => bytes.writeUInt16LE(halfOf(value), at))],
    ['I8', tensorOf('I8', 1, (bytes, value, at) => bytes.writeInt8(value * 16, at))],
  ])('rows stored as %s', async (_, tensor) => {
    const embedder = await openModel2vec(writeModel2vec({ embeddings: tensor }));
    expect(embedder.model.dimensions).toBe(DIMENSIONS);
    await expectDirection(embedder, TEXT, meanOf(TOKENS));
    await embedder.release();
  });

  test('rows by mapping, with weights by token', async () => {
    const few = someNumbers(4 * DIMENSIONS, 11);
    const mapping = PIECES.map((_, token) => (token * 7) % 4);
    const weights = PIECES.map((_, token) => 0.25 + token / 8);
    const bytes = Buffer.from(BigInt64Array.from(mapping, BigInt).buffer);
    const embedder = await openModel2vec(
      writeModel2vec({
        embeddings: floatTensor([4, DIMENSIONS], few),
        mapping: { dtype: 'I64', shape: [PIECES.length], bytes },
        weights: floatTensor([PIECES.length], weights),
      }),
    );
    const spread = mapping.flatMap((row) => few.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS));
    await expectDirection(
      embedder,
      TEXT,
      meanOf(TOKENS, spread, (token) => weights[token]!),
    );
  });

  test('the layout of sentence-transformers', async () => {
    const folder = temporaryModelFolder();
    writeModel2vec({ 'embedding.weight': embeddings }, tokenizerOf(), join(folder, '0_StaticEmbedding'));
    const embedder = await openModel2vec(folder);
    expect(embedder.model.id).toBe(basename(folder));
    await expectDirection(embedder, TEXT, meanOf(TOKENS));
  });

  test('a token counts as often as it occurs', async () => {
    const embedder = await openModel2vec(writeModel2vec({ embeddings }));
    await expectDirection(embedder, 'the the the cafe', meanOf(['the', 'the', 'the', 'cafe']));
  });

  test('at most 512 tokens count', async () => {
    const embedder = await openModel2vec(writeModel2vec({ embeddings }));
    await expectDirection(embedder, `${'x '.repeat(512)}${'the '.repeat(80)}`, meanOf(['x']));
  });

  test('of a text, 512 times the median length of a token counts', async () => {
    const embedder = await openModel2vec(writeModel2vec({ embeddings }));
    // The two in the middle have 3 letters each.
    const median = 3;
    const cut = `cafe ${'𝒳'.repeat(512 * median - 9)} the cafe`;
    await expectDirection(embedder, cut, meanOf(['cafe', 'the']));
  });

  test('what is unknown gives zeros', async () => {
    const embedder = await openModel2vec(writeModel2vec({ embeddings }));
    expect(await embedder.embedQuery('quux [UNK]')).toEqual({
      vector: new Float32Array(DIMENSIONS),
      knownShare: 0,
    });
    expect(await embedder.embedPassages(['quux', ''])).toEqual(new Int8Array(2 * DIMENSIONS));
    expect((await embedder.embedQuery('quux the the cafe')).knownShare).toBeCloseTo(2 / 3, 10);
  });

  test('a batch is its texts one by one, before and after all rows are read, and after a release', async () => {
    const folder = writeModel2vec({ embeddings });
    const embedder = await openModel2vec(folder);
    const texts = [TEXT, '', 'x12 naive', 'the token '.repeat(7000), '中国!'];
    const batch = await embedder.embedPassages(texts);
    const single = await openModel2vec(folder);
    for (const [at, text] of texts.entries()) {
      const expected = batch.subarray(at * DIMENSIONS, (at + 1) * DIMENSIONS);
      expect(await single.embedPassages([text])).toEqual(expected);
      await embedder.release();
      expect(await embedder.embedPassages([text])).toEqual(expected);
    }
    const both = await Promise.all([single.embedPassages(texts), single.embedPassages(texts)]);
    expect(both).toEqual([batch, batch]);
  });

  test('one fingerprint for a copy, another for other vectors or another tokenizer', async () => {
    const folder = writeModel2vec({ embeddings });
    const copy = temporaryModelFolder();
    cpSync(folder, copy, { recursive: true });
    const fingerprintOf = async (place: string) => (await openModel2vec(place)).model.fingerprint;
    const fingerprint = await fingerprintOf(folder);
    expect(await fingerprintOf(copy)).toBe(fingerprint);
    const others = NUMBERS.with(7, 3.5);
    expect(
      await fingerprintOf(writeModel2vec({ embeddings: floatTensor(embeddings.shape, others) })),
    ).not.toBe(fingerprint);
    const tokenizer = tokenizerOf({ pre_tokenizer: { type: 'WhitespaceSplit' } });
    expect(await fingerprintOf(writeModel2vec({ embeddings }, tokenizer))).not.toBe(fingerprint);
  });
});

describe('a folder of model2vec that cannot be used is refused with its path:', () => {
  const header = (text: string) => (folder: string) => {
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(text.length));
    writeFileSync(join(folder, 'model.safetensors'), Buffer.concat([length, Buffer.from(text)]));
  };
  const tensor = (entry: object) => header(JSON.stringify({ embeddings: entry }));

  test.each<[string, (folder: string) => void, string, string]>([
    ['no tokenizer', (folder) => rmSync(join(folder, 'tokenizer.json')), 'unavailable', 'tokenizer.json'],
    ['no tensors', (folder) => rmSync(join(folder, 'model.safetensors')), 'unavailable', 'model.safetensors'],
    [
      'a tokenizer of no JSON',
      (folder) => writeFileSync(join(folder, 'tokenizer.json'), '['),
      'corrupt',
      'tokenizer.json',
    ],
    [
      'cut tensors',
      (folder) => truncateSync(join(folder, 'model.safetensors'), 400),
      'corrupt',
      'model.safetensors',
    ],
    [
      'empty tensors',
      (folder) => truncateSync(join(folder, 'model.safetensors'), 0),
      'corrupt',
      'model.safetensors',
    ],
    ['a header of no JSON', header('{"embeddings"'), 'corrupt', 'model.safetensors'],
    ['no embeddings', header('{}'), 'corrupt', 'model.safetensors'],
    ['an entry without a place', tensor({ dtype: 'F32', shape: [1, 1] }), 'corrupt', 'model.safetensors'],
    [
      'a place beyond the file',
      tensor({ dtype: 'F32', shape: [1, 1], data_offsets: [0, 4] }),
      'corrupt',
      'model.safetensors',
    ],
    [
      'a shape of another size',
      tensor({ dtype: 'F32', shape: [9, 9], data_offsets: [0, 0] }),
      'corrupt',
      'model.safetensors',
    ],
    [
      'one dimension',
      tensor({ dtype: 'F32', shape: [0], data_offsets: [0, 0] }),
      'corrupt',
      'model.safetensors',
    ],
  ])('%s', async (_, damage, code, name) => {
    const folder = writeModel2vec({ embeddings });
    damage(folder);
    const use = async () => (await openModel2vec(folder)).embedQuery('the');
    await expect(use()).rejects.toMatchObject({
      name: 'MemoryError',
      code,
      message: expect.stringContaining(join(folder, name)),
      hint: expect.stringContaining('model'),
    });
  });

  test('numbers of an unknown kind, by name', async () => {
    const bytes = Buffer.alloc(PIECES.length * DIMENSIONS * 2);
    const folder = writeModel2vec({
      embeddings: { dtype: 'BF16', shape: [PIECES.length, DIMENSIONS], bytes },
    });
    const embedder = await openModel2vec(folder);
    await expect(embedder.embedQuery('the')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('BF16'),
    });
  });

  test('a tokenizer with more tokens than rows', async () => {
    const embedder = await openModel2vec(
      writeModel2vec({ embeddings: floatTensor([4, DIMENSIONS], someNumbers(24)) }),
    );
    expect((await embedder.embedQuery('the')).knownShare).toBe(1);
    await expect(embedder.embedQuery('café')).rejects.toMatchObject({ code: 'corrupt' });
  });
});
