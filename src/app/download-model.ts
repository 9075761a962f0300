/** Downloads the model that a name stands for: says first what it is, and asks first where somebody can be asked. */

import { hubEndpoint } from '../adapters/embedders/hub-repository.js';
import { modelState } from '../adapters/embedders/model-cache.js';
import { planPull, pullModel } from '../adapters/embedders/pull-model.js';
import { MemoryError } from '../core/errors.js';
import type { CallOptions } from '../core/memory/memory.js';
import { type Environment, type ModelReference, modelsCache, nameOf } from './model-settings.js';

/** Returns how many bytes were downloaded now. Throws `unavailable` where the answer was no. */
export async function downloadModel(
  reference: ModelReference,
  environment: Environment,
  { signal, report, notice, confirm }: CallOptions,
): Promise<number> {
  const name = nameOf(reference);
  if (reference.kind !== 'hub') {
    throw new MemoryError('invalid_input', `"${name}" is nothing to download`, {
      hint: `Run \`memory model use ${name}\`.`,
    });
  }
  const endpoint = hubEndpoint(environment);
  const plan = await planPull(reference.name, modelsCache(environment), { endpoint, signal });
  const licence = [plan.licence, ...(plan.licenceUrl === undefined ? [] : [plan.licenceUrl])].join(', ');
  notice?.(
    `${plan.name}: ${megabytes(plan.bytes)}, licence ${licence}; ${plan.hubId} at ${plan.revision.slice(0, 12)} from ${endpoint.host}, into "${plan.folder}"`,
  );
  const isThere = modelState(modelsCache(environment), reference.name) === 'present';
  if (!isThere && confirm !== undefined && !(await confirm('Download it?'))) {
    throw new MemoryError('unavailable', `The model "${name}" was not downloaded, since nobody said yes`, {
      hint: `\`memory model pull ${name}\` asks again; with --yes it does not ask.`,
    });
  }
  const { downloadedBytes } = await pullModel(plan, {
    endpoint,
    signal,
    report: (progress) => report?.({ ...progress, unit: 'bytes' }),
  });
  return downloadedBytes;
}

function megabytes(bytes: number): string {
  return bytes === 0 ? 'size unknown' : `${(bytes / 1e6).toFixed(1)} MB`;
}
