/** Phrases and neighbours in the term sequences of passages. Which candidates are read is settled in rank.ts. */

import type { PlacedTerm, StoredPassage } from './evidence.js';
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

function findPhrase(field: readonly PlacedTerm[], { terms, joined }: PlannedPhrase): boolean {
  const termAt = new Map(field.map(({ term, at }) => [at, term]));
  return field.some(({ term, at: start }) => {
    if (term !== terms[0]) return false;
    let at = start + 1;
    let matched = 1;
    while (matched < terms.length) {
      if (termAt.get(at) === terms[matched]) at++;
      else if (termAt.get(at + 1) === terms[matched] && joined.includes(termAt.get(at) ?? '')) at += 2;
      else break;
      matched++;
    }
    return matched === terms.length;
  });
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

/**
 * How much of the query the passage holds in one place: the words' gains within `spanTerms` of its text, and of those that
 * stand in its headings, as a share of all; 0-1. One word is always in one place, and says nothing.
 */
export function spanShare(
  { terms: [body = [], ...heads] }: StoredPassage,
  words: readonly ScoredWord[],
  { spanTerms }: Pick<RankingProfile, 'spanTerms'>,
): number {
  const gains = new Map(words.map(({ word, gain }) => [word.term, gain]));
  if (gains.size < 2) return 0;
  let total = 0;
  for (const gain of gains.values()) total += gain;
  let held = 0;
  for (const { term } of heads.flat()) {
    held += gains.get(term) ?? 0;
    gains.delete(term);
  }
  let most = held;
  const times = new Map<string, number>();
  let first = 0;
  for (const { term, at } of body) {
    const before = times.get(term) ?? 0;
    if (before === 0) held += gains.get(term) ?? 0;
    times.set(term, before + 1);
    for (; at - body[first]!.at >= spanTerms; first++) {
      const { term: left } = body[first]!;
      const behind = times.get(left)! - 1;
      times.set(left, behind);
      if (behind === 0) held -= gains.get(left) ?? 0;
    }
    most = Math.max(most, held);
  }
  return total === 0 ? 0 : most / total;
}

type PlacedWord = { readonly word: number; readonly at: number };

/** One term may stand between two that are neighbours in the query. */
const MOST_DISTANT = 2;

function countPairs(
  field: readonly PlacedTerm[],
  place: ReadonlyMap<string, number>,
  words: readonly ScoredWord[],
  counts: Map<number, number>,
): void {
  let before: PlacedWord | undefined;
  let beforeThat: PlacedWord | undefined;
  for (const { term, at } of field) {
    const word = place.get(term);
    if (word === undefined) continue;
    for (const earlier of [before, beforeThat]) {
      if (earlier?.word !== word - 1 || at - earlier.at > MOST_DISTANT) continue;
      if (words[word]!.word.position !== words[word - 1]!.word.position) {
        counts.set(word - 1, (counts.get(word - 1) ?? 0) + 1 / (at - earlier.at));
      }
      break;
    }
    beforeThat = before;
    before = { word, at };
  }
}
