/** What is read of an encoder from the files of its folder, where no list knows it. */

import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { dtypesIn, encoderFiles, holdsEncoder } from '../../src/adapters/embedders/encoder-files.js';
import { readFolderFacts } from '../../src/adapters/embedders/folder-facts.js';
import { temporaryModelFolder } from './static-model.js';
import { tinyEncoder } from './tiny-encoder.js';

type Files = Readonly<Record<string, unknown>>;

function withFiles(files: Files, config: Files = {}): string {
  const folder = tinyEncoder({ config });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  return folder;
}

const MODULES = [
  { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
  { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
  { idx: 2, name: '2', path: '2_Normalize', type: 'sentence_transformers.models.Normalize' },
];

test('readFolderFacts() of a plain encoder takes the mean, and the limit of the tokenizer', () => {
  const folder = tinyEncoder({ maxTokens: 48 });
  expect(readFolderFacts(folder)).toEqual({
    id: folder,
    hubId: '',
    revision: '',
    dimensions: 64,
    cutTo: [],
    maxTokens: 48,
    pooling: 'mean',
    queryInstruction: '',
    passageInstruction: '',
    dtype: 'fp32',
    bytes: expect.any(Number),
    licence: '',
  });
  expect(readFolderFacts(folder).bytes).toBeGreaterThan(200_000);
});

test('readFolderFacts() reads what sentence-transformers writes', () => {
  const folder = withFiles({
    'modules.json': MODULES,
    '1_Pooling/config.json': {
      word_embedding_dimension: 64,
      pooling_mode_cls_token: true,
      pooling_mode_mean_tokens: false,
    },
    'sentence_bert_config.json': { max_seq_length: 32, do_lower_case: false },
    'config_sentence_transformers.json': { prompts: { query: 'find: ', document: 'text: ' } },
  });
  expect(readFolderFacts(folder)).toMatchObject({
    pooling: 'cls',
    maxTokens: 32,
    queryInstruction: 'find: ',
    passageInstruction: 'text: ',
  });
});

test.each([
  [{ pooling_mode_lasttoken: true }, 'last'],
  [{ pooling_mode: 'lasttoken' }, 'last'],
  [{ pooling_mode: 'cls' }, 'cls'],
  [{ pooling_mode_mean_tokens: true }, 'mean'],
  [{}, 'mean'],
])('pooling %j is by %s', (config, pooling) => {
  const folder = withFiles({ 'modules.json': MODULES, '1_Pooling/config.json': config });
  expect(readFolderFacts(folder).pooling).toBe(pooling);
});

test.each([
  [{ pooling_mode_max_tokens: true }, 'pooling_mode_max_tokens'],
  [{ pooling_mode_cls_token: true, pooling_mode_mean_tokens: true }, 'pooling_mode_cls_token and'],
  [{ pooling_mode: 'weightedmean' }, 'weightedmean'],
])('pooling %j is refused', (config, named) => {
  const folder = withFiles({ 'modules.json': MODULES, '1_Pooling/config.json': config });
  expect(() => readFolderFacts(folder)).toThrowError(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(named) }),
  );
});

test('layers after the pooling make the output of the model count, with their dimensions', () => {
  const dense = { idx: 2, name: '2', path: '2_Dense', type: 'sentence_transformers.models.Dense' };
  const folder = withFiles({
    'modules.json': [...MODULES.slice(0, 2), dense],
    '2_Dense/config.json': { in_features: 64, out_features: 96 },
  });
  expect(readFolderFacts(folder)).toMatchObject({ dimensions: 96, pooledOutput: 'sentence_embedding' });
});

test.each<[Files, Files, number]>([
  [{ model_max_length: 1e30 }, { max_position_embeddings: 514, model_type: 'xlm-roberta' }, 512],
  [{ model_max_length: 128 }, { max_position_embeddings: 512 }, 128],
  [{}, { max_position_embeddings: undefined }, 512],
  [{ model_max_length: 8192 }, { max_position_embeddings: 2048 }, 2048],
])('tokenizer %j and config %j allow %d… tokens', (tokenizer, config, maxTokens) => {
  const folder = withFiles({ 'tokenizer_config.json': tokenizer }, config);
  expect(readFolderFacts(folder).maxTokens).toBe(maxTokens);
});

test('dimensions that vectors may be cut to are read, where config.json names them', () => {
  const folder = withFiles({}, { matryoshka_dimensions: [16, 32, 64, 128, 'x'] });
  expect(readFolderFacts(folder).cutTo).toEqual([16, 32]);
});

test('the exactest weights that there are count', () => {
  const folder = tinyEncoder({ dtype: 'q8' });
  expect(readFolderFacts(folder).dtype).toBe('q8');
  tinyEncoderInto(folder, 'model_fp16.onnx');
  expect(dtypesIn(folder)).toEqual(['q8', 'fp16']);
  tinyEncoderInto(folder, 'model.onnx');
  expect(readFolderFacts(folder).dtype).toBe('fp32');
});

function tinyEncoderInto(folder: string, name: string): void {
  renameSync(join(tinyEncoder(), 'onnx/model.onnx'), join(folder, 'onnx', name));
}

test('encoderFiles() takes in weights beside the ONNX file', () => {
  const folder = withFiles({
    'onnx/model.onnx_data': [],
    'onnx/model.onnx_data_1': [],
    'onnx/other.bin': [],
  });
  expect(encoderFiles(folder, 'fp32').slice(3)).toEqual([
    'onnx/model.onnx',
    'onnx/model.onnx_data',
    'onnx/model.onnx_data_1',
  ]);
});

test('a folder without an encoder is refused with what one has', () => {
  const folder = temporaryModelFolder();
  expect(holdsEncoder(folder)).toBe(false);
  expect(() => readFolderFacts(folder)).toThrowError(
    expect.objectContaining({
      code: 'invalid_input',
      message: `The folder "${folder}" holds no sentence encoder`,
      hint: expect.stringContaining('onnx/model.onnx'),
    }),
  );
  const without = tinyEncoder();
  expect(holdsEncoder(without)).toBe(true);
  rmSync(join(without, 'config.json'));
  expect(holdsEncoder(without)).toBe(false);
});

test('a config.json that names no size is refused', () => {
  const folder = withFiles({}, { hidden_size: undefined });
  expect(() => readFolderFacts(folder)).toThrowError(
    expect.objectContaining({ message: expect.stringContaining('names no hidden_size') }),
  );
});
