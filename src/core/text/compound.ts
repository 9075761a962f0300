/** Where a name falls into words: at `-`, `_`, an apostrophe, a change of case, between letters and digits. */

const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

/**
 * Start and end of each word, in turn: `getUserById` → get, User, By, Id; `HTMLParser` → HTML, Parser; `utf8` →
 * utf, 8; `snake_case` → snake, case.
 */
export function splitCompound(text: string): readonly number[] {
  const bounds: number[] = [];
  let start = -1;
  let previous = SEPARATOR;
  let beforeThat = SEPARATOR;
  let previousAt = -1;
  for (let i = 0; i < text.length; i++) {
    if (isMark(text.charCodeAt(i))) continue;
    const kind = letterKind(text, i);
    if (kind === SEPARATOR) {
      if (start >= 0) bounds.push(start, i);
      start = -1;
    } else if (start < 0) {
      start = i;
    } else if (isBoundary(previous, kind)) {
      bounds.push(start, i);
      start = i;
    } else if (
      kind === LOWER &&
      previous === UPPER &&
      beforeThat === UPPER &&
      previousAt > start &&
      endsCapitals(text, i)
    ) {
      bounds.push(start, previousAt);
      start = previousAt;
    }
    beforeThat = previous;
    previous = kind;
    previousAt = i;
  }
  if (start >= 0) bounds.push(start, text.length);
  return bounds;
}

/** Whether the lower-case letter at `at` opens a word after capitals: `HTMLParser` falls apart, `APIs` and `RNAi` do not. */
function endsCapitals(text: string, at: number): boolean {
  let next = at + 1;
  while (next < text.length && isMark(text.charCodeAt(next))) next++;
  return next < text.length && letterKind(text, next) === LOWER;
}

/** Accents written apart belong to the letter before them. */
function isMark(code: number): boolean {
  return code >= 0x0300 && code <= 0x036f;
}

function isBoundary(previous: number, kind: number): boolean {
  return (previous === LOWER && kind === UPPER) || (previous === DIGIT) !== (kind === DIGIT);
}

function letterKind(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) {
    if (code >= 97 && code <= 122) return LOWER;
    if (code >= 65 && code <= 90) return UPPER;
    return code >= 48 && code <= 57 ? DIGIT : SEPARATOR;
  }
  if (code === 0x2019) return SEPARATOR;
  if ((code >= 0x0660 && code <= 0x0669) || (code >= 0x06f0 && code <= 0x06f9)) return DIGIT;
  if (code >= 0x0966 && code <= 0x096f) return DIGIT;
  const letter = text[at]!;
  return letter === letter.toLowerCase() ? LOWER : UPPER;
}
