/**
 * From scored words, and meaning where there is some, to the best notes with their full scores. Runs without a turn for
 * others from beginning to end: the kernel's memory belongs to one query.
 *
 *   sweep by words · compare by meaning · score the best of both in full
 */

import type { Collection } from './collection.js';
import { KEY_BYTES } from './evidence.js';
import type { ScoredWord } from './gather.js';
import { allocate, type Kernel, kernelWith, kernelWithVectors, readingPostings } from './kernel.js';
import { compareWithAll, type Meaning } from './meaning.js';
import type { RankingProfile } from './profile.js';
import { byScore, type Candidate, lifted, scoreNotes } from './score.js';
import { type PlacedWord, placeWords, sweepNotes } from './sweep.js';

export type BestNotes = {
  /** By falling score. */
  readonly scored: readonly Candidate[];
  /** Notes whose head holds every word. */
  readonly named: ReadonlySet<number>;
  /** Notes that hold a word at all; a lower bound once common words were skipped. */
  readonly matched: number;
};

export function scoreBest(
  words: readonly ScoredWord[],
  collection: Collection,
  profile: RankingProfile,
  { allowed, meaning }: { readonly allowed: Uint8Array | undefined; readonly meaning: Meaning | undefined },
): BestNotes {
  const { shape } = collection;
  // Between two questions to the index another process may have written to it.
  const isOfShape = meaning?.space.passageKeys.length === KEY_BYTES * shape.noteOf.length;
  const kernel = isOfShape ? kernelWithVectors(shape, meaning.space) : kernelWith(shape);
  kernel.startQuery();
  setConstants(kernel, collection, profile);
  return readingPostings(() => {
    const mask = allowed === undefined ? 0 : placeMask(kernel, allowed);
    const placed = placeWords(kernel, words);
    const { notes, named, matched } = sweepNotes(kernel, placed, profile, mask);
    const scored = isOfShape
      ? scoreWithMeaning({ kernel, words, placed, profile }, meaning, notes, mask)
      : scoreNotes(kernel, notes, words, placed, profile);
    return { scored: scored.sort(byScore), named, matched };
  });
}

type Scored = {
  readonly kernel: Kernel;
  readonly words: readonly ScoredWord[];
  readonly placed: readonly PlacedWord[];
  readonly profile: RankingProfile;
};

/** Adds meaning to notes that were found by words, and the words' score to those found by meaning. */
function scoreWithMeaning(
  { kernel, words, placed, profile }: Scored,
  { query }: Meaning,
  notes: readonly number[],
  mask: number,
): Candidate[] {
  const comparison = compareWithAll(kernel, query.vector, profile, mask);
  const all = [...new Set([...notes, ...comparison.closest(profile.candidateWindow)])];
  const scored = scoreNotes(kernel, all, words, placed, profile);
  const byWords = scored.map(({ score }) => score).sort((a, b) => b - a);
  const [highest = 0] = byWords;
  // Without a word in any note there is no scale but that of meaning itself.
  const unit = highest === 0 ? 1 : highest;
  const rival = (byWords[profile.meaningRival - 1] ?? 0) / unit;
  const weight =
    profile.meaningWeight * query.knownShare ** profile.meaningKnownPower * Math.sqrt(1 - rival) * unit;
  return scored.map((candidate) => {
    const amount = weight * comparison.zOf(candidate.note);
    const passage = { number: comparison.bestPassage(candidate.note), score: 0 };
    const passages = candidate.score > 0 ? undefined : [passage];
    return lifted(candidate, [{ kind: 'meaning', text: '', amount }], passages);
  });
}

function placeMask(kernel: Kernel, allowed: Uint8Array): number {
  const address = allocate(kernel, allowed.length);
  new Uint8Array(kernel.memory.buffer, address).set(allowed);
  return address;
}

function setConstants(kernel: Kernel, collection: Collection, profile: RankingProfile): void {
  const { titleWeight, aliasWeight, tagWeight, nameWeight, headingWeight } = profile;
  kernel.setFieldWeights(titleWeight, aliasWeight, tagWeight, nameWeight, headingWeight);
  kernel.setSaturation(
    profile.k1,
    profile.bodyLengthShare,
    profile.bodyLengthFloor,
    profile.headLengthShare,
    profile.headLengthFloor,
    profile.bestPassageShare,
  );
  kernel.setMeans(collection.averageBody, collection.averageHead, collection.averagePassage);
}
