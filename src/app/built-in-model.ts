/**
 * The models of a process: the table of word vectors, and the further model if one is chosen. Each is opened when first
 * asked for. Which they are: model-settings.ts.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryError, toMemoryError } from '../core/errors.js';
import type { Embedder } from '../core/ports.js';
import type { ModelReference } from './model-settings.js';
import { userConfigPath } from './user-config.js';

type Environment = Readonly<Record<string, string | undefined>>;

type OpenModel = () => Promise<Embedder | undefined>;

export type ProcessModels = {
  readonly embedder: OpenModel;
  /** Undefined where none is chosen. */
  readonly further: OpenModel | undefined;
};

type Notice = (text: string) => void;

/** Opens none of them. Where nobody chose, that costs one look for the file of settings. */
export async function modelsOf(environment: Environment, notice?: Notice): Promise<ProcessModels> {
  const set = environment['AGENT_MEMORY_MODEL'];
  if (set === 'none') return { embedder: async () => undefined, further: undefined };
  const isChosen = set ? set !== 'static' : existsSync(userConfigPath(environment));
  return isChosen
    ? chosenModels(environment, notice)
    : { embedder: once(() => openTable()), further: undefined };
}

async function chosenModels(environment: Environment, notice: Notice | undefined): Promise<ProcessModels> {
  const { BY_ENVIRONMENT, parseReference, readModelChoice } = await import('./model-settings.js');
  let by = '';
  try {
    const choice = await readModelChoice(environment);
    by = choice.by;
    const reference = parseReference(choice.name);
    if (reference.kind === 'none') return { embedder: async () => undefined, further: undefined };
    if (reference.kind === 'table')
      return { embedder: once(() => openTable(reference.folder)), further: undefined };
    const further = () =>
      openFurther(reference, environment, notice).catch((error: unknown) => {
        throw by === BY_ENVIRONMENT ? error : asUnavailable(error);
      });
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

/** A name for this very process must be right. Settings of long ago should not keep anybody from searching. */
function asUnavailable(error: unknown, path?: string): MemoryError {
  const { message, hint } = toMemoryError(error);
  const full = path === undefined || message.includes(path) ? message : `${message} (${path})`;
  return new MemoryError('unavailable', full, { ...(hint === undefined ? {} : { hint }), cause: error });
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
  notice: Notice | undefined,
): Promise<Embedder | undefined> {
  return (await import('./further-model.js')).openFurtherModel(reference, environment, notice);
}

function once(open: OpenModel): OpenModel {
  let opened: Promise<Embedder | undefined> | undefined;
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
