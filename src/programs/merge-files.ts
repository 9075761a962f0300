/** The files of `memory merge-driver`: three versions of a note in, the merged one in the place of ours. */

import { readFileSync, writeFileSync } from 'node:fs';
import { mergeBytes, mergeFile } from '../adapters/git/merge-file.js';
import { MemoryError } from '../core/errors.js';
import { mergeNotes } from '../core/merge/merge-notes.js';
import { type MergedText, mapVersions, SIDES, type Versions } from '../core/merge/versions.js';
import { decodeNote } from '../core/note/decode-note.js';

/** Returns the number of conflicts. */
export async function mergeFiles(files: Versions<string>, notice: (text: string) => void): Promise<number> {
  const bytes = mapVersions(files, read);
  const decoded = mapVersions(bytes, decodeNote);
  // What is no text in UTF-8 would come back otherwise than it was.
  const isText = SIDES.every((side) => decoded[side].damage === 'none');
  if (!isText) {
    const { stdout, conflicts } = mergeBytes(bytes);
    write(files.ours, stdout);
    return conflicts;
  }
  const texts = mapVersions(decoded, (note) => note.text);
  const { text, conflicts } = mergeSafely(texts, notice);
  write(files.ours, Buffer.from(text));
  return conflicts;
}

/** git takes a driver that fails for a conflict, and leaves our version without a mark of theirs. */
function mergeSafely(texts: Versions<string>, notice: (text: string) => void): MergedText {
  try {
    return mergeNotes(texts, mergeFile);
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    notice(`The note is merged by lines alone, by a fault of the program: ${String(error)}`);
    return mergeFile(texts);
  }
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new MemoryError('not_found', `Cannot read "${file}": ${String((error as Error).message)}`, {
      hint: 'git calls `memory merge-driver %O %A %B` with files that are there.',
      cause: error,
    });
  }
}

/** The file is git's own copy, which it takes into the working folder afterwards. */
function write(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    throw new MemoryError('unavailable', `Cannot write "${file}": ${String((error as Error).message)}`, {
      hint: 'Free some space or mend the rights of the folder, then merge again.',
      cause: error,
    });
  }
}
