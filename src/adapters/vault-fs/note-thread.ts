/** The thread that reads notes and takes them apart, a program of its own. Its caller is read-aside.ts. */

import { parentPort, workerData } from 'node:worker_threads';
import { readNote } from '../../core/note/read-note.js';
import type { SkippedFile } from '../../core/ports.js';
import { TermPlaces } from '../../core/text/term-places.js';
import { type CountedNote, TermPacking } from './numbered-terms.js';
import { readHashed } from './read-files.js';

/** In the order of the paths; `added` continues the list of all terms so far. */
export type ReadBatch = {
  readonly notes: readonly (CountedNote | SkippedFile)[];
  readonly ids: Uint32Array<ArrayBuffer>;
  readonly added: readonly string[];
};

const root = workerData as string;
const terms = new TermPlaces();
const packing = new TermPacking(terms.names);
const readTerms = (text: string) => terms.read(text);

parentPort?.on('message', async (paths: readonly string[]) => {
  const files = await readHashed(root, paths);
  const notes = files.map((file) => ('reason' in file ? file : packing.pack(readNote(file, readTerms))));
  const { ids, added } = packing.takeTerms();
  const batch: ReadBatch = { notes, ids, added };
  parentPort?.postMessage(batch, [ids.buffer]);
});
