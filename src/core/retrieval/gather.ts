/** From a plan and an index to scored words: the evidence of each word and of the longer forms that count as it. */

import type { StoredNote } from '../note/stored-note.js';
import type { NoteIndex } from '../ports.js';
import type { CollectionShape, TermEvidence } from './evidence.js';
import { countNotes } from './kernel.js';
import type { PlannedWord, QueryPlan } from './plan.js';
import type { RankingProfile } from './profile.js';

/** What ranking asks of an index; every NoteIndex answers it. */
export type RankingIndex = Pick<NoteIndex, 'shape' | 'lookUp' | 'expand' | 'passages'> & {
  notes(
    numbers: readonly number[],
  ): Promise<readonly Pick<StoredNote, 'number' | 'path' | 'title' | 'aliases'>[]>;
};

/** One indexed term that counts as a word of the query, with its share. */
export type WordForm = { readonly evidence: CountedEvidence; readonly share: number };

type CountedEvidence = TermEvidence & { readonly noteFrequency: number };

export type ScoredWord = {
  readonly word: PlannedWord;
  readonly forms: readonly WordForm[];
  /** Notes that hold the word, longer forms counted by their share; at least 1. */
  readonly frequency: number;
  /** ln((notes + 1) / frequency), above 0. */
  readonly rarity: number;
  /** What a note gains by the word before saturation: weight times rarity, more for an identifier as it stands. */
  readonly gain: number;
};

/** A word that no note holds, nor a longer form of it. `gain` is what the rarest word of its weight would have. */
export type MissingWord = { readonly word: PlannedWord; readonly gain: number };

export type GatheredWords = {
  readonly words: readonly ScoredWord[];
  /** Words of the query in so many notes that they cannot change the order. */
  readonly common: readonly PlannedWord[];
  readonly missing: readonly MissingWord[];
};

export async function gatherWords(
  plan: QueryPlan,
  index: RankingIndex,
  profile: RankingProfile,
): Promise<GatheredWords> {
  const shape = await index.shape();
  const { noteCount } = shape;
  const lookUp = async (terms: readonly string[]) =>
    (await index.lookUp(terms)).map((evidence) => counted(evidence, shape));
  const exact = byTerm(await lookUp(plan.words.map((word) => word.term)));
  const longer = await Promise.all(
    plan.words.map((word) =>
      longerForms(word, plan.isForeign, exact.get(word.term), noteCount, index, profile),
    ),
  );
  const missing = new Set(longer.flat().filter((term) => !exact.has(term)));
  const found = missing.size === 0 ? exact : byTerm([...exact.values(), ...(await lookUp([...missing]))]);
  const scored = plan.words.flatMap((word, at) => {
    const forms: WordForm[] = [];
    for (const term of [word.term, ...longer[at]!]) {
      const evidence = found.get(term);
      if (evidence !== undefined && evidence.noteFrequency > 0)
        forms.push({ evidence, share: shareOf(term, word.term, profile) });
    }
    return forms.length === 0 ? [] : [scoredWord(word, forms, noteCount)];
  });
  const least = profile.commonWordShare * Math.max(...scored.map(({ gain }) => gain));
  const words = scored.filter(({ gain }) => gain >= least);
  return {
    words: words.map((word) => (word.word.kind === 'whole' ? aboveParts(word, words, profile) : word)),
    common: scored.filter(({ gain }) => gain < least).map(({ word }) => word),
    missing: missingWords(plan, scored, noteCount),
  };
}

function missingWords(
  plan: QueryPlan,
  scored: readonly ScoredWord[],
  noteCount: number,
): readonly MissingWord[] {
  if (scored.length === plan.words.length) return [];
  const found = new Set(scored.map(({ word }) => word));
  return plan.words
    .filter((word) => !found.has(word))
    .map((word) => ({ word, gain: word.weight * Math.log(noteCount + 1) }));
}

/** An identifier outweighs what its parts can gain by repetition, so that wholes come first. */
function aboveParts(whole: ScoredWord, words: readonly ScoredWord[], profile: RankingProfile): ScoredWord {
  const parts = words.filter(({ word }) => word.kind === 'part' && word.position === whole.word.position);
  const most = profile.k1 * parts.reduce((sum, { gain }) => sum + gain, 0);
  return { ...whole, gain: whole.gain + profile.wholeAboveParts * most };
}

function counted(evidence: TermEvidence, shape: CollectionShape): CountedEvidence {
  const { term, noteFrequency, postings } = evidence;
  if (noteFrequency !== undefined) return evidence as CountedEvidence;
  return { term, postings, noteFrequency: countNotes(postings, shape) };
}

function byTerm(evidence: readonly CountedEvidence[]): Map<string, CountedEvidence> {
  return new Map(evidence.map((one) => [one.term, one]));
}

async function longerForms(
  word: PlannedWord,
  isForeign: boolean,
  exact: CountedEvidence | undefined,
  noteCount: number,
  index: RankingIndex,
  profile: RankingProfile,
): Promise<string[]> {
  const frequency = exact?.noteFrequency ?? 0;
  if (profile.prefixWeight === 0) return [];
  if (word.prefix === '' || (frequency > profile.prefixMaximumShare * noteCount && frequency > 1)) return [];
  const limit = word.kind === 'letter' ? 10 * profile.prefixLimit : profile.prefixLimit;
  const terms = new Set(await index.expand(word.prefix, limit + 1));
  if (word.shortened !== '' && (isForeign || frequency <= profile.shortenedMaximumNotes)) {
    for (const term of await index.expand(word.shortened, 2 * limit)) terms.add(term);
  }
  terms.delete(word.term);
  return [...terms];
}

/** 1 for the word itself, else by the letters they share from the start. */
function shareOf(term: string, wanted: string, profile: RankingProfile): number {
  if (term === wanted) return 1;
  let shared = 0;
  while (shared < term.length && shared < wanted.length && term[shared] === wanted[shared]) shared++;
  return profile.prefixWeight * (shared / Math.max(term.length, wanted.length)) ** profile.prefixLengthPower;
}

function scoredWord(word: PlannedWord, forms: readonly WordForm[], noteCount: number): ScoredWord {
  let frequency = 0;
  for (const { evidence, share } of forms) frequency += share * evidence.noteFrequency;
  frequency = Math.min(noteCount, Math.max(1, frequency));
  const rarity = Math.log((noteCount + 1) / frequency);
  return { word, forms, frequency, rarity, gain: word.weight * rarity };
}
