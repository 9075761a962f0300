/** What ranking needs of the whole collection beside its arrays, which are in the kernel's memory. */

import type { CollectionShape } from './evidence.js';
import { type Kernel, kernelWith } from './kernel.js';

export type Collection = {
  readonly shape: CollectionShape;
  /** One more than the highest note number. */
  readonly noteLimit: number;
  /** Mean terms by note of all text, and of the head; at least 1. */
  readonly averageBody: number;
  readonly averageHead: number;
  /** Mean terms of a passage of text. */
  readonly averagePassage: number;
};

const counted = new WeakMap<CollectionShape, Collection>();

export function collectionOf(shape: CollectionShape): Collection {
  let collection = counted.get(shape);
  if (collection === undefined) counted.set(shape, (collection = measure(shape, kernelWith(shape))));
  return collection;
}

function measure(shape: CollectionShape, kernel: Kernel): Collection {
  const notes = Math.max(1, shape.noteCount);
  const totalBody = kernel.totalBody.value;
  return {
    shape,
    noteLimit: kernel.noteLimit.value,
    averageBody: Math.max(1, totalBody / notes),
    averageHead: Math.max(1, kernel.totalHead.value / notes),
    averagePassage: Math.max(1, totalBody / Math.max(1, kernel.textPassages.value)),
  };
}
