/** Letters of scripts without spaces, with the vowels and marks that are written around them. For scan.ts. */

import { DENSE, kindOf, kindOfPair, SURROGATE } from './characters.js';

/** Also true for the halves of a pair, since nearly all dense letters outside the basic plane are Han. */
export function isHan(code: number): boolean {
  return (
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xd840 && code <= 0xd8ff) ||
    (code >= 0xf900 && code <= 0xfaff)
  );
}

/** The end of the letter that starts at `at`: a Thai consonant takes its vowels and tone along. `at` if none starts. */
export function endOfLetter(text: string, at: number): number {
  let end = endOfDense(text, at);
  if (end === at) return at;
  const code = text.charCodeAt(at);
  if (isHan(code)) return end;
  if (isLeadingVowel(code)) {
    const next = endOfDense(text, end);
    if (next === end) return end;
    end = next;
  }
  while (end < text.length && isFollower(text.charCodeAt(end))) end++;
  return end;
}

function endOfDense(text: string, at: number): number {
  if (at >= text.length) return at;
  const kind = kindOf(text.charCodeAt(at));
  if (kind === DENSE) return at + 1;
  if (kind !== SURROGATE) return at;
  const codePoint = text.codePointAt(at)!;
  return codePoint >= 0x10000 && kindOfPair(codePoint) === DENSE ? at + 2 : at;
}

/** Thai and Lao vowels written before the consonant they follow in speech. */
function isLeadingVowel(code: number): boolean {
  return (code >= 0x0e40 && code <= 0x0e44) || (code >= 0x0ec0 && code <= 0x0ec4);
}

/** Vowels and signs that go with the letter before them. */
function isFollower(code: number): boolean {
  if (code < 0x0e30) return false;
  if (code <= 0x0eff) {
    const thai = code & ~0x80;
    return (thai >= 0x0e30 && thai <= 0x0e3a) || thai === 0x0e45 || (thai >= 0x0e47 && thai <= 0x0e4e);
  }
  if (code < 0x1000) return code >= 0x0f71 && code <= 0x0fbc;
  if (code <= 0x17ff) {
    return (code >= 0x102b && code <= 0x103e) || (code >= 0x17b6 && code <= 0x17d3) || code === 0x17dd;
  }
  return false;
}
