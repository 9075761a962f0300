/**
 * First pass: word by word through complete postings, every note's score as a whole, and the best of them. The loops
 * are the kernel's; which words may be cut short is decided here. Full scoring is in score.ts.
 */

import type { ScoredWord } from './gather.js';
import { allocate, type Kernel, type PlacedRun, placeRun, readNotes } from './kernel.js';
import type { RankingProfile } from './profile.js';

export type Sweep = {
  /** Notes for full scoring: the best by score, all that tie with the last, and those in `named`. */
  readonly notes: readonly number[];
  /** Notes whose title, aliases, tags and file name hold every word: they may be called what was asked for. At most 50. */
  readonly named: ReadonlySet<number>;
  /** Notes that hold a word at all (of those allowed); a lower bound once common words were skipped. */
  readonly matched: number;
};

/** A word whose postings are in the kernel's memory. */
export type PlacedWord = {
  readonly gain: number;
  readonly forms: readonly { readonly share: number; readonly runs: readonly PlacedRun[] }[];
};

const MAX_NAMED = 50;

/** In the order of `words`. */
export function placeWords(kernel: Kernel, words: readonly ScoredWord[]): readonly PlacedWord[] {
  return words.map(({ gain, forms }) => ({
    gain,
    forms: forms.map(({ evidence, share }) => ({
      share,
      runs: evidence.postings.map((run) => placeRun(kernel, run)),
    })),
  }));
}

/** `mask` is the address of a byte for each note, 1 for those that may be found; 0 for all. */
export function sweepNotes(
  kernel: Kernel,
  words: readonly PlacedWord[],
  profile: RankingProfile,
  mask: number,
): Sweep {
  const ordered = [...words].sort((a, b) => b.gain - a.gain);
  let remaining = ordered.reduce((sum, { gain }) => sum + gain, 0) * (profile.k1 + 1);
  let onlyFound = false;
  for (const { gain, forms } of ordered) {
    if (!onlyFound && kernel.foundCount.value >= profile.pruneAfter) {
      onlyFound = remaining <= kernel.scoreAtRank(profile.candidateWindow);
    }
    kernel.startWord();
    for (const { share, runs } of forms) {
      for (const { start, end, before } of runs) {
        kernel.sweepRun(start, end, before, share, mask, Number(onlyFound));
      }
    }
    kernel.endWord(gain);
    remaining -= gain * (profile.k1 + 1);
  }
  const matched = kernel.foundCount.value;
  const notes = allocate(kernel, 4 * (matched + 1));
  const named = allocate(kernel, 4 * (matched + 1));
  kernel.endSweep(kernel.scoreAtRank(profile.candidateWindow), words.length, notes, named);
  const shortest = shortestNamed(readNotes(kernel, named), kernel);
  return {
    notes: [...new Set([...readNotes(kernel, notes), ...shortest])],
    named: new Set(shortest),
    matched,
  };
}

/** What is asked for by its full name has little else in its head; of hundreds of daily notes only few are tried. */
function shortestNamed(named: Uint32Array, kernel: Kernel): readonly number[] {
  if (named.length <= MAX_NAMED) return [...named];
  const headLength = new Uint32Array(kernel.memory.buffer, kernel.headLength.value, kernel.noteLimit.value);
  const lengths = [...named].map((note) => headLength[note]!).sort((a, b) => a - b);
  const limit = lengths[MAX_NAMED]!;
  return [...named].filter((note) => headLength[note]! < limit);
}
