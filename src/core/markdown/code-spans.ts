/** Inline code, n backticks to the next n, and inline math. */

import { isDigit, isMarkdownSpace } from './characters.js';
import { findNext } from './finder.js';
import { type InlineState, MAX_TICKS } from './inline-state.js';

/** Offset behind the code span that opens at `at`; behind its backticks if nothing closes it. */
export function skipCodeSpan(state: InlineState, at: number): number {
  const { text, to, tickRuns } = state;
  let open = at + 1;
  while (open < to && text.charCodeAt(open) === 96) open++;
  const length = open - at;
  if (length > MAX_TICKS) return open;
  if (state.ticksSeen && tickRuns[length]! <= at) return open;
  for (let here = text.indexOf('`', open); here >= 0 && here < to; here = text.indexOf('`', here)) {
    const start = here++;
    while (here < to && text.charCodeAt(here) === 96) here++;
    if (here - start === length) return here;
    if (here - start <= MAX_TICKS) tickRuns[here - start] = start;
  }
  state.ticksSeen = true;
  return open;
}

/** Offset behind `$…$` or `$$…$$`; behind the opening signs if it is none. */
export function skipMath(state: InlineState, at: number): number {
  const { text, to } = state;
  if (text.charCodeAt(at + 1) === 36) {
    const close = findNext(state.finder, '$$', at + 2, to);
    return close < 0 ? at + 2 : close + 2;
  }
  if (state.mathIsOver || at + 1 >= to || isMarkdownSpace(text.charCodeAt(at + 1))) return at + 1;
  for (let here = at + 1; here < to; here++) {
    const code = text.charCodeAt(here);
    if (code === 92) here++;
    else if (
      code === 36 &&
      !isMarkdownSpace(text.charCodeAt(here - 1)) &&
      !isDigit(text.charCodeAt(here + 1))
    )
      return here + 1;
  }
  state.mathIsOver = true;
  return at + 1;
}
