/** Inline tags: `#` after white space, then letters, digits, symbols, `_ - /`, not digits alone. */

import { isAlpha, isDigit, isDigitOrMark, isWhiteSpace, isWordBeyondAscii } from './characters.js';
import { type InlineState, lineAt } from './inline-state.js';

/** How far down a line `tags: #a,#b` counts as a list of tags. */
const TAG_LINE_LIMIT = 20;

/** Reads the tag whose `#` stands at `at`; answers the offset behind it, `at + 1` if there is none. */
export function readTag(state: InlineState, at: number, from: number): number {
  const { text } = state;
  if (at > from && !isWhiteSpace(text.charCodeAt(at - 1)) && !isInTagLine(state, at)) return at + 1;
  const end = tagEnd(text, at + 1, state.to);
  if (end < 0) return at + 1;
  if (state.inComment || at < state.commentEnd) return end;
  const start = at + state.shift;
  state.tags.push({ name: text.slice(at + 1, end), start, end: end + state.shift, line: lineAt(state, at) });
  return end;
}

/** End of the tag's name that starts at `from`; -1 if it is none. */
export function tagEnd(text: string, from: number, to: number): number {
  let at = from;
  let isName = false;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code < 128) {
      if (isAlpha(code) || code === 95 || code === 45 || code === 47) isName = true;
      else if (!isDigit(code)) break;
      at++;
      continue;
    }
    const point = text.codePointAt(at)!;
    if (!isWordBeyondAscii(point)) break;
    if (!isName && !isDigitOrMark(point)) isName = true;
    at += point > 0xffff ? 2 : 1;
  }
  return isName ? at : -1;
}

/** `#` behind `:`, `,` or `;` in a line `tags: #a,#b` near the top. */
function isInTagLine(state: InlineState, at: number): boolean {
  const before = state.text.charCodeAt(at - 1);
  if (before !== 44 && before !== 58 && before !== 59) return false;
  if (lineAt(state, at) > state.bodyLine + TAG_LINE_LIMIT) return false;
  return /^\s{0,3}[*_]{0,3}tags?[*_]{0,3}:/i.test(state.text.slice(state.lineStart, state.lineStart + 16));
}
