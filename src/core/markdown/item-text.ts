/** The text of a list item as one line, and the properties that an outliner wrote under it. */

import { skipBlanks, trimEnd } from './characters.js';
import { lineEnd } from './lines.js';
import type { Field, ScannedNote } from './scanned-note.js';

/** First paragraph, its lines joined by spaces; without the task mark, an outliner's properties and the block id. */
export function itemText(note: ScannedNote, index: number): string {
  const item = note.items[index]!;
  const { text } = note;
  const end = item.textEnd;
  const outlined = item.textLine === item.textEndLine ? NONE : outlinerLines(note, index);
  let joined = '';
  for (let line = item.textLine; line <= item.textEndLine; line++) {
    if (outlined.has(line)) continue;
    const from = line === item.textLine ? item.textStart : note.lineStarts[line - 1]!;
    const to = Math.min(end, lineEnd(text, note.lineStarts, line - 1));
    const start = skipBlanks(text, from, to);
    const part = text.slice(start, trimEnd(text, start, to));
    if (part !== '') joined += joined === '' ? part : ` ${part}`;
  }
  return item.blockId === undefined ? joined : withoutBlockId(joined, item.blockId);
}

const NONE: ReadonlySet<number> = new Set();

function outlinerLines(note: ScannedNote, index: number): ReadonlySet<number> {
  const lines = outlinerProperties(note, index).map(({ line }) => line);
  return lines.length === 0 ? NONE : new Set(lines);
}

/** `key:: value` on lines of their own under the item's first line. */
export function outlinerProperties(note: ScannedNote, index: number): readonly Field[] {
  const { fields } = note;
  const item = note.items[index]!;
  let at = firstFrom(fields, item.textStart);
  const found: Field[] = [];
  for (; at < fields.length && fields[at]!.start < item.textEnd; at++)
    if (fields[at]!.outliner && fields[at]!.item === index) found.push(fields[at]!);
  return found;
}

/** Index of the first field that starts at or behind the offset. */
function firstFrom(fields: readonly Field[], offset: number): number {
  let low = 0;
  let high = fields.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fields[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withoutBlockId(text: string, id: string): string {
  if (!text.endsWith(`^${id}`)) return text;
  const start = text.length - id.length - 1;
  if (start > 0 && text[start - 1] !== ' ' && text[start - 1] !== '\t') return text;
  return text.slice(0, trimEnd(text, 0, start));
}

/** The lines under the item's own text, nested items included: first and last, or undefined without any. */
export function detailLines(
  note: ScannedNote,
  index: number,
): { readonly first: number; readonly last: number } | undefined {
  const { textEndLine, endLine } = note.items[index]!;
  return endLine > textEndLine ? { first: textEndLine + 1, last: endLine } : undefined;
}
