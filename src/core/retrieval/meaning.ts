/**
 * The stream of meaning: notes by the cosine of their best passage with the query, as deviations from the mean of all
 * notes, so that it can be added to the words' score (rank.ts). The loops are the kernel's.
 */

import type { QueryVector } from '../ports.js';
import type { VectorSpace } from './evidence.js';
import { allocate, type Kernel, placeQuery, readNotes } from './kernel.js';
import type { RankingProfile } from './profile.js';

export type Meaning = { readonly query: QueryVector; readonly space: VectorSpace };

/** By score: deviations are added to the words' score. By rank: the places in both lists are (fuse-ranks.ts). */
export type Fusion = 'score' | 'rank';

/** What a further model says, beside the table. `fusion`: as the profile has it unless given. */
export type FurtherMeaning = Meaning & { readonly model: string; readonly fusion?: Fusion };

/** What a comparison of the query with all notes has found. It holds until the next one. */
export type Comparison = {
  /** How many deviations above the mean the note's best passage lies; 0 for a note without vectors. */
  readonly zOf: (note: number) => number;
  /** Undefined for a note without vectors. */
  readonly cosineOf: (note: number) => number | undefined;
  readonly bestPassage: (note: number) => number;
  /** The closest notes of those allowed, at least `meaningFloor` deviations above the mean. */
  readonly closest: (count: number) => readonly number[];
};

/** Cosines of the candidates' nearest passages with the query, and the share of its words that the model knows. */
export type Nearness = { readonly known: number; readonly byNote: ReadonlyMap<number, number> };

/** Less than this is rounding. */
const LEAST_DEVIATION = 1e-6;

/** What the kernel puts where a note has no vector. */
const NO_COSINE = -2;

export function compareWithAll(
  kernel: Kernel,
  vector: Float32Array,
  profile: Pick<RankingProfile, 'meaningFloor'>,
  mask: number,
): Comparison {
  const { place, unit } = placeQuery(kernel, vector);
  kernel.compareVectors(place, unit);
  const { value: mean } = kernel.mean;
  const { value: deviation } = kernel.deviation;
  const cosines = () => new Float64Array(kernel.memory.buffer, kernel.cosines.value, kernel.noteLimit.value);
  const passages = () =>
    new Uint32Array(kernel.memory.buffer, kernel.bestPassages.value, kernel.noteLimit.value);
  return {
    zOf: (note) => {
      const cosine = cosines()[note]!;
      return cosine === NO_COSINE || deviation < LEAST_DEVIATION ? 0 : (cosine - mean) / deviation;
    },
    cosineOf: (note) => {
      const cosine = cosines()[note]!;
      return cosine === NO_COSINE ? undefined : cosine;
    },
    bestPassage: (note) => passages()[note]!,
    closest: (most) => {
      // One note, or notes that are all alike, are no nearer than others.
      if (deviation < LEAST_DEVIATION) return [];
      const notes = allocate(kernel, 4 * (most + 1));
      kernel.closestNotes(most, mean + profile.meaningFloor * deviation, mask, notes);
      return [...readNotes(kernel, notes)];
    },
  };
}
