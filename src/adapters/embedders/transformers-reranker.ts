/**
 * The reranker for cross-encoders in a local folder, run by @huggingface/transformers. Nothing of it is loaded before
 * the first query; how it runs is cross-encoder.ts, where start-encoder.ts. Facts of a folder: reranker-facts.ts.
 */

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { Reranker, RerankingModel } from '../../core/ports.js';
import type { CrossEncoder } from './cross-encoder.js';
import { hashEncoderFiles } from './encoder-files.js';
import type { Device, RerankerFacts } from './model-facts.js';
import { checkFiles, remedyFor } from './model-folder.js';
import { ModelSession } from './model-session.js';
import type { TransformerPlan } from './open-transformer.js';
import { startCrossEncoder } from './start-encoder.js';

export type RerankerOptions = {
  readonly folder: string;
  readonly device?: Device | undefined;
  readonly notice?: ((text: string) => void) | undefined;
  /** Of the process in which the model runs; that of the build unless given. */
  readonly program?: string | undefined;
};

/** Changes when the arithmetic between the model and the scores does. */
const ARITHMETIC = 'cross-encoder-1';

/** Throws `unavailable` where files are missing. */
export async function openTransformersReranker(
  facts: RerankerFacts,
  { folder, device = 'auto', notice, program }: RerankerOptions,
): Promise<Reranker> {
  const place = resolve(folder);
  const remedy = remedyFor(facts, 'set AGENT_MEMORY_RERANKER to none');
  checkFiles(facts, place, remedy);
  const { id, maxTokens, dtype, languages } = facts;
  const model: RerankingModel = {
    id,
    fingerprint: fingerprintOf(facts, place),
    maxTokens,
    ...(languages === undefined ? {} : { languages }),
  };
  const plan: TransformerPlan = { id, folder: place, maxTokens, dtype, device, remedy };
  return new TransformersReranker(model, new ModelSession(() => startCrossEncoder(plan, program), notice));
}

/** Of all that changes a score. */
function fingerprintOf({ revision, maxTokens, dtype }: RerankerFacts, folder: string): string {
  const settings = [ARITHMETIC, revision, maxTokens, dtype, hashEncoderFiles(folder, dtype)];
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}

class TransformersReranker implements Reranker {
  constructor(
    readonly model: RerankingModel,
    private readonly session: ModelSession<CrossEncoder>,
  ) {}

  async score(query: string, passages: readonly string[]): Promise<Float64Array> {
    return Float64Array.from(await this.session.use((opened) => opened.score(query, passages)));
  }

  release(): Promise<void> {
    return this.session.close();
  }
}
