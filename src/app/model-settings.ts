/**
 * Which model a process uses and how: from the environment, else from the user's settings. What a name stands for is
 * decided here; models are opened in built-in-model.ts.
 */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isHubId, KNOWN_MODELS } from '../adapters/embedders/known-models.js';
import { findKnown, KNOWN_RERANKERS } from '../adapters/embedders/known-rerankers.js';
import { DEVICES, type Device } from '../adapters/embedders/model-facts.js';
import { MemoryError } from '../core/errors.js';
import { nearestName } from '../core/text/nearest-name.js';
import { expandHome } from './find-vault.js';
import { userCacheFolder } from './index-place.js';
import { readUserConfig, userConfigPath } from './user-config.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export type ModelReference =
  | { readonly kind: 'static' }
  | { readonly kind: 'none' }
  /** Static, in place of the built-in one. */
  | { readonly kind: 'table'; readonly folder: string }
  /** Known by its id, or any of the hub by its repository. */
  | { readonly kind: 'hub'; readonly name: string }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'endpoint'; readonly url: string; readonly model: string };

/** Which name counts, and who gave it: a variable of the environment, the path of the settings, or nobody. */
export type ModelChoice = { readonly name: string; readonly by: string };

/** How a further model is opened. */
export type ModelTuning = {
  readonly dimensions: number | undefined;
  /** In place of the model's own; empty for none. */
  readonly queryInstruction: string | undefined;
  readonly device: Device;
  /** Endpoints may be on other machines. */
  readonly allowRemote: boolean;
};

export const BY_ENVIRONMENT = 'AGENT_MEMORY_MODEL';
export const RERANKER_BY_ENVIRONMENT = 'AGENT_MEMORY_RERANKER';
const ENDPOINT = /^https?:\/\//i;
const TRANSFORMERS = 'transformers:';

/** Throws `invalid_input` for settings that cannot be read. */
export async function readModelChoice(environment: Environment): Promise<ModelChoice> {
  const set = environment[BY_ENVIRONMENT];
  if (set) return { name: set, by: BY_ENVIRONMENT };
  const name = (await readUserConfig(environment)).get('model');
  if (name) return { name, by: userConfigPath(environment) };
  return { name: 'static', by: '' };
}

/** None unless one is chosen. Throws `invalid_input` for settings that cannot be read. */
export async function readRerankerChoice(environment: Environment): Promise<ModelChoice> {
  const set = environment[RERANKER_BY_ENVIRONMENT];
  if (set) return { name: set, by: RERANKER_BY_ENVIRONMENT };
  const name = (await readUserConfig(environment)).get('reranker');
  if (name) return { name, by: userConfigPath(environment) };
  return { name: 'none', by: '' };
}

export async function readModelTuning(environment: Environment): Promise<ModelTuning> {
  const settings = await readUserConfig(environment);
  const given = (variable: string, key: string) =>
    environment[variable] === undefined
      ? { text: settings.get(key), from: `"${key}" in "${userConfigPath(environment)}"` }
      : { text: environment[variable], from: variable };
  return {
    dimensions: readDimensions(given('AGENT_MEMORY_DIM', 'dimensions')),
    queryInstruction: given('AGENT_MEMORY_QUERY_INSTRUCT', 'query-instruction').text,
    device: readDevice(given('AGENT_MEMORY_DEVICE', 'device')),
    allowRemote: settings.get('allow-remote') === 'true',
  };
}

type Given = { readonly text: string | undefined; readonly from: string };

function readDimensions({ text, from }: Given): number | undefined {
  if (!text) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new MemoryError('invalid_input', `${from} is "${text}", which is no number of dimensions`, {
    hint: '`memory model show <id>` says which a model has; without it, all are used.',
  });
}

function readDevice({ text, from }: Given): Device {
  const device = DEVICES.find((name) => name === (text || 'auto'));
  if (device !== undefined) return device;
  throw new MemoryError('invalid_input', `${from} is "${text}", which is no device`, {
    hint: `One of ${DEVICES.join(', ')}.`,
  });
}

/** Throws `invalid_input` for what names no model. */
export function parseReference(name: string): ModelReference {
  if (name === 'static' || name === 'none') return { kind: name };
  if (ENDPOINT.test(name)) return parseEndpoint(name);
  const isTransformers = name.startsWith(TRANSFORMERS);
  const bare = isTransformers ? name.slice(TRANSFORMERS.length) : name;
  const known = findKnown(bare);
  if (known !== undefined) return { kind: 'hub', name: known.id };
  const folder = resolve(expandHome(bare));
  if (bare !== '' && statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return { kind: !isTransformers && holdsTable(folder) ? 'table' : 'folder', folder };
  if (isTransformers && isHubId(bare)) return { kind: 'hub', name: bare };
  throw noModel(name, bare);
}

function noModel(name: string, bare: string): MemoryError {
  const near = nearestName(bare, [
    'static',
    'none',
    ...[...KNOWN_MODELS, ...KNOWN_RERANKERS].map(({ id }) => id),
  ]);
  if (near !== undefined)
    return new MemoryError('invalid_input', `There is no model "${name}"`, { hint: `Did you mean ${near}?` });
  const hint = isHubId(bare)
    ? `For a repository of the hub, write ${TRANSFORMERS}${bare}.`
    : '`memory model list` names some; a folder with a model, or an endpoint like http://127.0.0.1:11434#name, is one too.';
  return new MemoryError('invalid_input', `There is no model "${name}"`, { hint });
}

function parseEndpoint(name: string): ModelReference {
  if (URL.canParse(name)) {
    const url = new URL(name);
    const model = decodeURIComponent(url.hash.slice(1));
    url.hash = '';
    if (model !== '') return { kind: 'endpoint', url: url.href, model };
  }
  throw new MemoryError('invalid_input', `"${name}" names no model of an endpoint`, {
    hint: 'Put the name of the model behind a #, as in http://127.0.0.1:11434#nomic-embed-text.',
  });
}

/** The name by which a model is chosen. */
export function nameOf(reference: ModelReference): string {
  switch (reference.kind) {
    case 'static':
    case 'none':
      return reference.kind;
    case 'hub':
      return findKnown(reference.name)?.id ?? `${TRANSFORMERS}${reference.name}`;
    case 'endpoint':
      return `${reference.url}#${encodeURIComponent(reference.model)}`;
    case 'table':
      return reference.folder;
    case 'folder':
      return `${TRANSFORMERS}${reference.folder}`;
  }
}

/** Files of ONNX make an encoder; all else is left to the static embedders to recognise. */
function holdsTable(folder: string): boolean {
  if (existsSync(join(folder, 'model.json')) || existsSync(join(folder, 'vocabulary.bin'))) return true;
  const isOnnx = (name: string) => name.endsWith('.onnx');
  const onnx = join(folder, 'onnx');
  return !readdirSync(folder).some(isOnnx) && !(existsSync(onnx) && readdirSync(onnx).some(isOnnx));
}

/** Where downloaded models are. */
export function modelsCache(environment: Environment): string {
  return join(userCacheFolder(environment), 'agent-memory', 'models');
}
