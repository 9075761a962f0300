/**
 * Full scores of single notes: BM25 over weighted fields for the note as a whole and for its best passage, and the
 * coverage of the query. Every score is the sum of its contributions. The first pass over all notes is in sweep.ts.
 */

import type { Collection } from './collection.js';
import { FIELD_COUNT, type Postings } from './evidence.js';
import type { ScoredWord } from './gather.js';
import type { RankingProfile } from './profile.js';

/** Of its own, since a bundle reaches another module's constants through a call, which inner loops notice. */
const WIDTH = FIELD_COUNT;

export type Contribution = {
  readonly kind: 'word' | 'coverage' | 'phrase' | 'adjacency' | 'title' | 'alias' | 'heading';
  /** The word's term, or what the lift was for. */
  readonly text: string;
  readonly amount: number;
};

export type PassageScore = { readonly number: number; readonly score: number };

export type Candidate = {
  readonly note: number;
  /** Sum of the contributions' amounts, in their order. */
  readonly score: number;
  /** Share of the query's weight that the note holds, and that its best passage holds; 0-1. */
  readonly coverage: number;
  readonly passageCoverage: number;
  /** Passages with a word of the query, best first; the head only where no text has one. */
  readonly passages: readonly PassageScore[];
  readonly contributions: readonly Contribution[];
};

/** Occurrences of one word in one note. */
type Occurrences = {
  body: number;
  head: number;
  heading: number;
  /** By passage of the note, head first. */
  readonly passageBody: Float64Array;
  readonly passageHeading: Float64Array;
};

export function scoreNote(
  note: number,
  words: readonly ScoredWord[],
  collection: Collection,
  profile: RankingProfile,
): Candidate {
  const first = collection.firstPassage[note]!;
  const count = collection.passageCount[note]!;
  const occurrences = words.map((word) => occurrencesIn(word, first, count, profile));
  const passages = scorePassages(note, words, occurrences, collection, profile);
  const best = passages[0] === undefined ? 0 : passages[0].number - first;
  const contributions: Contribution[] = [];
  let sum = 0;
  let covered = 0;
  let passageCovered = 0;
  let total = 0;
  words.forEach((word, at) => {
    const { gain } = word;
    const one = occurrences[at]!;
    const whole = saturate(noteFrequency(note, one, collection, profile), profile);
    const inBest =
      best === 0 ? whole : saturate(passageFrequency(note, best, one, collection, profile), profile);
    const amount = gain * ((1 - profile.bestPassageShare) * whole + profile.bestPassageShare * inBest);
    total += gain;
    covered += gain * Math.min(1, one.body + one.head + one.heading);
    passageCovered += gain * Math.min(1, one.passageBody[best]! + one.passageHeading[best]! + one.head);
    if (amount === 0) return;
    contributions.push({ kind: 'word', text: word.word.term, amount });
    sum += amount;
  });
  const coverage = total === 0 ? 0 : covered / total;
  if (sum > 0)
    contributions.push({
      kind: 'coverage',
      text: '',
      amount: coverageShare(words.length, profile) * coverage ** 2 * sum,
    });
  return {
    note,
    score: sumOf(contributions),
    coverage,
    passageCoverage: total === 0 ? 0 : passageCovered / total,
    passages,
    contributions,
  };
}

/** The same candidate with further contributions. */
export function lifted(candidate: Candidate, more: readonly Contribution[]): Candidate {
  if (more.length === 0) return candidate;
  const contributions = [...candidate.contributions, ...more];
  return { ...candidate, contributions, score: sumOf(contributions) };
}

/** The highest score that words alone can give: what lifts are shares of. */
export function highestScore(words: readonly ScoredWord[], profile: RankingProfile): number {
  return words.reduce((sum, { gain }) => sum + gain, 0) * (profile.k1 + 1);
}

/** The fewer the words, the more each is meant. */
function coverageShare(words: number, profile: RankingProfile): number {
  return profile.coverageWeight * Math.min(1, profile.coverageWords / words);
}

function sumOf(contributions: readonly Contribution[]): number {
  let sum = 0;
  for (const { amount } of contributions) sum += amount;
  return sum;
}

function saturate(frequency: number, { k1 }: RankingProfile): number {
  return (frequency * (k1 + 1)) / (frequency + k1);
}

function occurrencesIn(
  { forms }: ScoredWord,
  first: number,
  count: number,
  profile: RankingProfile,
): Occurrences {
  const passageBody = new Float64Array(count);
  const passageHeading = new Float64Array(count);
  let head = 0;
  for (const { evidence, share } of forms) {
    const { passages, counts } = evidence.postings;
    for (
      let i = lowerBound(evidence.postings, first);
      i < passages.length && passages[i]! < first + count;
      i++
    ) {
      const at = passages[i]! - first;
      const c = i * WIDTH;
      passageBody[at]! += share * counts[c]!;
      passageHeading[at] = Math.max(passageHeading[at]!, share * counts[c + 1]!);
      head +=
        share *
        (profile.titleWeight * counts[c + 2]! +
          profile.aliasWeight * counts[c + 3]! +
          profile.tagWeight * counts[c + 4]! +
          profile.nameWeight * counts[c + 5]!);
    }
  }
  let body = 0;
  let heading = 0;
  for (let at = 0; at < count; at++) {
    body += passageBody[at]!;
    heading = Math.max(heading, passageHeading[at]!);
  }
  return { body, head, heading, passageBody, passageHeading };
}

/** Index of the first posting at or after `passage`. */
function lowerBound({ passages }: Postings, passage: number): number {
  let low = 0;
  let high = passages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passages[middle]! < passage) low = middle + 1;
    else high = middle;
  }
  return low;
}

function headFrequency(
  note: number,
  head: number,
  { headLength, averageHead }: Collection,
  profile: RankingProfile,
): number {
  const { headLengthShare: b, headLengthFloor: floor } = profile;
  return head / (1 - b + (b * (headLength[note]! + floor)) / (averageHead + floor));
}

function bodyFrequency(count: number, length: number, average: number, profile: RankingProfile): number {
  const { bodyLengthShare: b, bodyLengthFloor: floor } = profile;
  return count / (1 - b + (b * (length + floor)) / (average + floor));
}

function noteFrequency(
  note: number,
  one: Occurrences,
  collection: Collection,
  profile: RankingProfile,
): number {
  return (
    bodyFrequency(one.body, collection.bodyLength[note]!, collection.averageBody, profile) +
    profile.headingWeight * one.heading +
    headFrequency(note, one.head, collection, profile)
  );
}

/** Title, aliases, tags and file name count for every passage of the note. */
function passageFrequency(
  note: number,
  at: number,
  one: Occurrences,
  collection: Collection,
  profile: RankingProfile,
): number {
  const length = collection.shape.bodyLength[collection.firstPassage[note]! + at]!;
  return (
    bodyFrequency(one.passageBody[at]!, length, collection.averagePassage, profile) +
    profile.headingWeight * one.passageHeading[at]! +
    headFrequency(note, one.head, collection, profile)
  );
}

function scorePassages(
  note: number,
  words: readonly ScoredWord[],
  occurrences: readonly Occurrences[],
  collection: Collection,
  profile: RankingProfile,
): PassageScore[] {
  const first = collection.firstPassage[note]!;
  const scored: PassageScore[] = [];
  for (let at = 1; at < collection.passageCount[note]!; at++) {
    let score = 0;
    let isHit = false;
    for (let w = 0; w < words.length; w++) {
      const one = occurrences[w]!;
      isHit ||= one.passageBody[at]! + one.passageHeading[at]! > 0;
      score += words[w]!.gain * saturate(passageFrequency(note, at, one, collection, profile), profile);
    }
    if (isHit) scored.push({ number: first + at, score });
  }
  if (scored.length === 0) return [{ number: first, score: 0 }];
  return scored.sort((a, b) => b.score - a.score || a.number - b.number);
}
