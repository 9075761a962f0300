/** What can be told of each model without opening it: known ones, downloaded ones, and the one that is chosen. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findKnownModel, KNOWN_MODELS, type KnownModel } from '../adapters/embedders/known-models.js';
import { downloadedCards, modelFolder, modelState, readCard } from '../adapters/embedders/model-cache.js';
import { readJson } from '../adapters/embedders/model-file.js';
import type { ListedModel } from '../core/models.js';
import { modelsFolder } from './built-in-model.js';
import { type Environment, type ModelReference, modelsCache, parseReference } from './model-settings.js';

const UNKNOWN: Omit<ListedModel, 'id' | 'state' | 'chosen'> = {
  dimensions: 0,
  cutTo: [],
  maxTokens: 0,
  bytes: 0,
  licence: '',
  languages: [],
  about: '',
  hub: '',
  revision: '',
  pooling: '',
  queryInstruction: '',
  passageInstruction: '',
  folder: '',
};

/** The name by which a model is chosen. */
export function nameOf(reference: ModelReference): string {
  switch (reference.kind) {
    case 'static':
    case 'none':
      return reference.kind;
    case 'hub':
      return findKnownModel(reference.name)?.id ?? `transformers:${reference.name}`;
    case 'endpoint':
      return `${reference.url}#${encodeURIComponent(reference.model)}`;
    case 'table':
      return reference.folder;
    case 'folder':
      return `transformers:${reference.folder}`;
  }
}

/** Built-in ones, known ones, others that are downloaded, and what else is chosen. */
export async function listModels(environment: Environment, chosen: string): Promise<readonly ListedModel[]> {
  const references: ModelReference[] = [
    { kind: 'static' },
    { kind: 'none' },
    ...KNOWN_MODELS.map(({ id }): ModelReference => ({ kind: 'hub', name: id })),
    ...downloadedOthers(modelsCache(environment)),
  ];
  const named = referenceOrUndefined(chosen);
  if (named !== undefined && !references.some((one) => nameOf(one) === nameOf(named))) references.push(named);
  return references.map((one) => modelNamed(one, environment, chosen));
}

function referenceOrUndefined(name: string): ModelReference | undefined {
  try {
    return parseReference(name);
  } catch {
    return undefined;
  }
}

function downloadedOthers(cache: string): readonly ModelReference[] {
  const others = downloadedCards(cache).filter(({ hubId }) => findKnownModel(hubId) === undefined);
  return others.map(({ hubId }) => ({ kind: 'hub', name: hubId }));
}

export function modelNamed(reference: ModelReference, environment: Environment, chosen: string): ListedModel {
  const id = nameOf(reference);
  const named = referenceOrUndefined(chosen);
  const shared = { ...UNKNOWN, id, chosen: named !== undefined && nameOf(named) === id };
  switch (reference.kind) {
    case 'none':
      return { ...shared, state: 'built in', about: 'by words alone' };
    case 'static':
      return { ...shared, ...builtInTable(), state: 'built in' };
    case 'table':
    case 'folder':
      return { ...shared, state: 'folder', folder: reference.folder };
    case 'endpoint':
      return { ...shared, state: 'endpoint' };
    case 'hub':
      return { ...shared, ...hubModel(reference.name, modelsCache(environment)) };
  }
}

function builtInTable() {
  const folder = join(modelsFolder(), 'static-english-192');
  const card = readJson(join(folder, 'model.json'));
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const languages = Array.isArray(card['languages']) ? card['languages'].map(String) : [];
  const licence = String(card['licence'] ?? '').split(';')[0] ?? '';
  const about = 'comes with the program, and stays beside a further model';
  return { dimensions: Number(card['dimensions']), bytes, licence, languages, about, folder };
}

function hubModel(name: string, cache: string): Partial<ListedModel> & Pick<ListedModel, 'state'> {
  const folder = modelFolder(cache, name);
  const found = modelState(cache, name);
  const states = { present: 'downloaded', incomplete: 'incomplete', absent: 'not downloaded' } as const;
  const state = states[found];
  const known = findKnownModel(name);
  if (known !== undefined) return { ...factsOf(known), state, folder };
  const card = readCard(folder);
  const bytes = card?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0;
  const { licence = '', revision = '' } = card ?? {};
  return { state, hub: name, revision, licence, bytes, folder };
}

function factsOf({ hubId, languages = [], ...model }: KnownModel): Partial<ListedModel> {
  const { dimensions, cutTo, maxTokens, bytes, licence, about, revision, pooling } = model;
  const { queryInstruction, passageInstruction } = model;
  return {
    dimensions,
    cutTo,
    maxTokens,
    bytes,
    licence,
    languages,
    about,
    hub: hubId,
    revision,
    pooling,
    queryInstruction,
    passageInstruction,
  };
}
