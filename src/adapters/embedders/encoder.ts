/**
 * An open sentence encoder: tokenizer and ONNX model of a local folder, run by @huggingface/transformers, and the
 * pooling of what comes out. It runs in a process of its own (encoder-process.ts), or in this one (start-encoder.ts).
 */

import { MemoryError } from '../../core/errors.js';
import type { ModelFacts } from './model-facts.js';
import { openTransformer, type Transformer, type TransformerPlan, unusable } from './open-transformer.js';
import { numbersOf, poolTokens } from './pool-tokens.js';
import { batchesOf, inputsOf, MOST_CHARACTERS_A_TOKEN, SAMPLE } from './token-batches.js';
import { firstLine, type Tensor } from './transformers-library.js';
import { refusedText } from './vector-rows.js';

export type EncoderPlan = TransformerPlan & Pick<ModelFacts, 'dimensions' | 'pooling' | 'pooledOutput'>;

export interface Encoder {
  /** What the user should know of how it was opened. */
  readonly notice: string | undefined;
  /** A row of the model's dimensions for each text. Throws `invalid_input` where a text is the trouble. */
  encode(texts: readonly string[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Throws `unavailable` with the reason where it cannot be opened. */
export async function openEncoder(plan: EncoderPlan): Promise<Encoder> {
  const encoder = new OpenEncoder(plan, await openTransformer(plan, 'AutoModel'));
  try {
    await encoder.check();
  } catch (error) {
    await encoder.close();
    throw error;
  }
  return encoder;
}

class OpenEncoder implements Encoder {
  readonly notice: string | undefined;
  /** Tokens that stand before and after those of every text. */
  #before = 0;
  #after = 0;

  constructor(
    private readonly plan: EncoderPlan,
    private readonly opened: Transformer,
  ) {
    this.notice = opened.notice;
  }

  /** Runs it once, so that a wrong model is told from a wrong text. */
  async check(): Promise<void> {
    let row: Float32Array;
    try {
      const [bare] = this.#tokenise([SAMPLE], false);
      const [framed] = this.#tokenise([SAMPLE], true);
      const spare = framed!.length - bare!.length;
      this.#before = Math.max(0, framed!.indexOf(bare![0] ?? -1));
      this.#after = Math.max(0, spare - this.#before);
      row = await this.#run([framed!]);
    } catch (error) {
      if (error instanceof MemoryError) throw error;
      throw unusable(this.plan, 'it cannot be run', error);
    }
    if (!row.every(Number.isFinite)) throw unusable(this.plan, 'it gives what are no numbers', undefined);
  }

  async encode(texts: readonly string[]): Promise<Float32Array> {
    const { dimensions, maxTokens } = this.plan;
    const most = maxTokens * MOST_CHARACTERS_A_TOKEN;
    const tokens = this.#tokenise(
      texts.map((text) => text.slice(0, most)),
      true,
    ).map((all) => this.#cut(all));
    const rows = new Float32Array(texts.length * dimensions);
    for (const batch of batchesOf(tokens.map((all) => ({ tokens: all })))) {
      let found: Float32Array;
      try {
        found = await this.#run(batch.map((at) => tokens[at]!));
      } catch (error) {
        if (error instanceof MemoryError) throw error;
        throw refusedBatch(texts, batch, error);
      }
      batch.forEach((at, place) => {
        rows.set(found.subarray(place * dimensions, (place + 1) * dimensions), at * dimensions);
      });
    }
    return rows;
  }

  async close(): Promise<void> {
    await this.opened.model.dispose();
  }

  #tokenise(texts: readonly string[], isFramed: boolean): readonly (readonly number[])[] {
    const options = { add_special_tokens: isFramed, padding: false, truncation: false, return_tensor: false };
    return this.opened.tokenizer(texts, options).input_ids;
  }

  /** The library would cut off the last tokens, which say where a text ends. */
  #cut(tokens: readonly number[]): readonly number[] {
    const most = this.plan.maxTokens;
    if (tokens.length <= most) return tokens;
    return [...tokens.slice(0, most - this.#after), ...tokens.slice(tokens.length - this.#after)];
  }

  async #run(batch: readonly (readonly number[])[]): Promise<Float32Array> {
    const { library, tokenizer, model } = this.opened;
    const rows = batch.map((tokens) => ({ tokens }));
    const output = await model(inputsOf(library, rows, tokenizer.pad_token_id ?? 0));
    return this.#pool(output, batch);
  }

  #pool(
    output: Readonly<Record<string, Tensor | undefined>>,
    batch: readonly (readonly number[])[],
  ): Float32Array {
    const { pooledOutput, dimensions } = this.plan;
    const tensor =
      pooledOutput === undefined
        ? (output['last_hidden_state'] ?? output['token_embeddings'])
        : output[pooledOutput];
    if (tensor === undefined) {
      const wanted = pooledOutput ?? 'last_hidden_state';
      throw unusable(this.plan, `it gives ${Object.keys(output).join(', ')} but no ${wanted}`, undefined);
    }
    const width = tensor.dims.at(-1) ?? 0;
    if (width !== dimensions) {
      throw unusable(this.plan, `its vectors have ${width} dimensions, not ${dimensions}`, undefined);
    }
    const values = numbersOf(tensor);
    if (pooledOutput !== undefined) return Float32Array.from(values);
    const rows = new Float32Array(batch.length * width);
    const length = tensor.dims[1] ?? 0;
    batch.forEach((tokens, at) => {
      const from = at * length * width;
      const row = rows.subarray(at * width, (at + 1) * width);
      poolTokens(values.subarray(from, from + tokens.length * width), row, this.plan.pooling);
    });
    return rows;
  }
}

/** Which of several texts the library stumbled over is not known; of one it is. */
function refusedBatch(texts: readonly string[], batch: readonly number[], cause: unknown): MemoryError {
  const [at] = batch as [number];
  const why = firstLine(cause);
  if (batch.length === 1) return refusedText(texts[at]!, { why, at, cause });
  return new MemoryError('invalid_input', `The model cannot embed one of ${batch.length} texts: ${why}`, {
    cause,
  });
}
