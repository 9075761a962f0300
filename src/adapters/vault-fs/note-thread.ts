/** The thread that takes notes apart, a program of its own. Its caller is read-aside.ts. */

import { parentPort } from 'node:worker_threads';
import { readNote } from '../../core/note/read-note.js';
import type { NoteFile, SkippedFile } from '../../core/ports.js';
import { TermPlaces } from '../../core/text/term-places.js';
import { type CountedNote, TermPacking } from './numbered-terms.js';

/** Files whose bytes follow one another. */
export type FileBatch = {
  readonly files: readonly ((Omit<NoteFile, 'bytes'> & { readonly length: number }) | SkippedFile)[];
  readonly bytes: ArrayBuffer;
};

/** In the order of the files; `added` continues the list of all terms so far. */
export type ReadBatch = {
  readonly notes: readonly (CountedNote | SkippedFile)[];
  readonly ids: Uint32Array<ArrayBuffer>;
  readonly added: readonly string[];
};

const terms = new TermPlaces();
const packing = new TermPacking(terms.names);
const readTerms = (text: string) => terms.read(text);

parentPort?.on('message', ({ files, bytes }: FileBatch) => {
  let at = 0;
  const notes = files.map((file) => {
    if ('reason' in file) return file;
    const { length, ...rest } = file;
    const own = new Uint8Array(bytes, at, length);
    at += length;
    return packing.pack(readNote({ ...rest, bytes: own }, readTerms));
  });
  const { ids, added } = packing.takeTerms();
  const batch: ReadBatch = { notes, ids, added };
  parentPort?.postMessage(batch, [ids.buffer]);
});
