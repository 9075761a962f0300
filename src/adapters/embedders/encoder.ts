/**
 * An open sentence encoder: tokenizer and ONNX model of a local folder, run by @huggingface/transformers, and the
 * pooling of what comes out. It runs in a process of its own (encoder-process.ts), or in this one (start-encoder.ts).
 */

import { MemoryError } from '../../core/errors.js';
import type { Device, ModelFacts } from './model-facts.js';
import { numbersOf, poolTokens } from './pool-tokens.js';
import {
  firstLine,
  type Library,
  loadLibrary,
  type Model,
  type Tensor,
  type Tokenizer,
} from './transformers-library.js';
import { refusedText } from './vector-rows.js';

export type EncoderPlan = Pick<
  ModelFacts,
  'id' | 'dimensions' | 'maxTokens' | 'pooling' | 'pooledOutput' | 'dtype'
> & {
  readonly folder: string;
  readonly device: Device;
  /** The next step where the model cannot be used. */
  readonly remedy: string;
};

export interface Encoder {
  /** What the user should know of how it was opened. */
  readonly notice: string | undefined;
  /** A row of the model's dimensions for each text. Throws `invalid_input` where a text is the trouble. */
  encode(texts: readonly string[]): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Of a batch, padding counted: memory and the time until others have a turn grow with it. */
const BATCH_TOKENS = 4096;
const BATCH_TEXTS = 32;
/** No language has longer tokens on average; what lies behind is not looked at. */
const MOST_CHARACTERS_A_TOKEN = 32;
/** Every vocabulary has a token for it. */
const SAMPLE = 'a';

/** Throws `unavailable` with the reason where it cannot be opened. */
export async function openEncoder(plan: EncoderPlan): Promise<Encoder> {
  const library = await loadLibrary();
  const options = { local_files_only: true, dtype: plan.dtype };
  const tokenizer = await library.AutoTokenizer.from_pretrained(plan.folder, options).catch((error) => {
    throw unusable(plan, 'its tokenizer cannot be read', error);
  });
  const { model, device } = await openModel(library, plan, options);
  const encoder = new OpenEncoder(library, plan, tokenizer, model);
  try {
    await encoder.check();
  } catch (error) {
    await encoder.close();
    throw error;
  }
  const isOther = plan.device !== 'auto' && device !== plan.device;
  encoder.notice = isOther
    ? `the device "${plan.device}" cannot be used; the model runs on the CPU`
    : undefined;
  return encoder;
}

/** A processor does what no other device can be had for. */
async function openModel(
  library: Library,
  plan: EncoderPlan,
  options: object,
): Promise<{ readonly model: Model; readonly device: Device }> {
  const wanted: readonly Device[] = plan.device === 'auto' ? ['cuda', 'cpu'] : [plan.device, 'cpu'];
  for (const device of wanted) {
    try {
      const model = await library.AutoModel.from_pretrained(plan.folder, { ...options, device });
      return { model, device };
    } catch (error) {
      if (device === 'cpu') throw unusable(plan, 'it cannot be loaded', error);
    }
  }
  throw unusable(plan, `there is no device "${plan.device}"`, undefined);
}

class OpenEncoder implements Encoder {
  notice: string | undefined;
  /** Tokens that stand before and after those of every text. */
  #before = 0;
  #after = 0;

  constructor(
    private readonly library: Library,
    private readonly plan: EncoderPlan,
    private readonly tokenizer: Tokenizer,
    private readonly model: Model,
  ) {}

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
    for (const batch of batchesOf(tokens)) {
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
    await this.model.dispose();
  }

  #tokenise(texts: readonly string[], isFramed: boolean): readonly (readonly number[])[] {
    const options = { add_special_tokens: isFramed, padding: false, truncation: false, return_tensor: false };
    return this.tokenizer(texts, options).input_ids;
  }

  /** The library would cut off the last tokens, which say where a text ends. */
  #cut(tokens: readonly number[]): readonly number[] {
    const most = this.plan.maxTokens;
    if (tokens.length <= most) return tokens;
    return [...tokens.slice(0, most - this.#after), ...tokens.slice(tokens.length - this.#after)];
  }

  async #run(batch: readonly (readonly number[])[]): Promise<Float32Array> {
    const longest = Math.max(1, ...batch.map((tokens) => tokens.length));
    const shape = [batch.length, longest];
    const numbers = new BigInt64Array(batch.length * longest).fill(BigInt(this.tokenizer.pad_token_id ?? 0));
    const mask = new BigInt64Array(batch.length * longest);
    batch.forEach((tokens, row) => {
      tokens.forEach((token, at) => {
        numbers[row * longest + at] = BigInt(token);
        mask[row * longest + at] = 1n;
      });
    });
    const { Tensor } = this.library;
    const output = await this.model({
      input_ids: new Tensor('int64', numbers, shape),
      attention_mask: new Tensor('int64', mask, shape),
    });
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

/** Places of texts, those of like length together, so that little is padded. */
function* batchesOf(tokens: readonly (readonly number[])[]): Generator<readonly number[]> {
  const order = tokens.map((_, at) => at).sort((a, b) => tokens[a]!.length - tokens[b]!.length);
  let batch: number[] = [];
  for (const at of order) {
    const isFull = batch.length === BATCH_TEXTS || (batch.length + 1) * tokens[at]!.length > BATCH_TOKENS;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
    }
    batch.push(at);
  }
  if (batch.length > 0) yield batch;
}

function unusable({ id, folder, remedy }: EncoderPlan, why: string, cause: unknown): MemoryError {
  const reason = cause === undefined ? why : `${why}: ${firstLine(cause)}`;
  return new MemoryError('unavailable', `The model "${id}" in "${folder}" cannot be used: ${reason}`, {
    hint: remedy,
    cause,
  });
}
