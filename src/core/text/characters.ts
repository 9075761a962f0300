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

/**
 * What most notes are made of, known beforehand: [first, last, kind], later ones over earlier. Preparing the patterns of
 * `learn` takes some milliseconds, which a search would notice.
 */
const COMMON: readonly (readonly [first: number, last: number, kind: number])[] = [
  [0x80, 0xa8, BREAK],
  [0xa9, 0xa9, SYMBOL],
  [0xaa, 0xaa, WORD],
  [0xab, 0xac, BREAK],
  [0xad, 0xad, WORD],
  [0xae, 0xae, SYMBOL],
  [0xaf, 0xb1, BREAK],
  [0xb2, 0xb3, WORD],
  [0xb4, 0xb4, BREAK],
  [0xb5, 0xb5, WORD],
  [0xb6, 0xb8, BREAK],
  [0xb9, 0xba, WORD],
  [0xbb, 0xbb, BREAK],
  [0xbc, 0xbe, WORD],
  [0xbf, 0xbf, BREAK],
  // Latin, and combining marks; × and ÷ among them.
  [0xc0, 0x2af, WORD],
  [0xd7, 0xd7, BREAK],
  [0xf7, 0xf7, BREAK],
  [0x300, 0x36f, WORD],
  // Cyrillic.
  [0x400, 0x52f, WORD],
  [0x482, 0x482, BREAK],
  // Punctuation; two of these signs are emoji.
  [0x2010, 0x205f, BREAK],
  [0x203c, 0x203c, SYMBOL],
  [0x2049, 0x2049, SYMBOL],
  // Hiragana, katakana, Han, Hangul.
  [0x3041, 0x3096, DENSE],
  [0x30a1, 0x30fa, DENSE],
  [0x4e00, 0x9fff, DENSE],
  [0xac00, 0xd7a3, DENSE],
];
for (const [first, last, kind] of COMMON) kinds.fill(kind, first, last + 1);

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
  const isWord = /\p{L}|\p{M}|\p{N}|\u00ad|\u200c|\u200d|\u2060/u.test(character);
  if (isWord && isOfDenseScript(character)) return DENSE;
  if (/\p{Extended_Pictographic}/u.test(character)) return SYMBOL;
  // With the soft hyphen and the joiners, which stand inside words.
  return isWord ? WORD : BREAK;
}

function isOfDenseScript(character: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u30fc\uff70]/u.test(
    character,
  );
}
