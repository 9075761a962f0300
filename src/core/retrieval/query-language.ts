/** The language of a query and which of its words say nothing. The word lists are in text/stop-words.ts. */

import { fold, isAscii } from '../text/fold.js';
import { stopLanguageFor } from '../text/stop-words.js';
import type { PlacedTerms } from '../text/terms.js';

export type QueryLanguage = {
  /** Language of the stop words that hold. */
  readonly language: string;
  /** Not English by its stop words, or by its letters where it has none. */
  readonly isForeign: boolean;
  /** For each piece, whether it is a stop word. */
  readonly isStop: readonly boolean[];
};

export function readLanguage(text: string, pieces: readonly PlacedTerms[]): QueryLanguage {
  const surfaces = pieces.map(({ start, end }) => text.slice(start, end));
  const isName = nameFlags(text, pieces, surfaces);
  const words = surfaces.map((surface, index) => ({
    folded: isName[index] ? '' : fold(surface).replace(/['’]/g, ''),
    isForeign: hasOtherLetter(surface),
  }));
  const stopLanguage = stopLanguageFor(words);
  const isStop = words.map(({ folded }) => stopLanguage.has(folded));
  const { language } = stopLanguage;
  const isForeign = language !== 'en' || (hasOtherLetter(text) && !isStop.includes(true));
  return { language, isForeign, isStop };
}

// V8 takes up to a millisecond to prepare a class of Unicode, which most queries do not need.

function hasOtherLetter(text: string): boolean {
  return !isAscii(text) && /[^\p{ASCII}\p{P}\p{S}]/u.test(text);
}

function isCapitalised(word: string): boolean {
  return isAscii(word) ? /^[A-Z][a-z]/.test(word) : /^\p{Lu}\p{M}*\p{Ll}/u.test(word);
}

function isInCapitals(word: string): boolean {
  return isAscii(word) ? /^[A-Z]{2,}$/.test(word) : /^\p{Lu}{2,}$/u.test(word);
}

const SENTENCE_END = /(?:^|[.!?:;"“„(]\s*)$/;

/**
 * `US` and `IT` in a query that is not in capitals all through; `Will` and `Allen` inside a sentence that is not in
 * title case: names, whatever the lists say.
 */
function nameFlags(text: string, pieces: readonly PlacedTerms[], surfaces: readonly string[]): boolean[] {
  const inCapitals = surfaces.filter(isInCapitals).length;
  const capitalised = surfaces.filter(isCapitalised).length;
  const isShouted = inCapitals * 2 > surfaces.length;
  const isTitleCase = capitalised * 2 > surfaces.length;
  return surfaces.map((surface, index) => {
    if (isInCapitals(surface)) return !isShouted;
    if (isTitleCase || !isCapitalised(surface)) return false;
    return !SENTENCE_END.test(text.slice(0, pieces[index]!.start));
  });
}
