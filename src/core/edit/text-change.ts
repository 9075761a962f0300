/** Changes of a text as data: what an edit does, what undoes it, and what both are kept as in the journal. */

import { diffLines, splitLines } from './line-diff.js';

/** Puts `text` in the place of the UTF-16 units from `start` to `end`. */
export type TextChange = { readonly start: number; readonly end: number; readonly text: string };

/** Changes by rising start, none touching another's span. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let changed = '';
  let at = 0;
  for (const change of changes) {
    if (change.start < at || change.end < change.start || change.end > text.length) {
      throw new RangeError('changes of a text must be in order and within it');
    }
    changed += text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return changed + text.slice(at);
}

/** The changes that lead from the changed text back to `text`. */
export function invertChanges(text: string, changes: readonly TextChange[]): readonly TextChange[] {
  let shift = 0;
  return changes.map((change) => {
    const start = change.start + shift;
    shift += change.text.length - (change.end - change.start);
    return { start, end: start + change.text.length, text: text.slice(change.start, change.end) };
  });
}

/** Changes, by whole lines, that lead from one text to the other. */
export function changesBetween(before: string, after: string): readonly TextChange[] {
  if (before === after) return [];
  const from = splitLines(before);
  const to = splitLines(after);
  const changes: TextChange[] = [];
  let line = 0;
  let offset = 0;
  for (const hunk of diffLines(from, to)) {
    for (; line < hunk.start; line += 1) offset += from[line]!.length;
    const start = offset;
    for (; line < hunk.end; line += 1) offset += from[line]!.length;
    changes.push({ start, end: offset, text: to.slice(hunk.otherStart, hunk.otherEnd).join('') });
  }
  return changes;
}
