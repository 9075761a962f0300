/**
 * The facts of a sentence encoder that is on no list, from the files in its folder: those of transformers, and of
 * sentence-transformers where they are there. The files themselves are encoder-files.ts.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import { dtypesIn, encoderFiles } from './encoder-files.js';
import type { ModelFacts, Pooling } from './model-facts.js';
import { isObject, parseObject, readJson } from './model-file.js';

type Json = Readonly<Record<string, unknown>>;

/** Where no file says it. */
const USUAL_TOKENS = 512;
/** Tokenizers without a limit name one that no text reaches. */
const NO_LIMIT_FROM = 1_000_000;
/** Architectures that give their first two places to no token. */
const PLACES_WITHOUT_TOKEN = /^(xlm-)?roberta|camembert|mpnet/;
/** What exports for sentence-transformers call the vector after all layers. */
const POOLED_OUTPUT = 'sentence_embedding';

/** Throws `invalid_input` for a folder without an encoder, or with one that cannot be used. */
export function readFolderFacts(folder: string): ModelFacts {
  const place = resolve(folder);
  const [dtype] = dtypesIn(place);
  if (dtype === undefined || !existsSync(join(place, 'config.json'))) {
    throw new MemoryError('invalid_input', `The folder "${folder}" holds no sentence encoder`, {
      hint: 'Name a folder with config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx.',
    });
  }
  const config = readJson(join(place, 'config.json'));
  const layers = readLayers(place);
  const prompts = objectIn(readOptional(place, 'config_sentence_transformers.json'), 'prompts');
  const width = numberIn(config, 'hidden_size', 'd_model', 'dim', 'n_embd');
  const dimensions = layers.dimensions ?? width;
  if (dimensions === undefined) {
    throw new MemoryError('invalid_input', `"${join(folder, 'config.json')}" names no hidden_size`, {
      hint: 'Name the folder of another model.',
    });
  }
  return {
    id: place,
    hubId: '',
    revision: '',
    dimensions,
    cutTo: cutsIn(config).filter((cut) => cut < dimensions),
    maxTokens: tokenLimit(place, config),
    pooling: layers.pooling,
    ...(layers.isPooledOutside ? {} : { pooledOutput: POOLED_OUTPUT }),
    queryInstruction: textIn(prompts, 'query'),
    passageInstruction: textIn(prompts, 'document', 'passage'),
    dtype,
    bytes: encoderFiles(place, dtype)
      .map((name) => statSync(join(place, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0),
    licence: '',
  };
}

type Layers = {
  readonly pooling: Pooling;
  /** Of the last layer that changes their number. */
  readonly dimensions?: number;
  /** False where more layers follow the pooling; then only an output of the model's own holds the vector. */
  readonly isPooledOutside: boolean;
};

/** Without modules.json: the mean of the tokens, which most encoders are trained for. */
function readLayers(folder: string): Layers {
  const modules = readList(folder, 'modules.json').filter(isObject);
  const ofType = (name: string) => modules.filter(({ type }) => String(type).endsWith(`.${name}`));
  const configOf = (module: Json | undefined) =>
    module === undefined ? {} : readOptional(folder, join(String(module['path'] ?? ''), 'config.json'));
  const pooling = poolingIn(configOf(ofType('Pooling')[0]), folder);
  const dense = ofType('Dense');
  const dimensions = numberIn(configOf(dense.at(-1)), 'out_features');
  return {
    pooling,
    isPooledOutside: dense.length === 0,
    ...(dimensions === undefined ? {} : { dimensions }),
  };
}

const POOLINGS: readonly (readonly [key: string, pooling: Pooling])[] = [
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_lasttoken', 'last'],
  ['pooling_mode_mean_tokens', 'mean'],
];

function poolingIn(config: Json, folder: string): Pooling {
  const modes = Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true);
  const named = config['pooling_mode'];
  const given = typeof named === 'string' ? [named] : modes;
  if (given.length === 0) return 'mean';
  const known = POOLINGS.find(([key, pooling]) => given[0] === key || pooling === given[0]);
  if (known !== undefined && given.length === 1) return known[1];
  if (given[0] === 'lasttoken') return 'last';
  throw new MemoryError('invalid_input', `The model in "${folder}" pools by ${given.join(' and ')}`, {
    hint: 'Use a model that pools by mean, cls or the last token.',
  });
}

export function tokenLimit(folder: string, config: Json): number {
  const sentences = numberIn(readOptional(folder, 'sentence_bert_config.json'), 'max_seq_length');
  const tokenizer = numberIn(readOptional(folder, 'tokenizer_config.json'), 'model_max_length');
  const places = numberIn(config, 'max_position_embeddings', 'n_positions');
  const unused = PLACES_WITHOUT_TOKEN.test(String(config['model_type'])) ? 2 : 0;
  const limits = [sentences, tokenizer, places === undefined ? undefined : places - unused];
  const some = limits.filter((limit) => limit !== undefined && limit > 0 && limit < NO_LIMIT_FROM);
  return some.length === 0 ? USUAL_TOKENS : Math.min(...(some as number[]));
}

function cutsIn(config: Json): readonly number[] {
  const list = config['matryoshka_dimensions'] ?? config['matryoshka_dims'];
  return Array.isArray(list) ? list.filter((cut) => Number.isSafeInteger(cut) && cut > 0) : [];
}

function readOptional(folder: string, name: string): Json {
  const path = join(folder, name);
  return existsSync(path) ? readJson(path) : {};
}

function readList(folder: string, name: string): readonly unknown[] {
  const path = join(folder, name);
  if (!existsSync(path)) return [];
  // Only objects can be read as such.
  const list = parseObject(path, `{"list":${readFileSync(path, 'utf8')}}`)['list'];
  return Array.isArray(list) ? list : [];
}

function objectIn(json: Json, key: string): Json {
  const value = json[key];
  return isObject(value) ? value : {};
}

function textIn(json: Json, ...keys: readonly string[]): string {
  const found = keys.map((key) => json[key]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}

function numberIn(json: Json, ...keys: readonly string[]): number | undefined {
  const found = keys.map((key) => json[key]).find((value) => typeof value === 'number' && value > 0);
  return typeof found === 'number' ? found : undefined;
}
