/** Which embedder a name stands for. Models are opened by static-embedder.ts and model2vec.ts, loaded when needed. */

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type { Embedder } from '../../core/ports.js';

const BUILT_IN = 'static';
const WITHOUT = 'none';
/** The built-in model, in the folder of models. */
const BUILT_IN_FOLDER = 'static-english-192';
/** One of them is enough to tell what the folder is meant to be. */
const STATIC_FILES = ['model.json', 'vocabulary.bin'];

export type EmbedderPlaces = { readonly modelsFolder: string };

/**
 * `static`, or nothing, is the built-in model, `none` is no embedder, anything else is the folder of a model: one of
 * our own format, or of model2vec. Throws `invalid_input` for other names and folders.
 */
export async function openEmbedder(
  reference: string | undefined,
  { modelsFolder }: EmbedderPlaces,
): Promise<Embedder | undefined> {
  if (reference === WITHOUT) return undefined;
  if (reference === undefined || reference === BUILT_IN)
    return openStatic(join(modelsFolder, BUILT_IN_FOLDER));
  if (!statSync(reference, { throwIfNoEntry: false })?.isDirectory()) {
    throw new MemoryError('invalid_input', `There is no embedder "${reference}"`, { hint: choices() });
  }
  // Files are opened later, when the process may be in another folder.
  const folder = resolve(reference);
  if (STATIC_FILES.some((name) => existsSync(join(folder, name)))) return openStatic(folder);
  const { findModel2vec, openModel2vec } = await import('./model2vec.js');
  if (findModel2vec(folder) !== undefined) return openModel2vec(folder);
  throw new MemoryError('invalid_input', `The folder "${reference}" holds no model that can be read`, {
    hint: choices(),
  });
}

async function openStatic(folder: string): Promise<Embedder> {
  return (await import('./static-embedder.js')).openStaticEmbedder(folder);
}

function choices(): string {
  return `Use ${BUILT_IN}, ${WITHOUT}, or a folder with model.json, vocabulary.bin and vectors.bin, or with tokenizer.json and model.safetensors.`;
}
