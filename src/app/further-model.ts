/** Opens the encoder that a name stands for, tuned as environment and settings say. Loaded only where one is chosen. */

import { findKnownModel } from '../adapters/embedders/known-models.js';
import { findKnownReranker } from '../adapters/embedders/known-rerankers.js';
import type { ModelFacts } from '../adapters/embedders/model-facts.js';
import { holdsReranker } from '../adapters/embedders/reranker-facts.js';
import { MemoryError } from '../core/errors.js';
import type { CallOptions } from '../core/memory/memory.js';
import type { Embedder } from '../core/ports.js';
import { downloadedFolder, withCard } from './downloaded-folder.js';
import {
  type Environment,
  type ModelReference,
  type ModelTuning,
  nameOf,
  readModelTuning,
} from './model-settings.js';

const WITHOUT = '`memory model use static`';

/**
 * Undefined for what is no further model. Throws `unavailable` for one that is not downloaded; where somebody can be
 * asked for a yes, it is downloaded first.
 */
export async function openFurtherModel(
  reference: ModelReference,
  environment: Environment,
  options: CallOptions,
): Promise<Embedder | undefined> {
  const { notice } = options;
  const tuning = await readModelTuning(environment);
  if (reference.kind === 'endpoint') {
    const { openHttpEmbedder } = await import('../adapters/embedders/http-embedder.js');
    const apiKey = environment['AGENT_MEMORY_API_KEY'];
    return openHttpEmbedder({ ...tuning, url: reference.url, model: reference.model, apiKey });
  }
  if (reference.kind !== 'hub' && reference.kind !== 'folder') return undefined;
  if (reference.kind === 'hub' && findKnownReranker(reference.name)) throw makesNoVectors(reference);
  const folder =
    reference.kind === 'folder'
      ? reference.folder
      : await downloadedFolder(reference, environment, options, WITHOUT);
  if (holdsReranker(folder)) throw makesNoVectors(reference);
  const facts = await factsOf(reference, folder);
  const dimensions = checkedDimensions(facts, tuning);
  const { openTransformersEmbedder } = await import('../adapters/embedders/transformers-embedder.js');
  return openTransformersEmbedder(tuned(facts, tuning), {
    folder,
    dimensions,
    device: tuning.device,
    notice,
  });
}

function makesNoVectors(reference: ModelReference): MemoryError {
  const name = nameOf(reference);
  return new MemoryError('invalid_input', `"${name}" is a reranker, which makes no vectors`, {
    hint: `Choose it as a reranker: \`memory model use ${name}\`, or AGENT_MEMORY_RERANKER.`,
  });
}

/** Of known models those of the list; of others what their files say. */
async function factsOf(reference: ModelReference, folder: string): Promise<ModelFacts> {
  const known = reference.kind === 'hub' ? findKnownModel(reference.name) : undefined;
  if (known !== undefined) return known;
  const { readFolderFacts } = await import('../adapters/embedders/folder-facts.js');
  return withCard(readFolderFacts(folder), reference, folder);
}

function tuned(facts: ModelFacts, { queryInstruction }: ModelTuning): ModelFacts {
  return queryInstruction === undefined ? facts : { ...facts, queryInstruction };
}

/** Vectors that were not trained to be cut lose their meaning when they are. */
function checkedDimensions(facts: ModelFacts, { dimensions }: ModelTuning): number | undefined {
  if (dimensions === undefined || dimensions === facts.dimensions || facts.cutTo.includes(dimensions))
    return dimensions;
  // Files of a folder seldom tell to what vectors may be cut; whoever asks for it knows.
  if (facts.cutTo.length === 0 && findKnownModel(facts.id) === undefined && dimensions < facts.dimensions)
    return dimensions;
  const choice = [facts.dimensions, ...facts.cutTo].join(', ');
  throw new MemoryError('invalid_input', `"${facts.id}" makes no vectors of ${dimensions} dimensions`, {
    hint: `AGENT_MEMORY_DIM may be ${choice}.`,
  });
}
