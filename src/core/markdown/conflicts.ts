/** Complete sets of git conflict markers. Their lines belong to no block; both sides are read. */

import { lineEnd, lineOf } from './lines.js';
import type { Conflict } from './scanned-note.js';

export type ConflictLines = {
  readonly conflicts: readonly Conflict[];
  readonly markerLines: ReadonlySet<number>;
};

const NONE: ConflictLines = { conflicts: [], markerLines: new Set() };

/** Markers stand at the start of a line, seven signs, then a space or the end of the line. */
export function findConflicts(text: string, lineStarts: Uint32Array): ConflictLines {
  let at = text.indexOf('<<<<<<<');
  if (at < 0) return NONE;
  const conflicts: Conflict[] = [];
  const markerLines = new Set<number>();
  while (at >= 0) {
    let line = lineOf(lineStarts, at);
    if (textStart(text, lineStarts, line) === at && isMarker(text, lineStarts, line, '<')) {
      const found = readConflict(text, lineStarts, line);
      if (found.end >= 0) {
        for (const marker of found.lines) markerLines.add(marker);
        conflicts.push({ startLine: line + 1, middleLine: found.middle + 1, endLine: found.end + 1 });
      }
      line = found.next;
    }
    at = line + 1 < lineStarts.length ? text.indexOf('<<<<<<<', lineStarts[line + 1]!) : -1;
  }
  return conflicts.length === 0 ? NONE : { conflicts, markerLines };
}

function readConflict(text: string, lineStarts: Uint32Array, start: number) {
  const lines = [start];
  let middle = -1;
  for (let line = start + 1; line < lineStarts.length; line++) {
    const code = text.charCodeAt(lineStarts[line]!);
    if (code === 60 && isMarker(text, lineStarts, line, '<'))
      return { lines, middle, end: -1, next: line - 1 };
    if (code === 124 && middle < 0 && isMarker(text, lineStarts, line, '|')) lines.push(line);
    if (code === 61 && middle < 0 && isMarker(text, lineStarts, line, '=')) lines.push((middle = line));
    if (code === 62 && middle >= 0 && isMarker(text, lineStarts, line, '>')) {
      lines.push(line);
      return { lines, middle, end: line, next: line };
    }
  }
  return { lines, middle, end: -1, next: lineStarts.length };
}

function isMarker(text: string, lineStarts: Uint32Array, line: number, sign: string): boolean {
  const start = textStart(text, lineStarts, line);
  if (!text.startsWith(sign.repeat(7), start)) return false;
  const end = lineEnd(text, lineStarts, line);
  return start + 7 >= end || (sign !== '=' && text[start + 7] === ' ');
}

/** Behind a byte order mark. */
function textStart(text: string, lineStarts: Uint32Array, line: number): number {
  return line === 0 && text.charCodeAt(0) === 0xfeff ? 1 : lineStarts[line]!;
}
