/** What must hold before a note is written to, and of what a caller wants to put in. */

import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { decodeNote } from '../note/decode-note.js';

/** The note, ready to be edited. Throws `conflict` for what no edit could leave as it is. */
export function readWritable(path: string, bytes: Uint8Array): ScannedNote {
  const { text, damage } = decodeNote(bytes);
  if (damage !== 'none') {
    const what = damage === 'nul' ? 'NUL characters' : 'bytes that are not UTF-8';
    throw new MemoryError('conflict', `"${path}" holds ${what} and is not written to`, {
      hint: 'Mend the file in an editor first: nothing else can write it without losing what is there.',
    });
  }
  const note = scan(text);
  const [conflict] = note.conflicts;
  if (conflict !== undefined) {
    throw new MemoryError('conflict', `"${path}" holds conflict markers of git and is not written to`, {
      hint: `Settle lines ${conflict.startLine}-${conflict.endLine} first.`,
      details: { line: conflict.startLine },
    });
  }
  return note;
}

/** Text that a file of UTF-8 can hold. */
export function checkGivenText(name: string, given: string): void {
  if (given.includes('\0')) {
    throw new MemoryError('invalid_input', `${name} holds a NUL character`, {
      hint: 'Leave it out.',
      details: { argument: name },
    });
  }
  if (!given.isWellFormed()) {
    throw new MemoryError('invalid_input', `${name} holds half of a character (a lone surrogate)`, {
      hint: 'Give the text in valid Unicode.',
      details: { argument: name },
    });
  }
}

/** An edit of text must not break properties that could be read, nor touch those that could not. */
export function checkProperties(path: string, before: ScannedNote, after: ScannedNote): void {
  const old = before.properties;
  if (old === undefined) return;
  const now = after.properties;
  const isSame = now !== undefined && before.text.slice(0, old.end) === after.text.slice(0, now.end);
  if (isSame) return;
  if (old.problems.length > 0) throw brokenProperties(path, before);
  if (now !== undefined && now.problems.length === 0) return;
  const problem = now?.problems[0];
  throw new MemoryError('invalid_input', `The edit would break the properties of "${path}"`, {
    hint: problem ? `Line ${problem.line}: ${problem.message}.` : 'Keep the lines of `---` around them.',
  });
}

export function brokenProperties(path: string, { properties }: ScannedNote): MemoryError {
  const problem = properties?.problems[0];
  const place = problem === undefined ? '' : ` (line ${problem.line}: ${problem.message})`;
  return new MemoryError(
    'conflict',
    `The properties of "${path}" cannot be read${place}, so they are not written to`,
    {
      hint: 'Mend them in an editor; `memory doctor` lists what is wrong.',
    },
  );
}
