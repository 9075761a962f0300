/**
 * A query's text as a plan: words with weights, phrases, exclusions, and what was left out and why. Knows nothing of
 * the index; which longer words a word also finds is settled in gather.ts.
 */

import { placedTermsOf, termsOf } from '../text/terms.js';
import { readOperators } from './operators.js';
import { wordsOfPiece } from './plan-words.js';
import { DEFAULT_PROFILE, type RankingProfile } from './profile.js';
import { readLanguage } from './query-language.js';

/**
 * `word` a stem · `compound` hyphenated words joined, beside them as words · `whole` an identifier as it stands ·
 * `part` of one · `pair` and `letter` of a script without spaces · `date`.
 */
export type WordKind = 'word' | 'whole' | 'compound' | 'part' | 'pair' | 'letter' | 'date';

export type PlannedWord = {
  /** As typed. */
  readonly text: string;
  /** As indexed. */
  readonly term: string;
  readonly kind: WordKind;
  readonly weight: number;
  /** Indexed terms that start so count too, at a lower weight; empty for none. */
  readonly prefix: string;
  /** A shorter start, for languages without a stemmer and for rare words; empty for none. */
  readonly shortened: string;
  /** Place among the query's pieces, stop words counted; parts share it with their whole. */
  readonly position: number;
};

export type PlannedPhrase = {
  readonly text: string;
  readonly terms: readonly string[];
  /** Neighbours of the phrase written as one (`open-source`): in a passage such a whole stands before its parts. */
  readonly joined: readonly string[];
};

export type DroppedText = {
  readonly text: string;
  readonly reason:
    | 'stop word'
    | 'no letters or digits'
    | 'too many words'
    | 'too common beside the rest'
    | 'phrase found nowhere'
    | 'only exclusions';
};

export type QueryPlan = {
  readonly text: string;
  /** The text without signs and exclusions: what is asked for. */
  readonly asked: string;
  /** Language of the stop words that held. */
  readonly language: string;
  /** The query is not English: shortened forms are searched for every word. */
  readonly isForeign: boolean;
  readonly words: readonly PlannedWord[];
  readonly phrases: readonly PlannedPhrase[];
  /** Notes without the phrases are no hits; false in a longer question that quotes something. */
  readonly phrasesAreRequired: boolean;
  readonly without: readonly PlannedPhrase[];
  /** All terms of the query in order, stop words too, for comparison with titles and headings. */
  readonly terms: readonly string[];
  readonly dropped: readonly DroppedText[];
};

/** A page pasted as a query stays affordable, and a file does not keep others waiting. */
const MAX_WORDS = 200;
const MAX_CHARS = 20_000;
/** What is shown of a part that was left out. */
const SHOWN_CHARS = 40;
const MAX_JOINED = 4;
/** With more words around them, quotes are those of a question and not a filter. */
const MAX_WORDS_AROUND_PHRASES = 3;

export function planQuery(text: string, profile: RankingProfile = DEFAULT_PROFILE): QueryPlan {
  const operators = readOperators(text.slice(0, MAX_CHARS).normalize('NFC'));
  const pieces = placedTermsOf(operators.positive);
  const surfaces = pieces.map((piece) => operators.positive.slice(piece.start, piece.end));
  const { language, isForeign, isStop } = readLanguage(operators.positive, pieces);
  const keepsAll = isStop.every((stop) => stop);

  const dropped: DroppedText[] = [...operators.dropped];
  const rest = text.slice(MAX_CHARS);
  if (rest !== '') dropped.push({ text: `${rest.slice(0, SHOWN_CHARS)}…`, reason: 'too many words' });
  const words = new Map<string, PlannedWord>();
  surfaces.forEach((surface, index) => {
    if (isStop[index] && !keepsAll) dropped.push({ text: surface, reason: 'stop word' });
    else for (const word of wordsOfPiece(pieces, index, surface, profile)) addWord(words, word, profile);
  });
  if (pieces.length === 0 && text.trim() !== '')
    dropped.push({ text: text.trim(), reason: 'no letters or digits' });
  const all = [...words.values()];
  for (const word of all.slice(MAX_WORDS)) dropped.push({ text: word.text, reason: 'too many words' });
  return {
    text,
    asked: operators.positive,
    language,
    isForeign,
    words: all.slice(0, MAX_WORDS),
    phrases: planPhrases(operators.phrases),
    phrasesAreRequired: wordsAround(all, operators.phrases) <= MAX_WORDS_AROUND_PHRASES,
    without: planPhrases(operators.without),
    terms: termsOf(operators.positive),
    dropped,
  };
}

function planPhrases(texts: readonly string[]): PlannedPhrase[] {
  return texts
    .map((text) => ({ text, terms: phraseTerms(text), joined: joinedNeighbours(text) }))
    .filter((phrase) => phrase.terms.length > 0);
}

function wordsAround(words: readonly PlannedWord[], phrases: readonly string[]): number {
  const quoted = new Set(phrases.flatMap((phrase) => termsOf(phrase)));
  const around = words.filter((word) => !quoted.has(word.term));
  return new Set(around.map((word) => word.position)).size;
}

function joinedNeighbours(text: string): string[] {
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
  const joined: string[] = [];
  for (let start = 0; start < words.length - 1; start++) {
    for (let end = start + 2; end <= Math.min(words.length, start + MAX_JOINED); end++) {
      joined.push(termsOf(words.slice(start, end).join('-'))[0] ?? '');
    }
  }
  return joined;
}

/** Without the last letter that ends a run of dense script: in a longer run it is no term of its own. */
function phraseTerms(text: string): readonly string[] {
  const terms = termsOf(text);
  const last = terms.at(-1) ?? '';
  const before = terms.at(-2) ?? '';
  const isTail =
    last !== '' &&
    before.length > last.length &&
    before.endsWith(last) &&
    !/[\p{Script=Han}\p{ASCII}]/u.test(last);
  return isTail ? terms.slice(0, -1) : terms;
}

function addWord(words: Map<string, PlannedWord>, word: PlannedWord, profile: RankingProfile): void {
  const known = words.get(word.term);
  if (known === undefined) words.set(word.term, word);
  else if (word.kind === 'part')
    words.set(word.term, { ...known, weight: Math.max(known.weight, word.weight) });
  else words.set(word.term, { ...known, weight: known.weight + profile.repeatedWordWeight * word.weight });
}
