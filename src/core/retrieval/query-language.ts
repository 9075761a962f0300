/** The language of a query and which of its words say nothing. The word lists are in text/stop-words.ts. */

import { fold } from '../text/fold.js';
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
    isForeign: OTHER_LETTER.test(surface),
  }));
  const stopLanguage = stopLanguageFor(words);
  const isStop = words.map(({ folded }) => stopLanguage.words.has(folded));
  const { language } = stopLanguage;
  const isForeign = language !== 'en' || (OTHER_LETTER.test(text) && !isStop.includes(true));
  return { language, isForeign, isStop };
}

const OTHER_LETTER = /[^\p{ASCII}\p{P}\p{S}]/u;
const CAPITALISED = /^\p{Lu}\p{M}*\p{Ll}/u;
const CAPITALS = /^\p{Lu}{2,}$/u;
const SENTENCE_END = /(?:^|[.!?:;"“„(]\s*)$/u;

/**
 * `US` and `IT` in a query that is not in capitals all through; `Will` and `Allen` inside a sentence that is not in
 * title case: names, whatever the lists say.
 */
function nameFlags(text: string, pieces: readonly PlacedTerms[], surfaces: readonly string[]): boolean[] {
  const inCapitals = surfaces.filter((surface) => CAPITALS.test(surface)).length;
  const capitalised = surfaces.filter((surface) => CAPITALISED.test(surface)).length;
  const isShouted = inCapitals * 2 > surfaces.length;
  const isTitleCase = capitalised * 2 > surfaces.length;
  return surfaces.map((surface, index) => {
    if (CAPITALS.test(surface)) return !isShouted;
    if (isTitleCase || !CAPITALISED.test(surface)) return false;
    return !SENTENCE_END.test(text.slice(0, pieces[index]!.start));
  });
}
