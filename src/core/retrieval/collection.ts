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
  const size = noteOf.length;
  let noteLimit = 1;
  for (let p = 0; p < size; p++) if (noteOf[p]! >= noteLimit) noteLimit = noteOf[p]! + 1;
  const firstPassage = new Uint32Array(noteLimit);
  const passageCount = new Uint32Array(noteLimit);
  const bodyLength = new Uint32Array(noteLimit);
  const headLength = new Uint32Array(noteLimit);
  let passagesOfText = 0;
  let totalBody = 0;
  let totalHead = 0;
  // Notes are runs of passages: one write a note instead of several a passage, in code that is still cold.
  for (let p = 0; p < size; ) {
    const note = noteOf[p]!;
    const first = p;
    let body = 0;
    do body += passageBody[p++]!;
    while (p < size && noteOf[p] === note);
    if (note === 0) continue;
    firstPassage[note] = first;
    passageCount[note] = p - first;
    bodyLength[note] = body;
    headLength[note] = otherLength[first]!;
    passagesOfText += p - first - 1;
    totalBody += body;
    totalHead += otherLength[first]!;
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
    averagePassage: Math.max(1, totalBody / Math.max(1, passagesOfText)),
  };
}
