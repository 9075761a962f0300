/**
 * Models on the disk: one folder for each below the user's cache folder, with a card that says where its files are from
 * and what they must be. pull-model.ts fills it.
 */

import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelFile } from './known-models.js';
import { findKnown } from './known-rerankers.js';
import { isObject } from './model-file.js';

export type ModelState = 'absent' | 'incomplete' | 'present';

/** What the card of a downloaded model says. */
export type ModelCard = {
  readonly hubId: string;
  readonly revision: string;
  readonly licence: string;
  readonly files: readonly ModelFile[];
};

const CARD_NAME = 'agent-memory.json';
const GATHERING_ENDING = '.part';
/** A model on its way out. */
const OLD_ENDING = '.old';

/** Where the files of a model lie, or will. Known models go by their id, others by their repository. */
export function modelFolder(modelsFolder: string, name: string): string {
  return join(modelsFolder, folderName(findKnown(name)?.id ?? name));
}

/** Where they are gathered before they are all there. */
export function gatheringFolder(folder: string): string {
  return `${folder}${GATHERING_ENDING}`;
}

function folderName(id: string): string {
  return id.replaceAll('/', '--');
}

/** Looks at names and sizes alone. */
export function modelState(modelsFolder: string, name: string): ModelState {
  const folder = modelFolder(modelsFolder, name);
  const card = readCard(folder);
  if (card !== undefined && isSameModel(card, findKnown(name)) && card.files.every(isThere(folder)))
    return 'present';
  return isFolder(folder) || isFolder(gatheringFolder(folder)) ? 'incomplete' : 'absent';
}

/** Cards of all downloaded models, in the order of their folders' names. */
export function downloadedCards(modelsFolder: string): readonly ModelCard[] {
  if (!isFolder(modelsFolder)) return [];
  const names = readdirSync(modelsFolder).filter((name) => !/\.(part|old)$/.test(name));
  return names.sort().flatMap((name) => readCard(join(modelsFolder, name)) ?? []);
}

function isThere(folder: string): (file: ModelFile) => boolean {
  return ({ path, bytes }) => statSync(join(folder, path), { throwIfNoEntry: false })?.size === bytes;
}

/** Another version of the program may have downloaded another version of the model. */
function isSameModel(card: ModelCard, known: Pick<ModelCard, 'hubId' | 'revision'> | undefined): boolean {
  return known === undefined || (card.hubId === known.hubId && card.revision === known.revision);
}

/** Undefined where there is none that can be read. */
export function readCard(folder: string): ModelCard | undefined {
  try {
    const card: unknown = JSON.parse(readFileSync(join(folder, CARD_NAME), 'utf8'));
    return isCard(card) ? card : undefined;
  } catch {
    return undefined;
  }
}

function isCard(value: unknown): value is ModelCard {
  return (
    isObject(value) &&
    ['hubId', 'revision', 'licence'].every((key) => typeof value[key] === 'string') &&
    Array.isArray(value['files']) &&
    value['files'].every(
      (file) => isObject(file) && typeof file['path'] === 'string' && typeof file['bytes'] === 'number',
    )
  );
}

/** Makes the gathered files the model: from one moment to the next. */
export function finishModel(folder: string, card: ModelCard): void {
  const gathered = gatheringFolder(folder);
  writeFileSync(join(gathered, CARD_NAME), `${JSON.stringify(card, undefined, 2)}\n`);
  const old = `${folder}${OLD_ENDING}`;
  rmSync(old, { recursive: true, force: true });
  if (isFolder(folder)) renameSync(folder, old);
  renameSync(gathered, folder);
  rmSync(old, { recursive: true, force: true });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
