/** Where lines begin and end. `\n`, `\r\n` and a lone `\r` end a line; lines are counted from 0 in here. */

import { CR, LF } from './characters.js';

let scratch = new Uint32Array(4096);

/** Offsets of the first character of every line; a text without line endings has one line. */
export function findLineStarts(text: string): Uint32Array {
  let count = 1;
  scratch[0] = 0;
  const hasCr = text.indexOf('\r') >= 0;
  const push = (offset: number) => {
    if (count === scratch.length) {
      const larger = new Uint32Array(count * 2);
      larger.set(scratch);
      scratch = larger;
    }
    scratch[count++] = offset;
  };
  if (!hasCr) for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) push(at + 1);
  else
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) push(at + 1);
    }
  return scratch.slice(0, count);
}

/** End of a line's content, its line ending left out. */
export function lineEnd(text: string, lineStarts: Uint32Array, line: number): number {
  if (line + 1 >= lineStarts.length) return text.length;
  const next = lineStarts[line + 1]!;
  return text.charCodeAt(next - 1) === LF && text.charCodeAt(next - 2) === CR && next - 2 >= lineStarts[line]!
    ? next - 2
    : next - 1;
}

/** The line, counted from 0, that holds the offset. */
export function lineOf(lineStarts: Uint32Array, offset: number): number {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lineStarts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
