/** Phrases and neighbours in the term sequences of passages. Which candidates are read is settled in rank.ts. */

import type { StoredPassage } from './evidence.js';
import type { ScoredWord } from './gather.js';
import type { PlannedPhrase } from './plan.js';
import type { RankingProfile } from './profile.js';

/** Whether the phrase's terms follow one another in a field of the passage. */
export function holdsPhrase(passage: StoredPassage, phrase: PlannedPhrase): boolean {
  return passage.terms.some((field) => findPhrase(field, phrase));
}

/** The terms to ask of `NoteIndex.passages` for `holdsPhrase`. */
export function termsToRead({ terms, joined }: PlannedPhrase): readonly string[] {
  return [...terms, ...joined];
}

function findPhrase(field: readonly string[], { terms, joined }: PlannedPhrase): boolean {
  const first = terms[0]!;
  for (let start = field.indexOf(first); start >= 0; start = field.indexOf(first, start + 1)) {
    let at = start + 1;
    let matched = 1;
    while (matched < terms.length) {
      if (field[at] === terms[matched]) at++;
      else if (field[at + 1] === terms[matched] && joined.includes(field[at]!)) at += 2;
      else break;
      matched++;
    }
    if (matched === terms.length) return true;
  }
  return false;
}

/**
 * How strongly neighbours in the query are neighbours in the passage: for each pair of words that follow one
 * another in the query, its occurrences at a distance of one or two terms, saturated, times the rarer word's gain.
 */
export function adjacencyOf(
  passage: StoredPassage,
  words: readonly ScoredWord[],
  profile: RankingProfile,
): number {
  const place = new Map<string, number>();
  words.forEach(({ word }, at) => {
    if (word.kind !== 'letter' && word.kind !== 'pair') place.set(word.term, at);
  });
  const counts = new Map<number, number>();
  for (const field of passage.terms) countPairs(field, place, words, counts);
  let sum = 0;
  for (const [at, count] of [...counts].sort((a, b) => a[0] - b[0])) {
    const gain = Math.min(words[at]!.gain, words[at + 1]!.gain);
    sum += (gain * count) / (count + profile.k1);
  }
  return profile.adjacencyWeight * sum;
}

function countPairs(
  field: readonly string[],
  place: ReadonlyMap<string, number>,
  words: readonly ScoredWord[],
  counts: Map<number, number>,
): void {
  let before = -1;
  let beforeThat = -1;
  for (const term of field) {
    const at = place.get(term) ?? -1;
    if (at > 0) {
      const distance = before === at - 1 ? 1 : beforeThat === at - 1 ? 2 : 0;
      if (distance > 0 && words[at]!.word.position !== words[at - 1]!.word.position) {
        counts.set(at - 1, (counts.get(at - 1) ?? 0) + 1 / distance);
      }
    }
    beforeThat = before;
    before = at;
  }
}
