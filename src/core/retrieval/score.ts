/**
 * Full scores of single notes: BM25 over weighted fields for the note as a whole and for its best passage, and the
 * coverage of the query. Every score is the sum of its contributions. The loops are the kernel's; the first pass over all
 * notes is in sweep.ts.
 */

import type { ScoredWord } from './gather.js';
import { allocate, demand, type Kernel, readNumbers, readWholeNumbers } from './kernel.js';
import type { RankingProfile } from './profile.js';
import type { PlacedWord } from './sweep.js';

export type Contribution = {
  readonly kind:
    | 'word'
    | 'coverage'
    | 'meaning'
    | 'phrase'
    | 'adjacency'
    | 'span'
    | 'title'
    | 'alias'
    | 'heading'
    | 'exact'
    | 'recency'
    | 'rerank';
  /** The word's term, or what the lift was for: an identifier as the note spells it, the note's date. */
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

/** What a candidate says of itself only when it is asked. */
type LateParts = {
  readonly passagesOf: (at: number) => readonly PassageScore[];
  readonly contributionsOf: (at: number) => readonly Contribution[];
};

/** Of hundreds of candidates few are shown. A class, since V8 takes a microsecond to put a getter into an object. */
export class LateCandidate implements Candidate {
  private madePassages: readonly PassageScore[] | undefined;

  /** `at` is what the parts are asked with. */
  constructor(
    readonly note: number,
    readonly score: number,
    readonly coverage: number,
    readonly passageCoverage: number,
    private readonly parts: LateParts,
    private readonly at = 0,
  ) {}

  get passages(): readonly PassageScore[] {
    return (this.madePassages ??= this.parts.passagesOf(this.at));
  }

  get contributions(): readonly Contribution[] {
    return this.parts.contributionsOf(this.at);
  }
}

/** For whoever shows it. */
export function withPath(candidate: Candidate, path: string): Candidate & { readonly path: string } {
  const { note, score, coverage, passageCoverage, passages, contributions } = candidate;
  return { note, score, coverage, passageCoverage, passages, contributions, path };
}

/**
 * Full scores of the notes, in the order given. `placed` are the words in the kernel's memory; the candidates do not
 * need it any more.
 */
export function scoreNotes(
  kernel: Kernel,
  notes: readonly number[],
  words: readonly ScoredWord[],
  placed: readonly PlacedWord[],
  profile: RankingProfile,
): Candidate[] {
  if (notes.length === 0) return [];
  const count = notes.length;
  const chosen = allocate(kernel, 4 * count);
  const gains = allocate(kernel, 8 * words.length);
  new Uint32Array(kernel.memory.buffer, chosen).set(notes);
  demand(kernel.startScoring(chosen, count, words.length));
  new Float64Array(kernel.memory.buffer, gains).set(words.map(({ gain }) => gain));
  placed.forEach(({ forms }, word) => {
    for (const { share, runs } of forms) {
      for (const { start, end, before } of runs) kernel.scoreRun(word, start, end, before, share);
    }
  });
  kernel.endScoring(gains);
  const firsts = readWholeNumbers(kernel, kernel.firsts.value, count);
  const offsets = readWholeNumbers(kernel, kernel.offsets.value, count + 1);
  const amounts = readNumbers(kernel, kernel.amounts.value, count * words.length);
  const covered = readNumbers(kernel, kernel.covered.value, count);
  const passageCovered = readNumbers(kernel, kernel.passageCovered.value, count);
  const sums = readNumbers(kernel, kernel.sums.value, count);
  const passageScores = readNumbers(kernel, kernel.passageScores.value, offsets[count]!);
  const share = coverageShare(words.length, profile);
  const total = words.reduce((sum, { gain }) => sum + gain, 0);
  const coverageOf = (at: number) => (total === 0 ? 0 : covered[at]! / total);
  const ofCoverage = (at: number) => share * coverageOf(at) ** 2 * sums[at]!;
  const parts: LateParts = {
    passagesOf: (at) => bestFirst(passageScores.subarray(offsets[at]!, offsets[at + 1]!), firsts[at]!),
    contributionsOf: (at) => {
      const contributions: Contribution[] = [];
      words.forEach(({ word }, index) => {
        const amount = amounts[index * count + at]!;
        if (amount > 0) contributions.push({ kind: 'word', text: word.term, amount });
      });
      if (sums[at]! > 0) contributions.push({ kind: 'coverage', text: '', amount: ofCoverage(at) });
      return contributions;
    },
  };
  return notes.map((note, at) => {
    const passageCoverage = total === 0 ? 0 : passageCovered[at]! / total;
    return new LateCandidate(note, sums[at]! + ofCoverage(at), coverageOf(at), passageCoverage, parts, at);
  });
}

/** The same candidate with further contributions, and with other passages where they are given. */
export function lifted(
  candidate: Candidate,
  more: readonly Contribution[],
  passages?: readonly PassageScore[],
): Candidate {
  if (more.length === 0 && passages === undefined) return candidate;
  const { note, coverage, passageCoverage } = candidate;
  const score = more.reduce((sum, { amount }) => sum + amount, candidate.score);
  return new LateCandidate(note, score, coverage, passageCoverage, {
    passagesOf: () => passages ?? candidate.passages,
    contributionsOf: () => [...candidate.contributions, ...more],
  });
}

export function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score;
}

/** The highest score that words alone can give: what lifts are shares of. */
export function highestScore(words: readonly ScoredWord[], profile: RankingProfile): number {
  return words.reduce((sum, { gain }) => sum + gain, 0) * (profile.k1 + 1);
}

/** The fewer the words, the more each is meant. */
function coverageShare(words: number, profile: RankingProfile): number {
  return profile.coverageWeight * Math.min(1, profile.coverageWords / words);
}

/** Scores by place in the note, below 0 for passages without a word. */
function bestFirst(scores: Float64Array, first: number): readonly PassageScore[] {
  const scored: PassageScore[] = [];
  scores.forEach((score, at) => {
    if (score >= 0) scored.push({ number: first + at, score });
  });
  if (scored.length === 0) return [{ number: first, score: 0 }];
  return scored.sort((a, b) => b.score - a.score || a.number - b.number);
}
