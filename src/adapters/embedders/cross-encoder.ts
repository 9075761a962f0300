/**
 * An open cross-encoder: tokenizer and ONNX model of a local folder, run by @huggingface/transformers, which reads a
 * query and a passage together and gives one number for both. It runs where encoders do (encoder-process.ts).
 */

import { MemoryError } from '../../core/errors.js';
import { openTransformer, type Transformer, type TransformerPlan, unusable } from './open-transformer.js';
import { numbersOf } from './pool-tokens.js';
import { batchesOf, inputsOf, MOST_CHARACTERS_A_TOKEN, SAMPLE, type TokenRow } from './token-batches.js';
import { firstLine } from './transformers-library.js';
import { refusedText } from './vector-rows.js';

export interface CrossEncoder {
  /** What the user should know of how it was opened. */
  readonly notice: string | undefined;
  /**
   * The logit of each passage: any number, higher is better. Long passages are cut, the query never. Throws
   * `invalid_input` where a text is the trouble.
   */
  score(query: string, passages: readonly string[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** A query that leaves less room cannot be compared with anything. */
const LEAST_PASSAGE_TOKENS = 16;

/** What the tokenizer puts around and between the two texts, and by which types it tells them apart. */
type Frame = {
  readonly before: readonly number[];
  readonly between: readonly number[];
  readonly after: readonly number[];
  /** Undefined where there is but one type. */
  readonly types: { readonly query: number; readonly passage: number } | undefined;
};

/** Throws `unavailable` with the reason where it cannot be opened. */
export async function openCrossEncoder(plan: TransformerPlan): Promise<CrossEncoder> {
  const opened = await openTransformer(plan, 'AutoModelForSequenceClassification');
  try {
    const encoder = new OpenCrossEncoder(plan, opened, frameOf(plan, opened));
    await encoder.check();
    return encoder;
  } catch (error) {
    await opened.model.dispose();
    throw error;
  }
}

class OpenCrossEncoder implements CrossEncoder {
  readonly notice: string | undefined;

  constructor(
    private readonly plan: TransformerPlan,
    private readonly opened: Transformer,
    private readonly frame: Frame,
  ) {
    this.notice = opened.notice;
  }

  /** Runs it once, so that a wrong model is told from a wrong text. */
  async check(): Promise<void> {
    const [sample] = tokensOf(this.opened, [SAMPLE]);
    let scores: Float32Array;
    try {
      scores = await this.#run([this.#pair(sample!, sample!)]);
    } catch (error) {
      if (error instanceof MemoryError) throw error;
      throw unusable(this.plan, 'it cannot be run', error);
    }
    if (!scores.every(Number.isFinite)) throw unusable(this.plan, 'it gives what are no numbers', undefined);
  }

  async score(query: string, passages: readonly string[]): Promise<Float32Array> {
    const scores = new Float32Array(passages.length);
    if (passages.length === 0) return scores;
    const [asked] = tokensOf(this.opened, [query]);
    const room = this.#roomBeside(query, asked!);
    const cut = passages.map((text) => text.slice(0, room * MOST_CHARACTERS_A_TOKEN));
    const pairs = tokensOf(this.opened, cut).map((tokens) => this.#pair(asked!, tokens.slice(0, room)));
    for (const batch of batchesOf(pairs)) {
      let found: Float32Array;
      try {
        found = await this.#run(batch.map((at) => pairs[at]!));
      } catch (error) {
        if (error instanceof MemoryError) throw error;
        const at = batch[0]!;
        throw refusedText(passages[at]!, { why: firstLine(error), at, deed: 'score', cause: error });
      }
      batch.forEach((at, place) => {
        const score = found[place]!;
        if (!Number.isFinite(score))
          throw refusedText(passages[at]!, { why: `its score is ${score}`, at, deed: 'score' });
        scores[at] = score;
      });
    }
    return scores;
  }

  async close(): Promise<void> {
    await this.opened.model.dispose();
  }

  #roomBeside(query: string, tokens: readonly number[]): number {
    const { before, between, after } = this.frame;
    const { maxTokens } = this.plan;
    const room = maxTokens - before.length - between.length - after.length - tokens.length;
    if (room >= LEAST_PASSAGE_TOKENS) return room;
    const why = `it has ${tokens.length} tokens, and with a passage there is room for ${maxTokens}`;
    throw refusedText(query, { why, deed: 'compare' });
  }

  #pair(query: readonly number[], passage: readonly number[]): TokenRow {
    const { before, between, after, types } = this.frame;
    const tokens = [...before, ...query, ...between, ...passage, ...after];
    if (types === undefined) return { tokens };
    const first = before.length + query.length + between.length;
    return { tokens, types: tokens.map((_, at) => (at < first ? types.query : types.passage)) };
  }

  async #run(pairs: readonly TokenRow[]): Promise<Float32Array> {
    const { library, tokenizer, model } = this.opened;
    const { logits } = await model(inputsOf(library, pairs, tokenizer.pad_token_id ?? 0));
    if (logits === undefined) throw unusable(this.plan, 'it gives no logits, as rerankers do', undefined);
    const width = logits.dims.at(-1) ?? 0;
    if (width !== 1) throw unusable(this.plan, `it gives ${width} numbers for a pair, not one`, undefined);
    return Float32Array.from(numbersOf(logits));
  }
}

function tokensOf({ tokenizer }: Transformer, texts: readonly string[]): readonly (readonly number[])[] {
  const options = { add_special_tokens: false, padding: false, truncation: false, return_tensor: false };
  return tokenizer(texts, options).input_ids;
}

/** Read from a pair that the library frames, since every family of tokenizers has rules of its own. */
function frameOf(plan: TransformerPlan, opened: Transformer): Frame {
  const [sample] = tokensOf(opened, [SAMPLE]);
  const options = { add_special_tokens: true, padding: false, truncation: false, return_tensor: false };
  const framed = opened.tokenizer([SAMPLE], { ...options, text_pair: [SAMPLE] });
  const [tokens] = framed.input_ids;
  const [types] = framed.token_type_ids ?? [];
  const query = placeOf(sample!, tokens!, 0);
  const passage = placeOf(sample!, tokens!, query + sample!.length);
  if (query < 0 || passage < 0) throw unusable(plan, 'its tokenizer knows no pairs of texts', undefined);
  return {
    before: tokens!.slice(0, query),
    between: tokens!.slice(query + sample!.length, passage),
    after: tokens!.slice(passage + sample!.length),
    types: types === undefined ? undefined : { query: types[query]!, passage: types[passage]! },
  };
}

/** -1 where there is none. */
function placeOf(part: readonly number[], tokens: readonly number[], from: number): number {
  for (let at = Math.max(0, from); at + part.length <= tokens.length; at++) {
    if (part.length > 0 && part.every((token, offset) => tokens[at + offset] === token)) return at;
  }
  return -1;
}
