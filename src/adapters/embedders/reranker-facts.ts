/** Whether a folder holds a cross-encoder, and its facts where it is on no list. Those of encoders: folder-facts.ts. */

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import { dtypesIn, encoderFiles } from './encoder-files.js';
import { tokenLimit } from './folder-facts.js';
import type { RerankerFacts } from './model-facts.js';
import { readJson } from './model-file.js';

/** What exports call a model that gives numbers for a whole text. */
const SCORING = /ForSequenceClassification$/;

/** By what config.json says; false where there is none, or it cannot be read. */
export function holdsReranker(folder: string): boolean {
  const path = join(folder, 'config.json');
  if (!existsSync(path)) return false;
  try {
    return isScoring(readJson(path));
  } catch {
    return false;
  }
}

/** Throws `invalid_input` for a folder without a cross-encoder. */
export function readRerankerFacts(folder: string): RerankerFacts {
  const place = resolve(folder);
  const [dtype] = dtypesIn(place);
  if (dtype === undefined || !holdsReranker(place)) {
    throw new MemoryError('invalid_input', `The folder "${folder}" holds no reranker`, {
      hint: 'Name a folder with onnx/model.onnx, tokenizer.json, tokenizer_config.json, and a config.json whose architecture ends in ForSequenceClassification.',
    });
  }
  return {
    id: place,
    hubId: '',
    revision: '',
    maxTokens: tokenLimit(place, readJson(join(place, 'config.json'))),
    dtype,
    bytes: encoderFiles(place, dtype)
      .map((name) => statSync(join(place, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0),
    licence: '',
  };
}

function isScoring(config: Readonly<Record<string, unknown>>): boolean {
  const names = config['architectures'];
  return Array.isArray(names) && names.some((name) => SCORING.test(String(name)));
}
