/** A fact that both sides moved, each to another place, stands twice after a merge by lines: it is made one again. */

import { lineEndingOf } from '../edit/line-endings.js';
import { applyChanges, type TextChange } from '../edit/text-change.js';
import { hasPrefix } from '../facts/record-id.js';
import { scan } from '../markdown/scan.js';
import type { Item, ScannedNote } from '../markdown/scanned-note.js';
import { conflictLines, type MergedText, SIDES, type Versions } from './versions.js';

export function uniteMoved(text: string, notes: Versions<ScannedNote>): MergedText {
  const note = scan(text);
  const changes: TextChange[] = [];
  let conflicts = 0;
  for (const [id, items] of itemsById(note)) {
    const [first, second] = items;
    if (second === undefined || items.length > 2) continue;
    // What stood twice in a version stays so: `doctor` tells of it.
    if (SIDES.some((side) => (itemsById(notes[side]).get(id)?.length ?? 0) > 1)) continue;
    if (items.some((item) => isInConflict(note, item) || contains(item, items))) continue;
    changes.push({ ...linesOf(note, second), text: '' });
    const [one, other] = [rawOf(note, first!), rawOf(note, second)];
    if (one === other) continue;
    conflicts += 1;
    const ending = lineEndingOf(text);
    const split = (raw: string) => raw.split(/\r\n|\n|\r/);
    const ours = itemsById(notes.ours).get(id)?.[0];
    const isOursFirst = ours !== undefined && rawOf(notes.ours, ours) === one;
    const lines = isOursFirst
      ? conflictLines(split(one), split(other))
      : conflictLines(split(other), split(one));
    changes.push({ ...linesOf(note, first!), text: lines.map((line) => line + ending).join('') });
  }
  changes.sort((a, b) => a.start - b.start);
  return { text: applyChanges(text, changes), conflicts };
}

function itemsById(note: ScannedNote): ReadonlyMap<string, readonly Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of note.items) {
    if (!hasPrefix(item.blockId, 'f') && !hasPrefix(item.blockId, 'r')) continue;
    found.set(item.blockId!, [...(found.get(item.blockId!) ?? []), item]);
  }
  return found;
}

function isInConflict({ conflicts }: ScannedNote, { line }: Item): boolean {
  return conflicts.some(({ startLine, endLine }) => line >= startLine && line <= endLine);
}

function contains(item: Item, items: readonly Item[]): boolean {
  return items.some((other) => other !== item && other.line > item.line && other.line <= item.endLine);
}

function linesOf({ text, lineStarts }: ScannedNote, { line, endLine }: Item) {
  return { start: lineStarts[line - 1]!, end: lineStarts[endLine] ?? text.length };
}

function rawOf(note: ScannedNote, item: Item): string {
  const { start, end } = linesOf(note, item);
  return note.text.slice(start, end).replace(/(?:\r\n|\n|\r)$/, '');
}
