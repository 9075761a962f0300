/** What scoring needs of the whole collection, counted once for each shape: lengths of notes, places of passages. */

import type { CollectionShape } from './evidence.js';

export type Collection = {
  readonly shape: CollectionShape;
  /** One more than the highest note number. */
  readonly noteLimit: number;
  /** By note number: its first passage, the head, and how many passages it has. */
  readonly firstPassage: Uint32Array;
  readonly passageCount: Uint32Array;
  /** By note number: terms of all text, and of the head. */
  readonly bodyLength: Uint32Array;
  readonly headLength: Uint32Array;
  /** Means by note, at least 1. */
  readonly averageBody: number;
  readonly averageHead: number;
  /** Mean terms of a passage of text. */
  readonly averagePassage: number;
};

const counted = new WeakMap<CollectionShape, Collection>();

export function collectionOf(shape: CollectionShape): Collection {
  let collection = counted.get(shape);
  if (collection === undefined) counted.set(shape, (collection = countCollection(shape)));
  return collection;
}

function countCollection(shape: CollectionShape): Collection {
  const { noteOf, bodyLength: passageBody, otherLength } = shape;
  let noteLimit = 1;
  for (let p = 0; p < noteOf.length; p++) if (noteOf[p]! >= noteLimit) noteLimit = noteOf[p]! + 1;
  const firstPassage = new Uint32Array(noteLimit);
  const passageCount = new Uint32Array(noteLimit);
  const bodyLength = new Uint32Array(noteLimit);
  const headLength = new Uint32Array(noteLimit);
  let textPassages = 0;
  let totalBody = 0;
  let totalHead = 0;
  for (let p = 0; p < noteOf.length; p++) {
    const note = noteOf[p]!;
    if (note === 0) continue;
    if (passageCount[note]! === 0) {
      firstPassage[note] = p;
      headLength[note] = otherLength[p]!;
      totalHead += otherLength[p]!;
    } else textPassages++;
    passageCount[note]!++;
    bodyLength[note]! += passageBody[p]!;
    totalBody += passageBody[p]!;
  }
  const notes = Math.max(1, shape.noteCount);
  return {
    shape,
    noteLimit,
    firstPassage,
    passageCount,
    bodyLength,
    headLength,
    averageBody: Math.max(1, totalBody / notes),
    averageHead: Math.max(1, totalHead / notes),
    averagePassage: Math.max(1, totalBody / Math.max(1, textPassages)),
  };
}
