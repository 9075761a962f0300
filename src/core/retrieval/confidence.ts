/**
 * How much speaks for a note being an answer, as one number from what the ranking already has. Bands are cut from it in
 * bands.ts, the query is judged in judge.ts; docs/confidence.md has the measurements.
 *
 *   confidence = share of the query that the note's best passage holds · √ how much that is · agreement of meaning
 */

import type { PlannedWord } from './plan.js';
import { DEFAULT_PROFILE, type RankingProfile } from './profile.js';
import type { RankedNote, WordRanking } from './rank.js';

export type Confidence = {
  /** Of the query's weight, words that no note holds included, what the note's best passage holds; 0-1. */
  readonly share: number;
  /** The weight of that in words that only one note holds: 1 is one such word, 2 are two. */
  readonly evidence: number;
  /** 1 where the model of meaning finds the note near, or does not know the query; towards 0 where it finds it far. */
  readonly agreement: number;
  /** 0 is nothing; docs/confidence.md says what the values mean. Comparable between queries and vaults. */
  readonly value: number;
};

/** What a query asks for, by weight: the sum of the rarities of its words. */
export type AskedWeight = {
  /** In words that some note holds, as the ranking counts them. */
  readonly held: number;
  /** In all words. */
  readonly whole: number;
  /** Of a word that one note alone holds. */
  readonly rarest: number;
};

export type ConfidenceProfile = Pick<
  RankingProfile,
  'unrelatedCosine' | 'leastAgreement' | 'usualPassageTerms' | 'longPassageTerms' | 'passageTermsPower'
>;

type Words = Pick<WordRanking, 'words' | 'missing' | 'noteCount'>;

export function weighQuery({ words, missing, noteCount }: Words): AskedWeight {
  let held = 0;
  let whole = 0;
  const heldPieces = new Set<number>();
  for (const { word, forms, gain } of words) {
    held += gain;
    whole += gain * certainty(word, forms);
    heldPieces.add(word.position);
  }
  // Of a piece with several words, as `well-known` and `wellknown`, one is enough.
  const lacking = new Map<number, number>();
  for (const { word, gain } of missing) {
    if (heldPieces.has(word.position)) continue;
    lacking.set(word.position, Math.max(gain, lacking.get(word.position) ?? 0));
  }
  for (const gain of lacking.values()) whole += gain;
  return { held, whole, rarest: Math.log(noteCount + 1) };
}

/**
 * A word of which notes hold only longer forms is weighed as such a form counts: who types the beginning of a word has
 * found it when it is there.
 */
function certainty(word: PlannedWord, forms: Words['words'][number]['forms']): number {
  let best = 0;
  for (const { evidence, share } of forms) {
    if (share === 1) return 1;
    if (evidence.term.startsWith(word.term)) best = Math.max(best, share);
  }
  return best === 0 ? 1 : best;
}

/** `ranking` is the one that `note` is a hit of, `asked` its weight. */
export function confidenceOf(
  { note, passageCoverage }: Pick<RankedNote, 'note' | 'passageCoverage'>,
  { nearness, passageTerms }: Pick<WordRanking, 'nearness' | 'passageTerms'>,
  asked: AskedWeight,
  profile: ConfidenceProfile = DEFAULT_PROFILE,
): Confidence {
  const { unrelatedCosine: unrelated, leastAgreement } = profile;
  const weight = passageCoverage * asked.held;
  const share = asked.whole === 0 ? 0 : Math.min(1, weight / asked.whole);
  const evidence = asked.rarest === 0 ? 0 : weight / asked.rarest;
  const known = nearness?.known ?? 0;
  const cosine = nearness?.byNote.get(note) ?? 0;
  const agreement = nearness
    ? 1 - known + known * Math.min(1, Math.max(leastAgreement, cosine / unrelated))
    : 1;
  const byWords =
    (share * Math.sqrt(evidence) * agreement) / (known > 0.5 ? chance(passageTerms, profile) : 1);
  // A note that shares no word with the query may still be what it means.
  const byMeaning = (known * (cosine - unrelated)) / (1 - unrelated);
  return { share, evidence, agreement, value: Math.max(byWords, byMeaning, 0) };
}

/** How much more of any query a passage holds by chance than a usual one, as it is longer. */
function chance(terms: number, profile: ConfidenceProfile): number {
  const { usualPassageTerms, longPassageTerms, passageTermsPower } = profile;
  return (Math.min(terms, longPassageTerms) / usualPassageTerms) ** passageTermsPower;
}
