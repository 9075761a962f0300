/** Exact text put in the place of exact text. What comes near, for a caller who quoted wrongly: near-misses.ts. */

import { MemoryError } from '../errors.js';
import { lineOf } from '../markdown/lines.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import type { Part } from '../note/note-parts.js';
import { lineEndingOf, withLineEnding } from './line-endings.js';
import { nearMisses } from './near-misses.js';
import type { TextChange } from './text-change.js';

/** Every place of `old` within the part; there must be as many as `count` says. */
export function replaceText(
  note: ScannedNote,
  within: Part,
  old: string,
  replacement: string,
  count: number,
): readonly TextChange[] {
  if (old === '') {
    throw new MemoryError('invalid_input', 'The text to replace is empty', {
      hint: 'Quote some words of the note, or use --append.',
    });
  }
  const ending = lineEndingOf(note.text);
  const places = [old, withLineEnding(old, ending)].map((wanted) => ({
    wanted,
    starts: occurrences(note.text, wanted, within),
  }));
  const { wanted, starts } = places.find((place) => place.starts.length > 0) ?? places[0]!;
  if (starts.length === 0) throw notThere(note, within, old);
  if (starts.length !== count) throw otherNumber(note, starts, count);
  const text = withLineEnding(replacement, ending);
  return starts.map((start) => ({ start, end: start + wanted.length, text }));
}

function occurrences(text: string, wanted: string, { start, end }: Part): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted, start); at >= 0 && at + wanted.length <= end; ) {
    found.push(at);
    at = text.indexOf(wanted, at + wanted.length);
  }
  return found;
}

function notThere(note: ScannedNote, within: Part, old: string): MemoryError {
  const near = nearMisses(note, within, old);
  const lines = near.map(
    ({ line, text, difference }) => `line ${line}${difference}: ${JSON.stringify(text)}`,
  );
  return new MemoryError('not_found', `The note does not hold ${JSON.stringify(shortened(old))}`, {
    hint:
      lines.length === 0
        ? 'Nothing in it comes near. Read it again with `memory show`.'
        : `Near: ${lines.join('; ')}.`,
    details: { near: near.map(({ line, text }) => ({ line, text })) },
  });
}

function otherNumber(note: ScannedNote, starts: readonly number[], count: number): MemoryError {
  const lines = [...new Set(starts.map((start) => lineOf(note.lineStarts, start) + 1))];
  const shown = `${lines.slice(0, 12).join(', ')}${lines.length > 12 ? ' …' : ''}`;
  return new MemoryError(
    'invalid_input',
    `The text stands in the note ${starts.length === 1 ? 'once' : `${starts.length} times`}, not ${count === 1 ? 'once' : `${count} times`}`,
    {
      hint:
        starts.length === 1
          ? `It is in line ${shown}. Leave out --count.`
          : `It is in ${lines.length === 1 ? 'line' : 'lines'} ${shown}. Quote more of one place, or give --count ${starts.length} to replace all.`,
      details: { lines: lines.slice(0, 100) },
    },
  );
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
