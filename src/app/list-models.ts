/** What can be told of each model without opening it: known ones, downloaded ones, and the one that is chosen. */

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findKnownModel, KNOWN_MODELS, type KnownModel } from '../adapters/embedders/known-models.js';
import {
  findKnown,
  findKnownReranker,
  KNOWN_RERANKERS,
  type KnownReranker,
} from '../adapters/embedders/known-rerankers.js';
import { downloadedCards, modelFolder, modelState, readCard } from '../adapters/embedders/model-cache.js';
import { readJson } from '../adapters/embedders/model-file.js';
import type { ListedModel, ModelKind } from '../core/models.js';
import { modelsFolder } from './built-in-model.js';
import {
  type Environment,
  type ModelReference,
  modelsCache,
  nameOf,
  parseReference,
} from './model-settings.js';
import { isReranker } from './reranker-model.js';

/** Names of the models in use: of meaning, and the reranker. */
export type ChosenModels = { readonly meaning: string; readonly reranker: string };

const UNKNOWN: Omit<ListedModel, 'id' | 'kind' | 'state' | 'chosen'> = {
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
  unrelatedCosine: 0,
  folder: '',
};

/** Built-in ones, known ones, others that are downloaded, and what else is chosen. */
export async function listModels(
  environment: Environment,
  chosen: ChosenModels,
): Promise<readonly ListedModel[]> {
  const references: ModelReference[] = [
    { kind: 'static' },
    { kind: 'none' },
    ...[...KNOWN_MODELS, ...KNOWN_RERANKERS].map(({ id }): ModelReference => ({ kind: 'hub', name: id })),
    ...downloadedOthers(modelsCache(environment)),
  ];
  for (const name of [chosen.meaning, chosen.reranker]) {
    const named = referenceOrUndefined(name);
    if (named !== undefined && !references.some((one) => nameOf(one) === nameOf(named)))
      references.push(named);
  }
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
  const others = downloadedCards(cache).filter(({ hubId }) => findKnown(hubId) === undefined);
  return others.map(({ hubId }) => ({ kind: 'hub', name: hubId }));
}

export function modelNamed(
  reference: ModelReference,
  environment: Environment,
  chosen: ChosenModels,
): ListedModel {
  const id = nameOf(reference);
  const kind = kindOf(reference, environment);
  const named = referenceOrUndefined(kind === 'reranker' ? chosen.reranker : chosen.meaning);
  const shared = { ...UNKNOWN, id, kind, chosen: named !== undefined && nameOf(named) === id };
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

function kindOf(reference: ModelReference, environment: Environment): ModelKind {
  if (isReranker(reference, environment)) return 'reranker';
  if (reference.kind === 'none') return 'none';
  return reference.kind === 'static' || reference.kind === 'table' ? 'table' : 'encoder';
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
  const reranker = findKnownReranker(name);
  if (reranker !== undefined) return { ...sharedFacts(reranker), state, folder };
  const card = readCard(folder);
  const bytes = card?.files.reduce((sum, file) => sum + file.bytes, 0) ?? 0;
  const { licence = '', revision = '' } = card ?? {};
  return { state, hub: name, revision, licence, bytes, folder };
}

function factsOf(model: KnownModel): Partial<ListedModel> {
  const { dimensions, cutTo, pooling, queryInstruction, passageInstruction, unrelatedCosine = 0 } = model;
  const instructions = { queryInstruction, passageInstruction };
  return { ...sharedFacts(model), dimensions, cutTo, pooling, ...instructions, unrelatedCosine };
}

function sharedFacts(model: KnownModel | KnownReranker): Partial<ListedModel> {
  const { hubId, revision, maxTokens, bytes, licence, languages = [], about } = model;
  return { maxTokens, bytes, licence, languages, about, hub: hubId, revision };
}
