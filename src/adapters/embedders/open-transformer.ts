/**
 * Opens tokenizer and ONNX model of a local folder with @huggingface/transformers, on the best device that works. What
 * is asked of them: encoder.ts for vectors, cross-encoder.ts for scores of pairs.
 */

import { MemoryError } from '../../core/errors.js';
import type { Device, SharedFacts } from './model-facts.js';
import {
  firstLine,
  type Library,
  loadLibrary,
  type Model,
  type ModelClass,
  type Tokenizer,
} from './transformers-library.js';

export type TransformerPlan = Pick<SharedFacts, 'id' | 'maxTokens' | 'dtype'> & {
  readonly folder: string;
  readonly device: Device;
  /** The next step where the model cannot be used. */
  readonly remedy: string;
};

export type Transformer = {
  readonly library: Library;
  readonly tokenizer: Tokenizer;
  readonly model: Model;
  /** What the user should know of how it was opened. */
  readonly notice: string | undefined;
};

/** Throws `unavailable` with the reason where it cannot be opened. */
export async function openTransformer(plan: TransformerPlan, kind: ModelClass): Promise<Transformer> {
  const library = await loadLibrary();
  const options = { local_files_only: true, dtype: plan.dtype };
  const tokenizer = await library.AutoTokenizer.from_pretrained(plan.folder, options).catch((error) => {
    throw unusable(plan, 'its tokenizer cannot be read', error);
  });
  const { model, device } = await openModel(library[kind], plan, options);
  const isOther = plan.device !== 'auto' && device !== plan.device;
  const notice = isOther ? otherDevice(plan) : undefined;
  return { library, tokenizer, model, notice };
}

export function otherDevice({ device }: TransformerPlan): string {
  return `the device "${device}" cannot be used; the model runs on the CPU`;
}

/** A processor does what no other device can be had for. */
async function openModel(
  opener: Library[ModelClass],
  plan: TransformerPlan,
  options: object,
): Promise<{ readonly model: Model; readonly device: Device }> {
  const wanted: readonly Device[] = plan.device === 'auto' ? ['cuda', 'cpu'] : [plan.device, 'cpu'];
  for (const device of wanted) {
    try {
      const model = await opener.from_pretrained(plan.folder, { ...options, device });
      return { model, device };
    } catch (error) {
      if (device === 'cpu') throw unusable(plan, 'it cannot be loaded', error);
    }
  }
  throw unusable(plan, `there is no device "${plan.device}"`, undefined);
}

export function unusable({ id, folder, remedy }: TransformerPlan, why: string, cause: unknown): MemoryError {
  const reason = cause === undefined ? why : `${why}: ${firstLine(cause)}`;
  return new MemoryError('unavailable', `The model "${id}" in "${folder}" cannot be used: ${reason}`, {
    hint: remedy,
    cause,
  });
}
