/** The list of known rerankers: complete, apart from the encoders, and as docs/models.md tells it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { findKnownModel, isHubId, KNOWN_MODELS } from '../../src/adapters/embedders/known-models.js';
import {
  findKnown,
  findKnownReranker,
  KNOWN_RERANKERS,
} from '../../src/adapters/embedders/known-rerankers.js';

test('KNOWN_RERANKERS has one for English and one for many languages, from small to large', () => {
  expect(KNOWN_RERANKERS.map(({ languages }) => languages)).toEqual([['en'], undefined]);
  const sizes = KNOWN_RERANKERS.map(({ bytes }) => bytes);
  expect([...sizes].sort((a, b) => a - b)).toEqual(sizes);
});

describe.each(KNOWN_RERANKERS)('$id', (model) => {
  test('is pinned to a commit, and each file to its content', () => {
    expect(isHubId(model.hubId)).toBe(true);
    expect(model.revision).toMatch(/^[0-9a-f]{40}$/);
    expect(model.files.map(({ path }) => path)).toEqual([
      'config.json',
      'tokenizer.json',
      'tokenizer_config.json',
      'onnx/model_quantized.onnx',
    ]);
    for (const { bytes, sha256 } of model.files) {
      expect(bytes).toBeGreaterThan(100);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(model.bytes).toBe(model.files.reduce((sum, { bytes }) => sum + bytes, 0));
  });

  test('is found by its id and its repository, and is no encoder', () => {
    for (const name of [model.id.toUpperCase(), model.hubId.toLowerCase()]) {
      expect(findKnownReranker(name)).toBe(model);
      expect(findKnown(name)).toBe(model);
      expect(findKnownModel(name)).toBeUndefined();
    }
  });
});

test('findKnown() finds encoders too', () => {
  for (const model of KNOWN_MODELS) {
    expect(findKnown(model.id)).toBe(model);
    expect(findKnownReranker(model.id)).toBeUndefined();
  }
  expect(findKnown('tiny/reranker')).toBeUndefined();
});

test('docs/models.md has a row for each, with its repository and commit', () => {
  const text = readFileSync(join(root, 'docs/models.md'), 'utf8');
  for (const { id, hubId, revision, bytes, maxTokens, languages, licence } of KNOWN_RERANKERS) {
    const size = `${(bytes / 1e6).toFixed(1)} MB`;
    const cells = [`\`${id}\``, size, String(maxTokens), languages?.join(' ') ?? 'many', licence];
    expect(text).toContain(`| ${cells.join(' | ')} |`);
    expect(text).toContain(`| \`${id}\` | ${hubId} | \`${revision}\` |`);
  }
});
