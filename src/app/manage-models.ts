/** Lists, shows, downloads, chooses and tries models of meaning and rerankers. The files are the adapters'; the names, model-settings.ts. */

import { modelState } from '../adapters/embedders/model-cache.js';
import { MemoryError } from '../core/errors.js';
import type { CallOptions } from '../core/memory/memory.js';
import type { ModelInput, ModelOutput } from '../core/models.js';
import { checkModel, openNamed } from './check-model.js';
import { downloadModel } from './download-model.js';
import { type ChosenModels, listModels, modelNamed } from './list-models.js';
import {
  BY_ENVIRONMENT,
  type Environment,
  type ModelReference,
  modelsCache,
  nameOf,
  parseReference,
  RERANKER_BY_ENVIRONMENT,
  readModelChoice,
  readRerankerChoice,
} from './model-settings.js';
import { isReranker, openReranker } from './reranker-model.js';
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
  const chosen = await chosenModels(environment);
  const told = {
    action: input.action,
    chosen: choice.name,
    chosenBy: choice.by,
    reranker: chosen.reranker,
    ...NOTHING_DONE,
  };
  if (input.action === 'list') {
    const next = '`memory model show <id>` tells more, `memory model pull <id>` downloads one';
    return { ...told, models: await listModels(environment, chosen), next };
  }
  const needsName = input.action === 'pull' || input.action === 'use';
  if (needsName && input.id === undefined) {
    throw new MemoryError('invalid_input', `model ${input.action} needs the id of a model`, {
      hint: '`memory model list` names them.',
    });
  }
  const reference = parseReference(input.id ?? choice.name);
  const asking = input.yes ? { ...options, confirm: undefined } : options;
  const listed = async () => [modelNamed(reference, environment, chosen)];
  switch (input.action) {
    case 'show': {
      const models = await listed();
      const next = models[0]!.state === 'not downloaded' ? pullHint(reference) : '';
      return { ...told, models, next };
    }
    case 'pull': {
      const downloadedBytes = await downloadModel(reference, environment, asking);
      const next = `\`memory model use ${nameOf(reference)}\` chooses it`;
      return { ...told, models: await listed(), downloadedBytes, next };
    }
    case 'check': {
      const check = await checkModel(reference, environment, options);
      return { ...told, models: await listed(), ...(check === undefined ? {} : { check }), next: '' };
    }
    case 'use':
      return use(vault, reference, input, asking, environment);
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
    if (!input.yes && options.confirm === undefined) {
      throw new MemoryError('not_found', `The model "${nameOf(reference)}" is not downloaded`, {
        hint: `${pullHint(reference)}; with --yes, \`use\` does both.`,
      });
    }
    downloadedBytes = await downloadModel(reference, environment, options);
  }
  if (isReranker(reference, environment))
    return useReranker(reference, downloadedBytes, options, environment);
  // A model that cannot be used is not chosen.
  const model = await openNamed(reference, environment, options.notice);
  await model?.embedQuery('a');
  await model?.release();
  const name = nameOf(reference);
  const chosenBy = await writeUserConfig(environment, 'model', name);
  const choice = await readModelChoice(environment);
  const chosen = await chosenModels(environment);
  const models = [modelNamed(reference, environment, chosen)];
  const done = {
    action: input.action,
    chosen: choice.name,
    chosenBy: choice.by,
    reranker: chosen.reranker,
    models,
    downloadedBytes,
  };
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

/** Beside the model of meaning, which stays as it is. */
async function useReranker(
  reference: ModelReference,
  downloadedBytes: number,
  { notice }: CallOptions,
  environment: Environment,
): Promise<ModelOutput> {
  // A model that cannot be used is not chosen.
  const reranker = await openReranker(reference, environment, { notice });
  await reranker.score('a', ['a']);
  await reranker.release();
  const path = await writeUserConfig(environment, 'reranker', nameOf(reference));
  const { name, by } = await readModelChoice(environment);
  const chosen = await chosenModels(environment);
  const isOther = (await readRerankerChoice(environment)).by === RERANKER_BY_ENVIRONMENT;
  const next = isOther
    ? `written into "${path}"; ${RERANKER_BY_ENVIRONMENT} is "${chosen.reranker}" and goes before it`
    : '`memory search --profile precise` asks it; servers that run already need a restart';
  return {
    action: 'use',
    chosen: name,
    chosenBy: by,
    reranker: chosen.reranker,
    models: [modelNamed(reference, environment, chosen)],
    ...NOTHING_DONE,
    downloadedBytes,
    next,
  };
}

async function chosenModels(environment: Environment): Promise<ChosenModels> {
  const meaning = (await readModelChoice(environment)).name;
  return { meaning, reranker: (await readRerankerChoice(environment)).name };
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

function pullHint(reference: ModelReference): string {
  return `\`memory model pull ${nameOf(reference)}\` downloads it`;
}
