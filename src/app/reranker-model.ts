/**
 * Which reranker a process uses, and how it is opened: from the environment, else from the user's settings. Loaded only
 * where a search asks for one.
 */

import { findKnownModel } from '../adapters/embedders/known-models.js';
import { findKnownReranker } from '../adapters/embedders/known-rerankers.js';
import { modelFolder, readCard } from '../adapters/embedders/model-cache.js';
import type { RerankerFacts } from '../adapters/embedders/model-facts.js';
import { holdsReranker, readRerankerFacts } from '../adapters/embedders/reranker-facts.js';
import { MemoryError } from '../core/errors.js';
import type { CallOptions } from '../core/memory/memory.js';
import type { Reranker } from '../core/ports.js';
import { asUnavailable } from './as-unavailable.js';
import { downloadedFolder, withCard } from './downloaded-folder.js';
import {
  type Environment,
  type ModelReference,
  modelsCache,
  nameOf,
  parseReference,
  RERANKER_BY_ENVIRONMENT,
  readModelTuning,
  readRerankerChoice,
} from './model-settings.js';

const WITHOUT = 'set AGENT_MEMORY_RERANKER to none';

/** Undefined where none is chosen. A wrong name in the settings is `unavailable`, one for this process `invalid_input`. */
export async function openChosenReranker(
  environment: Environment,
  options: CallOptions,
): Promise<Reranker | undefined> {
  try {
    const reference = parseReference((await readRerankerChoice(environment)).name);
    return reference.kind === 'none' ? undefined : await openReranker(reference, environment, options);
  } catch (error) {
    if (environment[RERANKER_BY_ENVIRONMENT] || !(error instanceof MemoryError)) throw error;
    throw asUnavailable(error);
  }
}

/** Throws `unavailable` for one that is not downloaded, `invalid_input` for what is none. */
export async function openReranker(
  reference: ModelReference,
  environment: Environment,
  options: CallOptions,
): Promise<Reranker> {
  if (!mayBeReranker(reference, environment)) throw noReranker(reference);
  const folder =
    reference.kind === 'folder'
      ? reference.folder
      : await downloadedFolder(reference, environment, options, WITHOUT);
  const { device } = await readModelTuning(environment);
  const { openTransformersReranker } = await import('../adapters/embedders/transformers-reranker.js');
  return openTransformersReranker(factsOf(reference, folder), { folder, device, notice: options.notice });
}

type RerankerReference = ModelReference & { readonly kind: 'hub' | 'folder' };

/** Whether a model is known to be one, or its files say so. */
export function isReranker(reference: ModelReference, environment: Environment): boolean {
  if (reference.kind === 'folder') return holdsReranker(reference.folder);
  if (reference.kind !== 'hub') return false;
  if (findKnownReranker(reference.name) !== undefined) return true;
  return holdsReranker(modelFolder(modelsCache(environment), reference.name));
}

/** What is not downloaded yet may turn out to be one. */
function mayBeReranker(reference: ModelReference, environment: Environment): reference is RerankerReference {
  if (reference.kind === 'folder') return holdsReranker(reference.folder);
  if (reference.kind !== 'hub') return false;
  const isThere = readCard(modelFolder(modelsCache(environment), reference.name)) !== undefined;
  return isReranker(reference, environment) || (!isThere && findKnownModel(reference.name) === undefined);
}

function noReranker(reference: ModelReference): MemoryError {
  return new MemoryError('invalid_input', `"${nameOf(reference)}" is no reranker`, {
    hint: `\`memory model list\` names some; to do without one, ${WITHOUT}.`,
  });
}

/** Of known ones those of the list; of others what their files say. */
function factsOf(reference: RerankerReference, folder: string): RerankerFacts {
  const known = reference.kind === 'hub' ? findKnownReranker(reference.name) : undefined;
  if (known !== undefined) return known;
  return withCard(readRerankerFacts(folder), reference, folder);
}
