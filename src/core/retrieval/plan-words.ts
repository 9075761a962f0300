/** The pieces of a query as planned words: their kind, weight and prefixes. Used by plan.ts. */

import { endOfLetter } from '../text/dense-letters.js';
import { isAscii } from '../text/fold.js';
import type { PlacedTerms } from '../text/terms.js';
import type { PlannedWord, WordKind } from './plan.js';
import type { RankingProfile } from './profile.js';

const DATE = /^\d{4}-\d\d(?:-\d\d)?$/;

/** The words that piece `index` of the query stands for. `surface` is its text. */
export function wordsOfPiece(
  pieces: readonly PlacedTerms[],
  index: number,
  surface: string,
  profile: RankingProfile,
): PlannedWord[] {
  const terms = pieces[index]!.terms;
  const isPlain = isAscii(surface);
  if (!isPlain && isDense(surface)) {
    const word = denseWord(pieces, index, surface, profile);
    return word === undefined ? [] : [word];
  }
  const isProse = isPlain ? isPlainProse(surface) : isProseCompound(surface);
  const isElision = isProse && /['’]/.test(surface);
  const hasWhole = terms.length > 1 && !isElision && terms[0]!.length > terms[1]!.length;
  return terms.map((term, at) => {
    const kind = terms.length === 1 ? 'word' : DATE.test(term) ? 'date' : kindOf(at, hasWhole, isProse);
    const takesPrefix = term.length >= profile.prefixMinimumLength && !/^\d+$/.test(term);
    return {
      text: surface,
      term,
      kind,
      weight: weightOf(kind, term, profile),
      prefix: takesPrefix ? term : '',
      shortened: takesPrefix && isAllLetters(term) ? shorten(term, profile) : '',
      position: index,
    };
  });
}

// V8 takes up to a millisecond to prepare a class of Unicode, which most queries do not need.

/** `net/http` is a name, `well-known` are two words. */
function isPlainProse(surface: string): boolean {
  return /^[A-Za-z'-]+$/.test(surface) && !/[a-z][A-Z]/.test(surface);
}

function isProseCompound(surface: string): boolean {
  return /^[\p{L}\p{M}'’-]+$/u.test(surface) && !/\p{Ll}\p{Lu}/u.test(surface);
}

function isDense(surface: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー]/u.test(
    surface,
  );
}

function isAllLetters(term: string): boolean {
  return isAscii(term) ? /^[A-Za-z]+$/.test(term) : /^[\p{L}\p{M}]+$/u.test(term);
}

function kindOf(at: number, hasWhole: boolean, isProse: boolean): WordKind {
  if (isProse) return at === 0 && hasWhole ? 'compound' : 'word';
  return at === 0 && hasWhole ? 'whole' : 'part';
}

function weightOf(kind: WordKind, term: string, profile: RankingProfile): number {
  if (kind === 'whole') return profile.identifierWholeWeight;
  return kind === 'part' && term.length === 1 ? profile.singlePartWeight : 1;
}

function shorten(term: string, profile: RankingProfile): string {
  const length = term.length * profile.shortenedShare;
  return length >= profile.prefixMinimumLength ? term.slice(0, Math.ceil(length)) : '';
}

/** A pair of letters; a letter of a longer run only if it is Han, lower; a lone letter with all that starts so. */
function denseWord(
  pieces: readonly PlacedTerms[],
  index: number,
  surface: string,
  profile: RankingProfile,
): PlannedWord | undefined {
  const piece = pieces[index]!;
  const term = piece.terms[0]!;
  const base = { text: surface, term, prefix: '', shortened: '', position: index };
  if (endOfLetter(surface, 0) < surface.length) {
    const isHiragana = /^\p{Script=Hiragana}+$/u.test(term);
    return { ...base, kind: 'pair', weight: isHiragana ? profile.hiraganaPairWeight : 1 };
  }
  const [before, after] = [pieces[index - 1], pieces[index + 1]];
  const inRun = before?.end === piece.end || after?.start === piece.start;
  if (!inRun) return { ...base, kind: 'letter', weight: 1, prefix: term };
  return /\p{Script=Han}/u.test(term) ? { ...base, kind: 'letter', weight: profile.letterWeight } : undefined;
}
