/** Has notes taken apart in a second thread (note-thread.ts) while the caller stores those before. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { IndexedNote } from '../../core/note/indexed-note.js';
import type { NoteFile, NoteReading, SkippedFile } from '../../core/ports.js';
import type { FileBatch, ReadBatch } from './note-thread.js';
import { TermNames } from './numbered-terms.js';
import { readHashed } from './read-files.js';

/** Undefined where the thread's program is not there, as in the sources. */
export function readAside(root: string): NoteReading | undefined {
  const program = findProgram();
  return program === undefined
    ? undefined
    : new ThreadReading(root, new Worker(program, { resourceLimits: HEAP }));
}

/** The build puts it beside the pieces of the program. */
function findProgram(): string | undefined {
  const here = import.meta.dirname;
  const places = ['.', 'program', '../program'].map((folder) => join(here, folder, 'note-thread.cjs'));
  return places.find((place) => existsSync(place));
}

/**
 * V8 collects garbage the later the more memory it may take: without limits the thread has 50 MB more, and with twice as
 * large a young generation 25 more for a fortieth of the time. It needs about 40; where a note should ask for more than it
 * may have, that batch is read without it.
 */
const HEAP = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16 };

type Waiting = {
  readonly resolve: (notes: readonly (IndexedNote | SkippedFile)[]) => void;
  readonly reject: (error: unknown) => void;
};

class ThreadReading implements NoteReading {
  private readonly waiting: Waiting[] = [];
  private readonly names = new TermNames();
  private failure: unknown;

  constructor(
    private readonly root: string,
    private readonly worker: Worker,
  ) {
    worker.on('message', (batch: ReadBatch) => this.waiting.shift()?.resolve(this.unpack(batch)));
    worker.on('error', (error) => this.fail(error));
    worker.on('exit', () => this.fail(new Error('The thread that reads notes has ended')));
  }

  /** The bytes are read here: the other thread has more to do, and they change hands without being copied. */
  async read(paths: readonly string[]): Promise<readonly (IndexedNote | SkippedFile)[]> {
    const batch = packFiles(await readHashed(this.root, paths));
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) return reject(this.failure);
      this.waiting.push({ resolve, reject });
      this.worker.postMessage(batch, [batch.bytes]);
    });
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private unpack({ notes, ids, added }: ReadBatch): readonly (IndexedNote | SkippedFile)[] {
    const read = this.names.name(
      notes.flatMap((note) => ('reason' in note ? [] : [note])),
      ids,
      added,
    );
    let at = 0;
    return notes.map((note) => ('reason' in note ? note : read[at++]!));
  }

  private fail(error: unknown): void {
    this.failure ??= error;
    for (const { reject } of this.waiting.splice(0)) reject(error);
  }
}

function packFiles(files: readonly (NoteFile | SkippedFile)[]): FileBatch {
  const size = files.reduce((sum, file) => sum + ('reason' in file ? 0 : file.bytes.length), 0);
  const all = new Uint8Array(size);
  let at = 0;
  const packed = files.map((file) => {
    if ('reason' in file) return file;
    const { bytes, ...rest } = file;
    all.set(bytes, at);
    at += bytes.length;
    return { ...rest, length: bytes.length };
  });
  return { files: packed, bytes: all.buffer };
}
