/**
 * The models of a process: the table of word vectors, and the further model and the reranker if one is chosen. Each is
 * opened when first asked for. Which they are: model-settings.ts.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CallOptions } from '../core/memory/memory.js';
import type { Embedder, Reranker } from '../core/ports.js';
import { asUnavailable } from './as-unavailable.js';
import type { ModelReference } from './model-settings.js';
import { userConfigPath } from './user-config.js';

type Environment = Readonly<Record<string, string | undefined>>;

type OpenModel = () => Promise<Embedder | undefined>;

export type ProcessModels = {
  readonly embedder: OpenModel;
  /** Undefined where none is chosen. */
  readonly further: OpenModel | undefined;
  /** Gives undefined where none is chosen, which is looked up when it is first asked for. */
  readonly reranker: () => Promise<Reranker | undefined>;
};

type MeaningModels = Omit<ProcessModels, 'reranker'>;

/** Opens none of them. Where nobody chose, that costs one look for the file of settings. */
export async function modelsOf(environment: Environment, options: CallOptions = {}): Promise<ProcessModels> {
  const reranker = async () =>
    (await import('./reranker-model.js')).openChosenReranker(environment, { notice: options.notice });
  return { ...(await meaningModels(environment, options)), reranker: once(reranker) };
}

async function meaningModels(environment: Environment, options: CallOptions): Promise<MeaningModels> {
  const set = environment['AGENT_MEMORY_MODEL'];
  if (set === 'none') return { embedder: async () => undefined, further: undefined };
  const isChosen = set ? set !== 'static' : existsSync(userConfigPath(environment));
  return isChosen
    ? chosenModels(environment, options)
    : { embedder: once(() => openTable()), further: undefined };
}

async function chosenModels(environment: Environment, options: CallOptions): Promise<MeaningModels> {
  const { BY_ENVIRONMENT, parseReference, readModelChoice } = await import('./model-settings.js');
  let by = '';
  try {
    const choice = await readModelChoice(environment);
    by = choice.by;
    const reference = parseReference(choice.name);
    if (reference.kind === 'none') return { embedder: async () => undefined, further: undefined };
    if (reference.kind === 'table')
      return { embedder: once(() => openTable(reference.folder)), further: undefined };
    let { confirm } = options;
    const further = () => {
      const asking = { ...options, confirm };
      // Who has said no is not asked again.
      confirm = undefined;
      return openFurther(reference, environment, asking).catch((error: unknown) => {
        throw by === BY_ENVIRONMENT ? error : asUnavailable(error);
      });
    };
    return {
      embedder: once(() => openTable()),
      further: reference.kind === 'static' ? undefined : once(further),
    };
  } catch (error) {
    if (by === BY_ENVIRONMENT) return { embedder: () => Promise.reject(error), further: undefined };
    const failure = asUnavailable(error, userConfigPath(environment));
    return { embedder: once(() => openTable()), further: () => Promise.reject(failure) };
  }
}

/** A static model, the built-in one unless another folder is given. */
export async function openTable(folder?: string): Promise<Embedder | undefined> {
  const { openEmbedder } = await import('../adapters/embedders/open-embedder.js');
  return openEmbedder(folder, { modelsFolder: modelsFolder() });
}

/** Throws `unavailable` for a model that is not downloaded. */
export async function openFurther(
  reference: ModelReference,
  environment: Environment,
  options: CallOptions,
): Promise<Embedder | undefined> {
  return (await import('./further-model.js')).openFurtherModel(reference, environment, options);
}

function once<M>(open: () => Promise<M>): () => Promise<M> {
  let opened: Promise<M> | undefined;
  return () => {
    opened ??= open();
    // What failed may be mended before the next call of a long process.
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
}

/** `models` of the package: beside dist/ in the bundle, beside src/ in the sources. */
export function modelsFolder(): string {
  const here = import.meta.dirname;
  for (const up of ['..', '../..', '../../..']) {
    const folder = join(here, up, 'models');
    if (existsSync(folder)) return folder;
  }
  return join(here, '..', 'models');
}
