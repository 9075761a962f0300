/** Folding of letters: case, diacritics, compatibility forms. The same for notes and queries; used by analyse.ts. */

/** Combining marks that may go without changing the word: Latin, Greek, Cyrillic; Hebrew points; Arabic vowel signs. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u093c\u00ad\u200b-\u200f\u2060\ufeff]|[\ufe00-\ufe0f]/g;

/** Letters without a decomposition that people type otherwise. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ı', 'i'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ς', 'σ'],
  ['ٱ', 'ا'],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ة', 'ه'],
  ['ک', 'ك'],
]);
const SPECIAL = /[ßıøđðþłħæœςٱىیةک]/g;

/** Lower-cased, without diacritics, in one spelling per letter. Digits of every script become ASCII digits. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(SPECIAL, (letter) => LETTERS.get(letter) ?? letter)
    .normalize('NFC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) =>
      String((digit.charCodeAt(0) - 0x60) & 0xf),
    );
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
