/** Lines put at the end or the beginning of a note. Into a part of it: edit-part.ts. */

import type { ScannedNote } from '../markdown/scanned-note.js';
import { asLines, endsLine, lineEndingOf } from './line-endings.js';
import type { TextChange } from './text-change.js';

/** Where the last line has no line ending, one is put before and none behind. */
export function appendText({ text }: ScannedNote, given: string): readonly TextChange[] {
  const ending = lineEndingOf(text);
  const lines = asLines(given, ending);
  return [
    {
      start: text.length,
      end: text.length,
      text: endsLine(text) ? `${lines}${ending}` : `${ending}${lines}`,
    },
  ];
}

/** Before the first line of the body, behind the properties. */
export function prependText({ text, bodyStart }: ScannedNote, given: string): readonly TextChange[] {
  const ending = lineEndingOf(text);
  const lines = asLines(given, ending);
  const isOpen = !endsLine(text.slice(0, bodyStart));
  return [{ start: bodyStart, end: bodyStart, text: isOpen ? `${ending}${lines}` : `${lines}${ending}` }];
}
