/** Finds a part of a note: a section by its heading path, a block by its id, a range of lines. */

import { MemoryError } from '../errors.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { headingPath } from './passages.js';

export type Part = { readonly start: number; readonly end: number };

/** `Why`, or `Lazy model > Why` where the title alone stands twice. Punctuation and case are ignored. */
export function findSection(note: ScannedNote, wanted: string): Part {
  const whole = sectionsUnder(note, [headingKey(wanted)]);
  const found = whole.length > 0 ? whole : sectionsUnder(note, wanted.split(/[>›#]/).map(headingKey));
  if (found.length === 0) {
    throw new MemoryError('not_found', `There is no section "${wanted}"`, {
      hint: `The note has${listHeadings(note)}.`,
    });
  }
  if (found.length > 1) {
    const places = found.map(
      (index) => `${headingPath(note.headings, index).join(' > ')} (line ${note.headings[index]!.line})`,
    );
    throw new MemoryError('invalid_input', `"${wanted}" could be any of ${found.length} sections`, {
      hint: `Name its path: ${places.slice(0, 8).join(', ')}.`,
    });
  }
  const heading = note.headings[found[0]!]!;
  const next = note.headings.find(
    (other) => !other.nested && other.start > heading.start && other.level <= heading.level,
  );
  return { start: heading.start, end: next ? next.start : note.text.length };
}

function sectionsUnder(note: ScannedNote, wanted: readonly string[]): readonly number[] {
  const path = wanted.filter((part) => part !== '');
  if (path.length === 0) return [];
  return note.headings.flatMap((heading, index) => {
    if (heading.nested) return [];
    return endsWith(headingPath(note.headings, index).map(headingKey), path) ? [index] : [];
  });
}

/** Keys ascend from the last: `B` fits `A > B`, `A > B` fits `A > x > B` too, as links do. */
function endsWith(keys: readonly string[], path: readonly string[]): boolean {
  let at = keys.length - 1;
  if (keys[at] !== path[path.length - 1]) return false;
  for (let i = path.length - 2; i >= 0; i -= 1) {
    at -= 1;
    while (at >= 0 && keys[at] !== path[i]) at -= 1;
    if (at < 0) return false;
  }
  return true;
}

export function headingKey(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function listHeadings(note: ScannedNote): string {
  const titles = note.headings.filter((heading) => !heading.nested).map((heading) => heading.text);
  if (titles.length === 0) return ' no headings';
  return `: ${titles.slice(0, 12).join(', ')}${titles.length > 12 ? ` and ${titles.length - 12} more` : ''}`;
}

/** The paragraph, item or block that bears the id, without regard to case. */
export function findBlock(note: ScannedNote, wanted: string): Part {
  const id = wanted.replace(/^#?\^/, '').toLowerCase();
  const found = note.blockIds.find((block) => block.id.toLowerCase() === id);
  if (!found) {
    const ids = note.blockIds.map((block) => `^${block.id}`);
    throw new MemoryError('not_found', `There is no block "^${id}"`, {
      hint: ids.length === 0 ? 'The note has no block ids.' : `The note has: ${ids.slice(0, 12).join(', ')}.`,
    });
  }
  const item = note.items[found.item];
  if (item) {
    const newline = note.text.indexOf('\n', item.end - 1);
    return { start: note.lineStarts[item.line - 1]!, end: newline < 0 ? note.text.length : newline + 1 };
  }
  return linePart(note, found.firstLine, Math.max(found.lastLine, found.line));
}

/** `12`, `12-40`, `12-`. Lines past the end are cut off; a range wholly past it is an error. */
export function findLines(note: ScannedNote, wanted: string): Part {
  const match = /^\s*(\d+)\s*(?:(-)\s*(\d*)\s*)?$/.exec(wanted);
  const first = match ? Number(match[1]) : 0;
  const last = match?.[2] ? (match[3] ? Number(match[3]) : Number.POSITIVE_INFINITY) : first;
  const count = note.lineStarts.length;
  if (first < 1 || last < first) {
    throw new MemoryError('invalid_input', `Cannot read the lines "${wanted}"`, {
      hint: 'Write 12, 12-40 or 12-; lines are counted from 1.',
    });
  }
  if (first > count) {
    throw new MemoryError('invalid_input', `The note has ${count} lines, so there is no line ${first}`, {
      hint: `Ask for lines up to ${count}.`,
    });
  }
  return linePart(note, first, Math.min(last, count));
}

function linePart(note: ScannedNote, first: number, last: number): Part {
  return { start: note.lineStarts[first - 1]!, end: note.lineStarts[last] ?? note.text.length };
}
