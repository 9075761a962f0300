/** Lists, shows, downloads, chooses and tries models of meaning. The files are the adapters'; the names, model-settings.ts. */

import { hubEndpoint } from '../adapters/embedders/hub-repository.js';
import { modelState } from '../adapters/embedders/model-cache.js';
import { planPull, pullModel } from '../adapters/embedders/pull-model.js';
import { MemoryError } from '../core/errors.js';
import type { CallOptions } from '../core/memory/memory.js';
import type { ModelInput, ModelOutput } from '../core/models.js';
import { checkModel, openNamed } from './check-model.js';
import { listModels, modelNamed, nameOf } from './list-models.js';
import {
  BY_ENVIRONMENT,
  type Environment,
  type ModelReference,
  modelsCache,
  parseReference,
  readModelChoice,
} from './model-settings.js';
import { writeUserConfig } from './user-config.js';

const NOTHING_DONE = { downloadedBytes: 0, embedded: 0, pending: 0 };

/** `vault` is the folder that `--vault` names, if it does. */
export async function manageModels(
  vault: string | undefined,
  input: ModelInput,
  options: CallOptions = {},
  environment: Environment = process.env,
): Promise<ModelOutput> {
  const choice = await readModelChoice(environment);
  const told = { action: input.action, chosen: choice.name, chosenBy: choice.by, ...NOTHING_DONE };
  if (input.action === 'list') {
    const next = '`memory model show <id>` tells more, `memory model pull <id>` downloads one';
    return { ...told, models: await listModels(environment, choice.name), next };
  }
  const needsName = input.action === 'pull' || input.action === 'use';
  if (needsName && input.id === undefined) {
    throw new MemoryError('invalid_input', `model ${input.action} needs the id of a model`, {
      hint: '`memory model list` names them.',
    });
  }
  const reference = parseReference(input.id ?? choice.name);
  const listed = async () => [await modelNamed(reference, environment, choice.name)];
  switch (input.action) {
    case 'show': {
      const models = await listed();
      const next = models[0]!.state === 'not downloaded' ? pullHint(reference) : '';
      return { ...told, models, next };
    }
    case 'pull': {
      const downloadedBytes = await pull(reference, environment, options);
      const next = `\`memory model use ${nameOf(reference)}\` chooses it`;
      return { ...told, models: await listed(), downloadedBytes, next };
    }
    case 'check': {
      const check = await checkModel(reference, environment, options);
      return { ...told, models: await listed(), ...(check === undefined ? {} : { check }), next: '' };
    }
    case 'use':
      return use(vault, reference, input, options, environment);
  }
}

async function use(
  vault: string | undefined,
  reference: ModelReference,
  input: ModelInput,
  options: CallOptions,
  environment: Environment,
): Promise<ModelOutput> {
  let downloadedBytes = 0;
  if (reference.kind === 'hub' && modelState(modelsCache(environment), reference.name) !== 'present') {
    if (!input.yes) {
      throw new MemoryError('not_found', `The model "${nameOf(reference)}" is not downloaded`, {
        hint: `${pullHint(reference)}; with --yes, \`use\` does both.`,
      });
    }
    downloadedBytes = await pull(reference, environment, options);
  }
  // A model that cannot be used is not chosen.
  const model = await openNamed(reference, environment, options.notice);
  await model?.embedQuery('a');
  await model?.release();
  const name = nameOf(reference);
  const chosenBy = await writeUserConfig(environment, 'model', name);
  const choice = await readModelChoice(environment);
  const models = [await modelNamed(reference, environment, choice.name)];
  const done = { action: input.action, chosen: choice.name, chosenBy: choice.by, models, downloadedBytes };
  if (choice.by === BY_ENVIRONMENT) {
    const next = `written into "${chosenBy}"; AGENT_MEMORY_MODEL is "${choice.name}" and goes before it`;
    return { ...done, embedded: 0, pending: 0, next };
  }
  if (reference.kind === 'none')
    return {
      ...done,
      embedded: 0,
      pending: 0,
      next: 'searches are by words alone; servers that run already need a restart',
    };
  return { ...done, ...(await embedVault(vault, options, environment)) };
}

/** A memory of its own: one that is open already goes on with the model that it began with. */
async function embedVault(
  vault: string | undefined,
  options: CallOptions,
  environment: Environment,
): Promise<Pick<ModelOutput, 'embedded' | 'pending' | 'next'>> {
  const { openMemory } = await import('./open-memory.js');
  const opened = await openMemory(vault, {
    environment,
    ...(options.notice === undefined ? {} : { notice: options.notice }),
  }).catch((error: unknown) => {
    if (vault === undefined && error instanceof MemoryError && error.code === 'not_found') return undefined;
    throw error;
  });
  if (opened === undefined)
    return {
      embedded: 0,
      pending: 0,
      next: 'no vault here; each gets its vectors by its next `memory reindex`',
    };
  try {
    const { embedded = 0, pending = 0 } = await opened.reindex({ wait: true }, options);
    const next =
      'servers that run already need a restart; other vaults get their vectors by their next `memory reindex`';
    return { embedded, pending, next };
  } finally {
    await opened.close();
  }
}

async function pull(
  reference: ModelReference,
  environment: Environment,
  { signal, report, notice }: CallOptions,
): Promise<number> {
  if (reference.kind !== 'hub') {
    throw new MemoryError('invalid_input', `"${nameOf(reference)}" is nothing to download`, {
      hint: `Run \`memory model use ${nameOf(reference)}\`.`,
    });
  }
  const endpoint = hubEndpoint(environment);
  const plan = await planPull(reference.name, modelsCache(environment), { endpoint, signal });
  const licence = [plan.licence, ...(plan.licenceUrl === undefined ? [] : [plan.licenceUrl])].join(', ');
  notice?.(
    `${plan.name}: ${megabytes(plan.bytes)}, licence ${licence}; ${plan.hubId} at ${plan.revision.slice(0, 12)} from ${endpoint.host}, into "${plan.folder}"`,
  );
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

function pullHint(reference: ModelReference): string {
  return `\`memory model pull ${nameOf(reference)}\` downloads it`;
}
