/**
 * The embedder for sentence encoders in a local folder, run by @huggingface/transformers. Nothing of it is loaded before
 * the first text; how it runs is encoder.ts, where start-encoder.ts. Facts of a folder: known-models.ts, folder-facts.ts.
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type { Embedder } from '../../core/ports.js';
import type { Encoder, EncoderPlan } from './encoder.js';
import { hashEncoderFiles } from './encoder-files.js';
import { LethalTexts } from './lethal-texts.js';
import type { Device, ModelFacts } from './model-facts.js';
import { checkFiles, remedyFor } from './model-folder.js';
import { ModelSession } from './model-session.js';
import { RowEmbedder, type RowSource, windowCharsOf } from './row-embedder.js';
import { startEncoder } from './start-encoder.js';

export type TransformersOptions = {
  readonly folder: string;
  /** Leading dimensions that are kept; all unless given. */
  readonly dimensions?: number | undefined;
  readonly device?: Device | undefined;
  readonly notice?: ((text: string) => void) | undefined;
  /** Of the process in which the model runs; that of the build unless given. */
  readonly program?: string | undefined;
};

/** Changes when the arithmetic between the model and the vectors does. */
const ARITHMETIC = 'transformers-1';

/** Throws `unavailable` where files are missing, and `invalid_input` for more dimensions than there are. */
export async function openTransformersEmbedder(
  facts: ModelFacts,
  { folder, dimensions = facts.dimensions, device = 'auto', notice, program }: TransformersOptions,
): Promise<Embedder> {
  checkDimensions(facts, dimensions);
  const place = resolve(folder);
  const remedy = remedyFor(facts, 'run `memory model use static`');
  checkFiles(facts, place, remedy);
  const model = {
    id: facts.id,
    dimensions,
    fingerprint: fingerprintOf(facts, dimensions, place),
    windowChars: windowCharsOf(facts.maxTokens),
    rowFormat: 'bytes' as const,
    languages: facts.languages,
    unrelatedCosine: facts.unrelatedCosine,
  };
  const plan: EncoderPlan = {
    id: facts.id,
    folder: place,
    dimensions: facts.dimensions,
    maxTokens: facts.maxTokens,
    pooling: facts.pooling,
    ...(facts.pooledOutput === undefined ? {} : { pooledOutput: facts.pooledOutput }),
    dtype: facts.dtype,
    device,
    remedy,
  };
  const instructions = { query: facts.queryInstruction, passage: facts.passageInstruction };
  return new RowEmbedder(withoutGaps(model), new EncoderSource(plan, notice, program), instructions);
}

function checkDimensions({ id, dimensions: all }: ModelFacts, dimensions: number): void {
  if (Number.isSafeInteger(dimensions) && dimensions >= 1 && dimensions <= all) return;
  throw new MemoryError('invalid_input', `The model "${id}" makes no vectors of ${dimensions} dimensions`, {
    hint: `Set AGENT_MEMORY_DIM to at most ${all}, or unset it.`,
  });
}

/** Of all that changes the vector of a passage. A query's instruction does not. */
function fingerprintOf(facts: ModelFacts, dimensions: number, folder: string): string {
  const { revision, pooling, pooledOutput, passageInstruction, maxTokens, dtype } = facts;
  const settings = [revision, pooling, pooledOutput ?? '', passageInstruction, maxTokens, dtype, dimensions];
  const files = hashEncoderFiles(folder, dtype);
  return createHash('sha256')
    .update(JSON.stringify([ARITHMETIC, ...settings, files]))
    .digest('hex');
}

/** Without the members that are undefined. */
function withoutGaps<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const members = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as { [K in keyof T]: Exclude<T[K], undefined> };
}

class EncoderSource implements RowSource {
  readonly width: number;
  readonly #session: ModelSession<Encoder>;
  readonly #lethal = new LethalTexts();

  constructor(plan: EncoderPlan, notice: ((text: string) => void) | undefined, program: string | undefined) {
    this.width = plan.dimensions;
    this.#session = new ModelSession(() => startEncoder(plan, program), notice);
  }

  async open(): Promise<void> {
    await this.#session.use(async () => {});
  }

  encode(texts: readonly string[], kind: 'query' | 'passages'): Promise<Float32Array> {
    return this.#lethal.refuse(texts, kind, () => this.#session.use((encoder) => encoder.encode(texts)));
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
