/** Tiny encoders and rerankers in temporary folders, and what they give for a text, asked of the library as plainly as can be. */

import { createRequire } from 'node:module';
import {
  makeTinyModel,
  makeTinyReranker,
  type TinyModelOptions,
  type TinyRerankerOptions,
} from '../../scripts/make-tiny-model.mjs';
import type { ModelFacts, RerankerFacts } from '../../src/adapters/embedders/model-facts.js';
import { temporaryModelFolder } from './static-model.js';

/** The package is optional: some machines have none of its native code. */
export const hasTransformers = canLoadTransformers();

function canLoadTransformers(): boolean {
  try {
    createRequire(import.meta.url)('onnxruntime-node');
    return true;
  } catch {
    process.stderr.write('Tests of encoders are left out: @huggingface/transformers cannot be loaded here\n');
    return false;
  }
}

export function tinyEncoder(options: TinyModelOptions = {}): string {
  return makeTinyModel(temporaryModelFolder(), options);
}

export function tinyReranker(options: TinyRerankerOptions = {}): string {
  return makeTinyReranker(temporaryModelFolder(), options);
}

export const TINY_RERANKER_FACTS: RerankerFacts = {
  id: 'tiny-reranker',
  hubId: '',
  revision: '',
  maxTokens: 64,
  dtype: 'fp32',
  bytes: 0,
  licence: 'MIT',
};

export const TINY_FACTS: ModelFacts = {
  id: 'tiny',
  hubId: '',
  revision: '',
  dimensions: 64,
  cutTo: [32],
  maxTokens: 64,
  pooling: 'mean',
  queryInstruction: '',
  passageInstruction: '',
  dtype: 'fp32',
  bytes: 0,
  licence: 'MIT',
};

export type PlainOutput = {
  /** Vectors of the text's tokens, in order. */
  readonly tokens: readonly (readonly number[])[];
  readonly pooled: readonly number[] | undefined;
};

/** One text, by itself, without padding or truncation. */
export async function plainOutput(folder: string, text: string): Promise<PlainOutput> {
  const { AutoModel, AutoTokenizer, env } = await import('@huggingface/transformers');
  env.allowRemoteModels = false;
  const options = { local_files_only: true } as const;
  const tokenizer = await AutoTokenizer.from_pretrained(folder, options);
  const model = await AutoModel.from_pretrained(folder, { ...options, dtype: 'fp32', device: 'cpu' });
  try {
    const output = await model(tokenizer(text));
    return {
      tokens: output.last_hidden_state.tolist()[0],
      pooled: output.sentence_embedding?.tolist()[0],
    };
  } finally {
    await model.dispose();
  }
}

/** The logit of one pair, framed by the library itself, without padding or truncation. */
export async function plainScore(folder: string, query: string, passage: string): Promise<number> {
  const { AutoModelForSequenceClassification, AutoTokenizer, env } = await import(
    '@huggingface/transformers'
  );
  env.allowRemoteModels = false;
  const options = { local_files_only: true } as const;
  const tokenizer = await AutoTokenizer.from_pretrained(folder, options);
  const model = await AutoModelForSequenceClassification.from_pretrained(folder, {
    ...options,
    dtype: 'fp32',
    device: 'cpu',
  });
  try {
    return (await model(tokenizer(query, { text_pair: passage }))).logits.tolist()[0][0];
  } finally {
    await model.dispose();
  }
}

export function meanOf(rows: readonly (readonly number[])[]): readonly number[] {
  return rows[0]!.map((_, d) => rows.reduce((sum, row) => sum + row[d]!, 0) / rows.length);
}

export function directionOf(row: readonly number[]): readonly number[] {
  const length = Math.hypot(...row);
  return row.map((value) => value / length);
}

/** 1 for the same direction, whatever the lengths. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [one, other] = [directionOf(Array.from(a)), directionOf(Array.from(b))];
  return one.reduce((sum, value, d) => sum + value * other[d]!, 0);
}
