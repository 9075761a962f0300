/** The lines that a property takes in its block: where its key stands, where its value ends, its list items. */

import { lineEnd } from '../markdown/lines.js';
import type { PropertyEntry, ScannedNote } from '../markdown/scanned-note.js';

export type PropertyPlace = {
  readonly entry: PropertyEntry;
  /** First line of the property and the first behind it, counted from 0. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Behind the colon. */
  readonly afterColon: number;
};

/** The property of that key: exactly, else without regard to case. Undefined where there is none at the top level. */
export function findProperty(note: ScannedNote, key: string): PropertyPlace | undefined {
  const entries = note.properties?.entries ?? [];
  const entry =
    entries.find((candidate) => candidate.key === key) ??
    entries.find((candidate) => candidate.key.toLowerCase() === key.toLowerCase());
  return entry && placeOf(note, entry);
}

function placeOf(note: ScannedNote, entry: PropertyEntry): PropertyPlace | undefined {
  const { text, lineStarts } = note;
  const closing = closingLine(note);
  for (let line = entry.line - 1; line >= 1; line -= 1) {
    const start = lineStarts[line]!;
    const afterColon = keyEnd(text.slice(start, lineEnd(text, lineStarts, line)), entry.key);
    if (afterColon < 0) continue;
    let last = line + 1;
    let end = last;
    for (; last < closing; last += 1) {
      const written = text.slice(lineStarts[last]!, lineEnd(text, lineStarts, last));
      if (written.trim() === '' || written.startsWith('#')) continue;
      if (!/^[ \t]/.test(written) && !/^-([ \t]|$)/.test(written) && lineStarts[last]! >= entry.valueEnd)
        break;
      end = last + 1;
    }
    return {
      entry,
      firstLine: line,
      lastLine: Math.max(end, lineOfEnd(note, entry)),
      afterColon: start + afterColon,
    };
  }
  return nestedPlace(note, entry);
}

/** `a.b`: the line of `b:` below `a:`, which says nothing of the lines around it. */
function nestedPlace(note: ScannedNote, entry: PropertyEntry): PropertyPlace | undefined {
  const { text, lineStarts } = note;
  const ownKey = entry.key.slice(entry.key.lastIndexOf('.') + 1);
  const first = Math.max(1, entry.line - 2);
  for (let line = entry.line - 1; line >= first; line -= 1) {
    const start = lineStarts[line]!;
    const written = text.slice(start, lineEnd(text, lineStarts, line));
    const margin = /^[ \t]+/.exec(written)?.[0].length ?? 0;
    const afterColon = margin === 0 ? -1 : keyEnd(written.slice(margin), ownKey);
    if (afterColon < 0) continue;
    return {
      entry,
      firstLine: line,
      lastLine: lineOfEnd(note, entry),
      afterColon: start + margin + afterColon,
    };
  }
  return undefined;
}

function lineOfEnd({ lineStarts }: ScannedNote, { valueEnd }: PropertyEntry): number {
  let line = 1;
  while (line < lineStarts.length && lineStarts[line]! < valueEnd) line += 1;
  return line;
}

/** The line of the closing `---`, counted from 0. */
export function closingLine({ lineStarts, properties }: ScannedNote): number {
  let line = 0;
  while (line + 1 < lineStarts.length && lineStarts[line + 1]! <= properties!.end) line += 1;
  return line;
}

/** Offset behind the colon of `key:` at the start of the line, -1 if it does not stand there. */
function keyEnd(line: string, key: string): number {
  for (const written of [
    key,
    `"${key}"`,
    `'${key}'`,
    JSON.stringify(key),
    `'${key.replaceAll("'", "''")}'`,
  ]) {
    if (!line.startsWith(written)) continue;
    const colon = /^[ \t]*:(?=[ \t]|$)/.exec(line.slice(written.length));
    if (colon !== null) return written.length + colon[0].length;
  }
  return -1;
}

export type ListItem = {
  readonly value: string;
  /** The line, from its indentation to the line ending. */
  readonly raw: string;
  /** Up to the value, and from the end of the value on. */
  readonly lead: string;
  readonly quoted: string;
};

/** The `- item` lines of a block list; undefined where it is written otherwise. */
export function blockListItems(
  note: ScannedNote,
  place: PropertyPlace,
): { readonly start: number; readonly end: number; readonly items: readonly ListItem[] } | undefined {
  const { text, lineStarts } = note;
  const items: ListItem[] = [];
  let start = -1;
  let end = -1;
  for (let line = place.firstLine + 1; line < place.lastLine; line += 1) {
    const from = lineStarts[line]!;
    const to = lineEnd(text, lineStarts, line);
    const raw = text.slice(from, to);
    const match = /^([ \t]*-[ \t]+)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\S.*?)([ \t]+#.*|[ \t]*)$/.exec(raw);
    if (match === null) return undefined;
    if (start < 0) start = from;
    end = to;
    items.push({ value: '', raw, lead: match[1]!, quoted: match[2]! });
  }
  if (start < 0 || items.length !== place.entry.values.length) return undefined;
  return { start, end, items: items.map((item, at) => ({ ...item, value: place.entry.values[at]! })) };
}
