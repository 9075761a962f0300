/** Small folders in the format of model2vec, for tests: a tokenizer of a few dozen pieces and a table of vectors. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../random.js';
import { temporaryModelFolder } from './static-model.js';

/** Token numbers are places in this list. */
export const PIECES = [
  ...[
    '[PAD]',
    '[UNK]',
    '[CLS]',
    'the',
    'token',
    '##ize',
    '##r',
    '##s',
    'un',
    '##known',
    'cafe',
    '!',
    ',',
    '-',
    '$',
  ],
  ...['naive', 'x', '##x', '1', '##2', '中', '国', 'σ', '##σ', 'straße', 'i'],
];

export type TensorContent = {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Buffer;
};

export function tokenizerOf(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    version: '1.0',
    added_tokens: ['[PAD]', '[UNK]', '[CLS]'].map((content, id) => ({ id, content, special: true })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 20,
      vocab: Object.fromEntries(PIECES.map((piece, at) => [piece, at])),
    },
    ...changes,
  };
}

export function floatTensor(shape: readonly number[], numbers: readonly number[]): TensorContent {
  return { dtype: 'F32', shape, bytes: Buffer.from(Float32Array.from(numbers).buffer) };
}

/** Sixteenths between -4 and 4, which every kind of number holds exactly. */
export function someNumbers(count: number, seed = 5): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => (random.below(129) - 64) / 16);
}

export function writeModel2vec(
  tensors: Readonly<Record<string, TensorContent>>,
  tokenizer: Record<string, unknown> = tokenizerOf(),
  folder = temporaryModelFolder(),
): string {
  let end = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
    const from = end;
    end += bytes.length;
    return [name, { dtype, shape, data_offsets: [from, end] }];
  });
  const header = Buffer.from(
    JSON.stringify({ __metadata__: { made: 'for tests' }, ...Object.fromEntries(entries) }),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const contents = Object.values(tensors).map(({ bytes }) => bytes);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.safetensors'), Buffer.concat([length, header, ...contents]));
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  return folder;
}
