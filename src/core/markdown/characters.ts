/** Character classes by UTF-16 code, as tables for ASCII; letters of other scripts by Unicode property. */

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;

const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

const ALPHA = 1;
const DIGIT = 2;
const PUNCT = 4;
const BLANK = 8;

const CLASSES = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) CLASSES[code] = ALPHA;
  else if (code >= 48 && code <= 57) CLASSES[code] = DIGIT;
  else if (code === TAB || code === LF || code === CR || code === SPACE || code === 11 || code === 12)
    CLASSES[code] = BLANK;
}
for (const sign of PUNCTUATION) CLASSES[sign.charCodeAt(0)] = PUNCT;

export function isAlpha(code: number): boolean {
  return code < 128 && CLASSES[code] === ALPHA;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isAlphanumeric(code: number): boolean {
  return code < 128 && (CLASSES[code]! & (ALPHA | DIGIT)) !== 0;
}

/** What a backslash can escape. */
export function isPunctuation(code: number): boolean {
  return code < 128 && CLASSES[code] === PUNCT;
}

/** Space, tab or line ending. */
export function isMarkdownSpace(code: number): boolean {
  return code === SPACE || code === LF || code === TAB || code === CR;
}

/** White space of any script, as before a tag. */
export function isWhiteSpace(code: number): boolean {
  if (code < 128) return CLASSES[code] === BLANK;
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}

// Written where they are used: V8 takes half a millisecond to read a class of Unicode, which many notes do not need.

/** Letters, digits, marks and symbols (emoji among them) outside ASCII; with the signs that join them. */
export function isWordBeyondAscii(codePoint: number): boolean {
  if (codePoint >= 0x4e00 && codePoint <= 0x9fff) return true;
  return /^[\p{L}\p{M}\p{N}\p{S}\u00b7\u200c\u200d]$/u.test(String.fromCodePoint(codePoint));
}

/** Beyond ASCII: what cannot make a tag on its own. */
export function isDigitOrMark(codePoint: number): boolean {
  return /^[\p{Nd}\p{M}\u00b7\u200c\u200d]$/u.test(String.fromCodePoint(codePoint));
}

/** First offset at or after `from` that holds no space or tab; `to` if there is none. */
export function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code !== SPACE && code !== TAB) break;
    at++;
  }
  return at;
}

/** End of the text before trailing spaces, tabs and line endings. */
export function trimEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isMarkdownSpace(text.charCodeAt(end - 1))) end--;
  return end;
}

/** First offset at or after `from` that holds no space, tab or line ending. */
export function skipWhiteSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isMarkdownSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Where the text ends before trailing signs of the given ones. */
export function endBefore(text: string, signs: string): number {
  let end = text.length;
  while (end > 0 && signs.includes(text[end - 1]!)) end--;
  return end;
}

/** The text without these signs at its ends; a regular expression would take the square of a long run's length. */
export function trimSigns(text: string, signs: string): string {
  const end = endBefore(text, signs);
  let start = 0;
  while (start < end && signs.includes(text[start]!)) start++;
  return text.slice(start, end);
}

/** Like indexOf, but never looks far beyond `to`. */
export function indexWithin(text: string, signs: string, from: number, to: number): number {
  const first = signs.charCodeAt(0);
  for (let at = from; at + signs.length <= to; at++)
    if (text.charCodeAt(at) === first && text.startsWith(signs, at)) return at;
  return -1;
}
