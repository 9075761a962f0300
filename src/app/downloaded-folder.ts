/** The folder of a model of the hub, downloaded first where somebody can be asked for a yes (download-model.ts). */

import { modelFolder, modelState, readCard } from '../adapters/embedders/model-cache.js';
import type { SharedFacts } from '../adapters/embedders/model-facts.js';
import { MemoryError } from '../core/errors.js';
import type { CallOptions } from '../core/memory/memory.js';
import { type Environment, type ModelReference, modelsCache, nameOf } from './model-settings.js';

/** Throws `unavailable` for one that is not there; `without` is how to do without it. */
export async function downloadedFolder(
  reference: ModelReference & { readonly kind: 'hub' },
  environment: Environment,
  options: CallOptions,
  without: string,
): Promise<string> {
  const { name } = reference;
  const cache = modelsCache(environment);
  const state = modelState(cache, name);
  if (state === 'present') return modelFolder(cache, name);
  if (options.confirm !== undefined) {
    const { downloadModel } = await import('./download-model.js');
    await downloadModel(reference, environment, options);
    return modelFolder(cache, name);
  }
  const shown = nameOf(reference);
  const how = state === 'incomplete' ? 'is not downloaded to its end' : 'is not downloaded';
  throw new MemoryError('unavailable', `The model "${shown}" ${how}`, {
    hint: `Run \`memory model pull ${shown}\`, or ${without}.`,
  });
}

/** What the files of a model say, with what was known of it when it was downloaded. */
export function withCard<Facts extends SharedFacts>(
  facts: Facts,
  { kind }: Pick<ModelReference, 'kind'>,
  folder: string,
): Facts {
  const card = kind === 'hub' ? readCard(folder) : undefined;
  if (card === undefined) return facts;
  const { hubId, revision, licence } = card;
  return { ...facts, id: hubId, hubId, revision, licence };
}
