/**
 * From scored words, and meaning where there is some, to the best notes with their full scores. Runs without a turn for
 * others from beginning to end: the kernel's memory belongs to one query.
 *
 *   sweep by words · compare by meaning · score both's best in full · turn the query towards the best, once more
 */

import type { Collection } from './collection.js';
import { KEY_BYTES } from './evidence.js';
import type { ScoredWord } from './gather.js';
import { allocate, type Kernel, kernelWith, kernelWithVectors, readingPostings } from './kernel.js';
import { type Comparison, compareWithAll, type Meaning, turnedQuery } from './meaning.js';
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
      ? new MeaningPass(kernel, words, placed, profile, mask).run(meaning, notes)
      : scoreNotes(kernel, notes, words, placed, profile);
    return { scored: scored.sort(byScore), named, matched };
  });
}

/** Adds meaning to notes that were found by words, and the words' score to those found by meaning. */
class MeaningPass {
  constructor(
    private readonly kernel: Kernel,
    private readonly words: readonly ScoredWord[],
    private readonly placed: readonly PlacedWord[],
    private readonly profile: RankingProfile,
    private readonly mask: number,
  ) {}

  run({ query }: Meaning, notes: readonly number[]): Candidate[] {
    const { meaningFeedback, meaningFeedbackNotes } = this.profile;
    const weight = this.profile.meaningWeight * query.knownShare ** this.profile.meaningKnownPower;
    const first = this.scoreWith(query.vector, weight, notes);
    if (meaningFeedback === 0) return first;
    const best = first
      .sort(byScore)
      .slice(0, meaningFeedbackNotes)
      .filter(({ score }) => score > 0);
    const total = best.reduce((sum, { score }) => sum + score, 0);
    const passages = best.map(({ note, score }) => ({
      number: this.comparison!.bestPassage(note),
      weight: score / total,
    }));
    return this.scoreWith(turnedQuery(this.kernel, query.vector, passages, meaningFeedback), weight, notes);
  }

  private comparison: Comparison | undefined;

  private scoreWith(
    vector: Float32Array | Float64Array,
    weight: number,
    notes: readonly number[],
  ): Candidate[] {
    const { kernel, words, placed, profile } = this;
    const comparison = compareWithAll(kernel, vector, profile, this.mask);
    this.comparison = comparison;
    const all = [...new Set([...notes, ...comparison.closest(profile.candidateWindow)])];
    const scored = scoreNotes(kernel, all, words, placed, profile);
    const highest = scored.reduce((most, { score }) => Math.max(most, score), 0);
    // Without a word in any note there is no scale but that of meaning itself.
    const unit = highest === 0 ? 1 : highest;
    return scored.map((candidate) => {
      const amount = weight * comparison.zOf(candidate.note) * unit;
      const isFoundByWords = candidate.score > 0;
      const passage = { number: comparison.bestPassage(candidate.note), score: 0 };
      return lifted(
        candidate,
        [{ kind: 'meaning', text: '', amount }],
        isFoundByWords ? undefined : [passage],
      );
    });
  }
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
