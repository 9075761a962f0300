/** Lines of a note that come near to a text that it does not hold. */

import { lineEnd } from '../markdown/lines.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import type { Part } from '../note/note-parts.js';

export type NearMiss = {
  readonly line: number;
  /** The lines as they stand in the note. */
  readonly text: string;
  /** ` (other white space)`, where that is all. */
  readonly difference: string;
};

const MOST = 3;
/** Share of common pairs of characters below which lines have nothing to do with each other. */
const LEAST_LIKENESS = 0.5;
const MAX_SHOWN = 200;
const MAX_COMPARED = 400;

/** Best first. As many lines at a time are compared as the text has. */
export function nearMisses(note: ScannedNote, within: Part, wanted: string): readonly NearMiss[] {
  const wantedLines = wanted.split(/\r\n|\n|\r/);
  while (wantedLines.length > 1 && wantedLines[wantedLines.length - 1]!.trim() === '') wantedLines.pop();
  const height = wantedLines.length;
  const goal = folded(wantedLines.join(' '));
  if (goal === '') return [];
  const goalPairs = pairs(goal.slice(0, MAX_COMPARED));
  const found: (NearMiss & { readonly likeness: number })[] = [];
  const count = note.lineStarts.length;
  for (let line = 0; line + height <= count; line += 1) {
    const start = note.lineStarts[line]!;
    const end = lineEnd(note.text, note.lineStarts, line + height - 1);
    if (end < within.start || start >= within.end) continue;
    const text = note.text.slice(start, end);
    const here = folded(text);
    const contains = here.includes(goal);
    // A short quotation from a long line is like a part of it at best.
    const likeness = contains ? 2 : likenessOf(goalPairs, here, goal.length);
    if (likeness < LEAST_LIKENESS) continue;
    found.push({
      line: line + 1,
      text: text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text,
      difference: contains ? ' (other white space, quotes, dashes or case)' : '',
      likeness,
    });
  }
  return found
    .sort((a, b) => b.likeness - a.likeness || a.line - b.line)
    .slice(0, MOST)
    .map(({ line, text, difference }) => ({ line, text, difference }));
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’‚′`]/g, "'")
    .replace(/[“”„″«»]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
}

function pairs(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

/** How much of the goal's pairs the line holds, less what a much longer line adds. */
function likenessOf(goal: ReadonlyMap<string, number>, line: string, goalLength: number): number {
  const other = pairs(line.slice(0, MAX_COMPARED * 2));
  let total = 0;
  let common = 0;
  for (const [pair, times] of goal) {
    total += times;
    common += Math.min(times, other.get(pair) ?? 0);
  }
  if (total === 0) return 0;
  const excess = Math.max(0, line.length - goalLength * 4) / 2_000;
  return common / total - Math.min(0.2, excess);
}
