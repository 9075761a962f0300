/**
 * The embedder for sentence encoders in a local folder, run by @huggingface/transformers. Nothing of it is loaded before
 * the first text; how it runs is encoder.ts, where start-encoder.ts. Facts of a folder: known-models.ts, folder-facts.ts.
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type { Embedder } from '../../core/ports.js';
import type { Encoder, EncoderPlan } from './encoder.js';
import { hashEncoderFiles, missingFiles } from './encoder-files.js';
import type { Device, ModelFacts } from './model-facts.js';
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
  const remedy = remedyFor(facts);
  const missing = missingFiles(place, facts.dtype);
  if (missing.length > 0) {
    throw new MemoryError(
      'unavailable',
      `The model "${facts.id}" in "${place}" lacks ${missing.join(', ')}`,
      {
        hint: remedy,
      },
    );
  }
  const model = {
    id: facts.id,
    dimensions,
    fingerprint: fingerprintOf(facts, dimensions, place),
    windowChars: windowCharsOf(facts.maxTokens),
    rowFormat: 'bytes' as const,
    languages: facts.languages,
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

function remedyFor({ id, hubId }: ModelFacts): string {
  if (hubId === '') return 'Name the folder of another model, or run `memory model use static`.';
  const name = id === hubId ? `transformers:${hubId}` : id;
  return `Download it again with \`memory model pull ${name}\`.`;
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

/** An encoder between its opening and its end, and what is under way in it. */
type Session = { readonly encoder: Promise<Encoder>; readonly calls: Set<Promise<unknown>> };

class EncoderSource implements RowSource {
  readonly width: number;
  #session: Session | undefined;
  #told = '';

  constructor(
    private readonly plan: EncoderPlan,
    private readonly notice: ((text: string) => void) | undefined,
    private readonly program: string | undefined,
  ) {
    this.width = plan.dimensions;
  }

  async open(): Promise<void> {
    await this.#use(async () => {});
  }

  encode(texts: readonly string[]): Promise<Float32Array> {
    return this.#use((encoder) => encoder.encode(texts));
  }

  /** What is under way comes to its end. */
  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    await Promise.allSettled(session.calls);
    await session.encoder.then(
      (encoder) => encoder.close(),
      () => {},
    );
  }

  async #use<T>(work: (encoder: Encoder) => Promise<T>): Promise<T> {
    this.#session ??= { encoder: this.#start(), calls: new Set() };
    const session = this.#session;
    const call = session.encoder.then(work);
    session.calls.add(call);
    try {
      return await call;
    } catch (error) {
      // What is in no known state is opened anew by the next call.
      const isSound = error instanceof MemoryError && error.code === 'invalid_input';
      if (!isSound && this.#session === session) {
        session.calls.delete(call);
        await this.close();
      }
      throw error;
    } finally {
      session.calls.delete(call);
    }
  }

  async #start(): Promise<Encoder> {
    const encoder = await startEncoder(this.plan, this.program);
    const { notice } = encoder;
    if (notice !== undefined && notice !== this.#told) this.notice?.(notice);
    this.#told = notice ?? '';
    return encoder;
  }
}
