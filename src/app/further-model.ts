/** Opens the encoder that a name stands for, tuned as environment and settings say. Loaded only where one is chosen. */

import { findKnownModel } from '../adapters/embedders/known-models.js';
import { modelFolder, modelState, readCard } from '../adapters/embedders/model-cache.js';
import type { ModelFacts } from '../adapters/embedders/model-facts.js';
import { MemoryError } from '../core/errors.js';
import type { Embedder } from '../core/ports.js';
import {
  type Environment,
  type ModelReference,
  type ModelTuning,
  modelsCache,
  readModelTuning,
} from './model-settings.js';

/** Undefined for what is no further model. Throws `unavailable` for one that is not downloaded. */
export async function openFurtherModel(
  reference: ModelReference,
  environment: Environment,
  notice: ((text: string) => void) | undefined,
): Promise<Embedder | undefined> {
  const tuning = await readModelTuning(environment);
  if (reference.kind === 'endpoint') {
    const { openHttpEmbedder } = await import('../adapters/embedders/http-embedder.js');
    const apiKey = environment['AGENT_MEMORY_API_KEY'];
    return openHttpEmbedder({ ...tuning, url: reference.url, model: reference.model, apiKey });
  }
  if (reference.kind !== 'hub' && reference.kind !== 'folder') return undefined;
  const folder =
    reference.kind === 'folder' ? reference.folder : downloadedFolder(reference.name, environment);
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

function downloadedFolder(name: string, environment: Environment): string {
  const cache = modelsCache(environment);
  const state = modelState(cache, name);
  if (state === 'present') return modelFolder(cache, name);
  const shown = findKnownModel(name)?.id ?? `transformers:${name}`;
  const how = state === 'incomplete' ? 'is not downloaded to its end' : 'is not downloaded';
  throw new MemoryError('unavailable', `The model "${shown}" ${how}`, {
    hint: `Run \`memory model pull ${shown}\`, or \`memory model use static\`.`,
  });
}

/** Of known models those of the list; of others what their files say. */
async function factsOf(reference: ModelReference, folder: string): Promise<ModelFacts> {
  const known = reference.kind === 'hub' ? findKnownModel(reference.name) : undefined;
  if (known !== undefined) return known;
  const { readFolderFacts } = await import('../adapters/embedders/folder-facts.js');
  const facts = readFolderFacts(folder);
  const card = reference.kind === 'hub' ? readCard(folder) : undefined;
  if (card === undefined) return facts;
  const { hubId, revision, licence } = card;
  return { ...facts, id: hubId, hubId, revision, licence };
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
