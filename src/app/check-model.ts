/** Tries a model: whether it opens, how fast it is, and whether it tells a text that answers from one that does not. */

import type { CallOptions } from '../core/memory/memory.js';
import type { ModelCheck } from '../core/models.js';
import { openFurther, openTable } from './built-in-model.js';
import type { Environment, ModelReference } from './model-settings.js';
import { isReranker, openReranker } from './reranker-model.js';

const QUESTION = 'How can the program start faster?';
/** In other words, and of something else with about as many. */
const ANSWER =
  'To reduce the time until the software is ready, load libraries only when they are first needed.';
const OTHER =
  'The dough rests overnight in a cool place, and is baked in the morning until its crust is brown.';

/** Undefined where there is no model to try. */
export async function checkModel(
  reference: ModelReference,
  environment: Environment,
  options: CallOptions,
): Promise<ModelCheck | undefined> {
  if (isReranker(reference, environment)) return checkReranker(reference, environment, options);
  const model = await openNamed(reference, environment, options.notice);
  if (model === undefined) return undefined;
  try {
    const startMs = performance.now();
    const question = await model.embedQuery(QUESTION);
    const openedMs = performance.now();
    const passages = await model.embedPassages([ANSWER, OTHER]);
    const endMs = performance.now();
    const { id, dimensions } = model.model;
    return {
      model: id,
      dimensions,
      openMs: tenths(openedMs - startMs),
      textMs: tenths((endMs - openedMs) / 2),
      near: cosine(question.vector, passages.subarray(0, dimensions)),
      far: cosine(question.vector, passages.subarray(dimensions)),
    };
  } finally {
    await model.release();
  }
}

async function checkReranker(
  reference: ModelReference,
  environment: Environment,
  { notice }: CallOptions,
): Promise<ModelCheck> {
  const reranker = await openReranker(reference, environment, { notice });
  try {
    const startMs = performance.now();
    const [near] = await reranker.score(QUESTION, [ANSWER]);
    const openedMs = performance.now();
    const [far] = await reranker.score(QUESTION, [OTHER]);
    const endMs = performance.now();
    return {
      model: reranker.model.id,
      dimensions: 0,
      openMs: tenths(openedMs - startMs),
      textMs: tenths(endMs - openedMs),
      near: thousandths(near!),
      far: thousandths(far!),
    };
  } finally {
    await reranker.release();
  }
}

/** Undefined for `none`. */
export async function openNamed(
  reference: ModelReference,
  environment: Environment,
  notice: CallOptions['notice'],
) {
  if (reference.kind === 'none') return undefined;
  if (reference.kind === 'static') return openTable();
  if (reference.kind === 'table') return openTable(reference.folder);
  return openFurther(reference, environment, { notice });
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let product = 0;
  let aSquares = 0;
  let bSquares = 0;
  for (let at = 0; at < a.length; at += 1) {
    product += a[at]! * b[at]!;
    aSquares += a[at]! ** 2;
    bSquares += b[at]! ** 2;
  }
  const length = Math.sqrt(aSquares * bSquares);
  return length === 0 ? 0 : thousandths(product / length);
}

function thousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

function tenths(ms: number): number {
  return Math.round(ms * 10) / 10;
}
