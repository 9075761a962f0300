/**
 * From scored words, and meaning where there is some, to the best notes with their full scores. Runs without a turn for
 * others from beginning to end: the kernel's memory belongs to one query.
 *
 *   sweep by words · compare by meaning, and by further meaning · score the best of all in full
 *
 * Further meaning is added here where it is fused by score; by rank it is once all lifts are known (fuse-ranks.ts).
 */

import type { Collection } from './collection.js';
import { type CollectionShape, KEY_BYTES } from './evidence.js';
import type { FurtherRanks } from './fuse-ranks.js';
import type { ScoredWord } from './gather.js';
import {
  allocate,
  furtherKernelWith,
  type Kernel,
  kernelWith,
  kernelWithVectors,
  readingPostings,
} from './kernel.js';
import {
  type Comparison,
  compareWithAll,
  type FurtherMeaning,
  type Meaning,
  type Nearness,
} from './meaning.js';
import type { RankingProfile } from './profile.js';
import {
  byScore,
  type Candidate,
  type Contribution,
  lifted,
  type PassageScore,
  scoreNotes,
} from './score.js';
import { type PlacedWord, placeWords, sweepNotes } from './sweep.js';

export type BestNotes = {
  /** By falling score. */
  readonly scored: readonly Candidate[];
  /** Notes whose head holds every word. */
  readonly named: ReadonlySet<number>;
  /** Notes that hold a word at all; a lower bound once common words were skipped. */
  readonly matched: number;
  /** Of the further stream, where it is to be fused by rank. */
  readonly ranks: FurtherRanks | undefined;
  /** As the further model has it, else the table; undefined where neither took part. */
  readonly nearness: Nearness | undefined;
};

export type Streams = {
  readonly allowed: Uint8Array | undefined;
  readonly meaning: Meaning | undefined;
  readonly further: FurtherMeaning | undefined;
};

export function scoreBest(
  words: readonly ScoredWord[],
  collection: Collection,
  profile: RankingProfile,
  { allowed, meaning, further }: Streams,
): BestNotes {
  const { shape } = collection;
  const table = isOfShape(meaning, shape) ? meaning : undefined;
  const kernel = table ? kernelWithVectors(shape, table.space, table.query.vector) : kernelWith(shape);
  kernel.startQuery();
  setConstants(kernel, collection, profile);
  return readingPostings(() => {
    const mask = allowed === undefined ? 0 : placeMask(kernel, allowed);
    const placed = placeWords(kernel, words);
    const { notes, named, matched } = sweepNotes(kernel, placed, profile, mask);
    const compared: ComparedStream[] = [];
    if (table) {
      const comparison = compareWithAll(kernel, table.query.vector, profile, mask);
      compared.push({ comparison, weight: tableWeight(table, profile), text: '' });
    }
    const beside = isOfShape(further, shape) ? furtherStream(further, shape, profile, allowed) : undefined;
    if (beside) compared.push(beside.stream);
    const scored = scoreWithStreams({ kernel, words, placed, profile }, notes, compared);
    const nearness = nearnessOf(scored, compared.at(-1)?.comparison, beside ? further : table);
    return { scored: scored.sort(byScore), named, matched, ranks: beside?.ranks, nearness };
  });
}

/** Between two questions to the index another process may have written to it. */
function isOfShape<T extends Meaning>(meaning: T | undefined, shape: CollectionShape): meaning is T {
  return meaning?.space.passageKeys.length === KEY_BYTES * shape.noteOf.length;
}

type ComparedStream = {
  readonly comparison: Comparison;
  /** What a deviation adds, given the words' scores of all candidates; undefined where it adds nothing here. */
  readonly weight: ((scale: WordScale) => number) | undefined;
  readonly text: string;
};

/** The best of the words' scores, and how much of it lies between the best and its rival. */
type WordScale = { readonly unit: number; readonly lead: number };

function tableWeight({ query }: Meaning, profile: RankingProfile): (scale: WordScale) => number {
  const known = query.knownShare ** profile.meaningKnownPower;
  return ({ unit, lead }) => profile.meaningWeight * known * Math.sqrt(lead) * unit;
}

function furtherStream(
  { query, space, model, fusion }: FurtherMeaning,
  shape: CollectionShape,
  profile: RankingProfile,
  allowed: Uint8Array | undefined,
): { readonly stream: ComparedStream; readonly ranks: FurtherRanks | undefined } {
  const kernel = furtherKernelWith(shape, space);
  kernel.startQuery();
  const mask = allowed === undefined ? 0 : placeMask(kernel, allowed);
  const floor = { meaningFloor: profile.furtherFloor };
  const comparison = compareWithAll(kernel, query.vector, floor, mask);
  const isByRank = fusion === undefined ? profile.furtherByRank > 0 : fusion === 'rank';
  if (isByRank) {
    const closest = comparison.closest(profile.candidateWindow);
    return {
      stream: { comparison, weight: undefined, text: model },
      ranks: { model, byNote: ranksOf(closest, comparison) },
    };
  }
  const known = query.knownShare ** profile.meaningKnownPower;
  const weight = ({ unit }: WordScale) => profile.furtherWeight * known * unit;
  return { stream: { comparison, weight, text: model }, ranks: undefined };
}

/** Counted from 1; notes that are equally near share the better place. */
function ranksOf(notes: readonly number[], { zOf }: Comparison): ReadonlyMap<number, number> {
  const ranks = new Map<number, number>();
  let rank = 0;
  let last = Number.POSITIVE_INFINITY;
  [...notes]
    .sort((a, b) => zOf(b) - zOf(a))
    .forEach((note, at) => {
      if (zOf(note) < last) rank = at + 1;
      last = zOf(note);
      ranks.set(note, rank);
    });
  return ranks;
}

type Scored = {
  readonly kernel: Kernel;
  readonly words: readonly ScoredWord[];
  readonly placed: readonly PlacedWord[];
  readonly profile: RankingProfile;
};

/** Adds meaning to notes that were found by words, and the words' score to those found by meaning. */
function scoreWithStreams(
  { kernel, words, placed, profile }: Scored,
  notes: readonly number[],
  compared: readonly ComparedStream[],
): Candidate[] {
  if (compared.length === 0) return scoreNotes(kernel, notes, words, placed, profile);
  const found = compared.flatMap(({ comparison }) => comparison.closest(profile.candidateWindow));
  const scored = scoreNotes(kernel, [...new Set([...notes, ...found])], words, placed, profile);
  const scale = scaleOf(scored, profile);
  const streams = compared.map(({ comparison, weight, text }) => ({
    comparison,
    text,
    ofDeviation: weight?.(scale),
  }));
  return scored.map((candidate) => {
    const contributions = streams.flatMap(({ comparison, ofDeviation, text }): Contribution[] =>
      ofDeviation === undefined
        ? []
        : [{ kind: 'meaning', text, amount: ofDeviation * comparison.zOf(candidate.note) }],
    );
    const passages = candidate.score > 0 ? undefined : [nearestPassage(candidate.note, compared)];
    return lifted(candidate, contributions, passages);
  });
}

function nearnessOf(
  scored: readonly Candidate[],
  comparison: Comparison | undefined,
  meaning: Meaning | undefined,
): Nearness | undefined {
  if (comparison === undefined || meaning === undefined) return undefined;
  const byNote = new Map<number, number>();
  for (const { note } of scored) {
    const cosine = comparison.cosineOf(note);
    if (cosine !== undefined) byNote.set(note, cosine);
  }
  return { known: meaning.query.knownShare, byNote };
}

function scaleOf(scored: readonly Candidate[], profile: RankingProfile): WordScale {
  const byWords = scored.map(({ score }) => score).sort((a, b) => b - a);
  const [highest = 0] = byWords;
  // Without a word in any note there is no scale but that of meaning itself.
  const unit = highest === 0 ? 1 : highest;
  return { unit, lead: 1 - (byWords[profile.meaningRival - 1] ?? 0) / unit };
}

/** Of the stream to which the note is nearest. */
function nearestPassage(note: number, compared: readonly ComparedStream[]): PassageScore {
  const [nearest] = compared.map(({ comparison }) => comparison).sort((a, b) => b.zOf(note) - a.zOf(note));
  return { number: nearest!.bestPassage(note), score: 0 };
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
