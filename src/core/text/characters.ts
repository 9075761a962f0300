/** Kinds of UTF-16 code units, as scan.ts needs them: a table for ASCII, the rest learned on first sight. */

export const BREAK = 0;
/** Letters and digits of scripts that put spaces between words, and the marks inside them. */
export const WORD = 1;
/** Scripts without spaces, and Hangul: cut into pairs of letters. */
export const DENSE = 2;
export const SURROGATE = 3;
/** A symbol that is a term of its own, such as an emoji. */
export const SYMBOL = 4;
const UNKNOWN = 255;

const kinds = new Uint8Array(65_536).fill(UNKNOWN);
for (let code = 0; code < 128; code++) {
  const isWord = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  kinds[code] = isWord ? WORD : BREAK;
}
kinds.fill(SURROGATE, 0xd800, 0xe000);

const DENSE_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u30fc\uff70]/u;
/** With the soft hyphen and the joiners, which stand inside words. */
const WORD_CHARACTER = /\p{L}|\p{M}|\p{N}|\u00ad|\u200c|\u200d|\u2060/u;
const SYMBOL_CHARACTER = /\p{Extended_Pictographic}/u;

/** `BREAK` for NaN, the code past the end of a text. */
export function kindOf(code: number): number {
  const kind = kinds[code];
  if (kind === undefined) return BREAK;
  return kind === UNKNOWN ? (kinds[code] = learn(String.fromCharCode(code))) : kind;
}

/** The kind of a character outside the basic plane. */
export function kindOfPair(codePoint: number): number {
  return learn(String.fromCodePoint(codePoint));
}

function learn(character: string): number {
  if (DENSE_SCRIPT.test(character) && WORD_CHARACTER.test(character)) return DENSE;
  if (SYMBOL_CHARACTER.test(character)) return SYMBOL;
  return WORD_CHARACTER.test(character) ? WORD : BREAK;
}
