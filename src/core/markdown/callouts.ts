/** `> [!type]+ title`: a quote whose first line names its kind. */

import type { BlockState } from './block-state.js';
import { skipBlanks, trimEnd } from './characters.js';

const MAX_TYPE = 60;

/** Reads the callout that the just opened quote starts with; answers its index, or -1. */
export function readCallout(state: BlockState, start: number): number {
  const { text, next, end } = state;
  if (text.charCodeAt(next) !== 91 || text.charCodeAt(next + 1) !== 33 || state.indent > 3) return -1;
  let close = next + 2;
  const limit = Math.min(end, next + MAX_TYPE);
  while (close < limit && text.charCodeAt(close) !== 93 && text.charCodeAt(close) !== 91) close++;
  if (close >= limit || text.charCodeAt(close) !== 93 || text.charCodeAt(close + 1) === 40) return -1;
  // `[!type|metadata]` styles a callout.
  const type = text
    .slice(next + 2, close)
    .split('|', 1)[0]!
    .trim()
    .toLowerCase();
  if (type === '') return -1;
  const sign = text[close + 1];
  const fold = close + 1 < end && (sign === '+' || sign === '-') ? sign : '';
  const titleStart = skipBlanks(text, close + 1 + fold.length, end);
  const title = text.slice(titleStart, trimEnd(text, titleStart, end));
  const line = state.line + 1;
  state.callouts.push({ type, title, fold, start, end: start, line, endLine: line });
  return state.callouts.length - 1;
}
