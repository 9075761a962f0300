/** Stemming by script: a folded word in, its stem out. English in stem-english.ts. */

import { stemEnglish } from './stem-english.js';

export function stem(word: string): string {
  if (word.length < 3) return word;
  const first = word.charCodeAt(0);
  if (first < 128) return isLowerAscii(word) ? stemEnglish(word) : word;
  if (first >= 0x0620 && first <= 0x06ff) return stemArabic(word);
  return word;
}

function isLowerAscii(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

const ARABIC_PREFIXES = ['وال', 'بال', 'كال', 'فال', 'ال', 'لل'];
const ARABIC_SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي'];

/** Light stemming (Larkey's light10): the article and its clusters, `و`, and the commonest endings. */
function stemArabic(word: string): string {
  let w = word.length >= 4 && word.startsWith('و') ? word.slice(1) : word;
  for (const prefix of ARABIC_PREFIXES) {
    if (w.startsWith(prefix) && w.length >= prefix.length + 2) {
      w = w.slice(prefix.length);
      break;
    }
  }
  for (const suffix of ARABIC_SUFFIXES) {
    if (w.endsWith(suffix) && w.length >= suffix.length + 2) w = w.slice(0, -suffix.length);
  }
  return w;
}
