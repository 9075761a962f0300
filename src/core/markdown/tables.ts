/** Tables: cells between pipes, and the row of dashes that makes the line before it a head. */

import { SPACE, skipBlanks, TAB } from './characters.js';

/** How many columns a delimiter row has; 0 if the line is none. A row without `|` and `:` is a rule or underline. */
export function delimiterColumns(text: string, from: number, to: number): number {
  let at = from;
  let columns = 0;
  let seen = false;
  if (text.charCodeAt(at) === 124) {
    seen = true;
    at = skipBlanks(text, at + 1, to);
  }
  while (at < to) {
    if (text.charCodeAt(at) === 58) {
      seen = true;
      at++;
    }
    const dashes = at;
    while (at < to && text.charCodeAt(at) === 45) at++;
    if (at === dashes) return 0;
    columns++;
    if (at < to && text.charCodeAt(at) === 58) {
      seen = true;
      at++;
    }
    at = skipBlanks(text, at, to);
    if (at >= to) break;
    if (text.charCodeAt(at) !== 124) return 0;
    seen = true;
    at = skipBlanks(text, at + 1, to);
  }
  return seen ? columns : 0;
}

/** How many cells a row has. */
export function countCells(text: string, from: number, to: number): number {
  let cells = 0;
  let open = text.charCodeAt(from) !== 124;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === TAB) continue;
    if (open) {
      cells++;
      open = false;
    }
    if (code === 124) open = true;
    else if (code === 92) {
      const escaped = text.charCodeAt(at + 1);
      if (escaped === 124 || escaped === 92) at++;
    }
  }
  return cells;
}

/** End of the cell that starts at `from`: the next pipe without a backslash, or `to`. */
export function cellEnd(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 124) return at;
    if (code === 92) {
      const escaped = text.charCodeAt(at + 1);
      if (escaped === 124 || escaped === 92) at++;
    }
  }
  return to;
}
