/** The thread that reads notes and takes them apart, a program of its own. Its caller is read-aside.ts. */

import { parentPort, workerData } from 'node:worker_threads';
import { readNote } from '../../core/note/read-note.js';
import type { SkippedFile } from '../../core/ports.js';
import { type CountedNote, TermNumbering } from './numbered-terms.js';
import { readHashed } from './read-files.js';

/** In the order of the paths; `added` continues the list of all terms so far. */
export type ReadBatch = {
  readonly notes: readonly (CountedNote | SkippedFile)[];
  readonly ids: Uint32Array<ArrayBuffer>;
  readonly added: readonly string[];
};

const root = workerData as string;
const numbering = new TermNumbering();

parentPort?.on('message', async (paths: readonly string[]) => {
  const files = await readHashed(root, paths);
  const notes = files.map((file) => ('reason' in file ? file : numbering.number(readNote(file))));
  const { ids, added } = numbering.takeTerms();
  const batch: ReadBatch = { notes, ids, added };
  parentPort?.postMessage(batch, [ids.buffer]);
});
