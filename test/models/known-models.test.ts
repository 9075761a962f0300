/** The list of known models: complete, and as docs/models.md tells it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { findKnownModel, isHubId, KNOWN_MODELS } from '../../src/adapters/embedders/known-models.js';

const REQUIRED = [
  'all-MiniLM-L6-v2',
  'bge-small-en-v1.5',
  'multilingual-e5-small',
  'embeddinggemma-300m',
  'Qwen3-Embedding-0.6B',
];

test('KNOWN_MODELS has the usual ones, each once, from small to large', () => {
  const ids = KNOWN_MODELS.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(REQUIRED));
  expect(new Set(ids.map((id) => id.toLowerCase())).size).toBe(ids.length);
  const sizes = KNOWN_MODELS.map(({ bytes }) => Math.round(bytes / 1e6));
  expect([...sizes].sort((a, b) => a - b)).toEqual(sizes);
});

describe.each(KNOWN_MODELS)('$id', (model) => {
  test('is pinned to a commit, and each file to its content', () => {
    expect(isHubId(model.hubId)).toBe(true);
    expect(model.revision).toMatch(/^[0-9a-f]{40}$/);
    for (const { path, bytes, sha256 } of model.files) {
      expect(path).toMatch(/^(onnx\/)?[a-z_]+\.(json|onnx|onnx_data)$/);
      expect(bytes).toBeGreaterThan(100);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(model.bytes).toBe(model.files.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  test('has all files that opening it takes', () => {
    const onnx = { q8: 'onnx/model_quantized.onnx', fp32: 'onnx/model.onnx', fp16: '', q4: '' }[model.dtype];
    const paths = model.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['config.json', 'tokenizer.json', 'tokenizer_config.json', onnx]),
    );
  });

  test('has facts that make sense', () => {
    expect(model.dimensions).toBeGreaterThanOrEqual(128);
    for (const cut of model.cutTo) expect(cut).toBeLessThan(model.dimensions);
    expect([...model.cutTo].sort((a, b) => b - a)).toEqual(model.cutTo);
    expect(model.maxTokens).toBeGreaterThanOrEqual(128);
    expect(model.licence).not.toBe('');
    expect(model.about).not.toBe('');
    // What has an instruction for passages has one for queries.
    expect(model.passageInstruction !== '' && model.queryInstruction === '').toBe(false);
    if (!/^(MIT|Apache-2\.0)$/.test(model.licence)) expect(model.licenceUrl).toMatch(/^https:\/\//);
  });

  test('is found by its id and its repository, in any case of letters', () => {
    expect(findKnownModel(model.id.toUpperCase())).toBe(model);
    expect(findKnownModel(model.hubId.toLowerCase())).toBe(model);
  });
});

test('cosines of unrelated texts are told only of models whose cards tell them', () => {
  const told = KNOWN_MODELS.filter(({ unrelatedCosine }) => unrelatedCosine !== undefined);
  expect(told.map(({ id, unrelatedCosine }) => [id, unrelatedCosine])).toEqual([
    ['e5-small-v2', 0.7],
    ['multilingual-e5-small', 0.7],
  ]);
  expect(readFileSync(join(root, 'docs/models.md'), 'utf8')).toContain(
    'Those of `e5-small-v2` and `multilingual-e5-small` say that their cosines lie around 0.7 to 1',
  );
});

test('findKnownModel() finds no other', () => {
  for (const name of ['', 'static', 'MiniLM', 'tiny/encoder']) expect(findKnownModel(name)).toBeUndefined();
});

test('docs/models.md has a row for each', () => {
  const text = readFileSync(join(root, 'docs/models.md'), 'utf8');
  const rows = KNOWN_MODELS.map((model) => {
    const { id, dimensions, cutTo, maxTokens, bytes, licence, languages, pooling } = model;
    const cells = [
      `\`${id}\``,
      `${(bytes / 1e6).toFixed(1)} MB`,
      [dimensions, ...cutTo].join(', '),
      String(maxTokens),
      languages?.join(' ') ?? 'many',
      pooling,
      licence,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  for (const row of rows) expect(text).toContain(row);
  expect(text.match(/^\| `/gm)?.length).toBeGreaterThanOrEqual(rows.length);
});

test('docs/models.md names repository and commit of each', () => {
  const text = readFileSync(join(root, 'docs/models.md'), 'utf8');
  for (const { id, hubId, revision } of KNOWN_MODELS)
    expect(text).toContain(`| \`${id}\` | ${hubId} | \`${revision}\` |`);
});
