/** Reads many files in batches: what is done with them is bring-up-to-date.ts. */

import type { IndexedNote } from '../note/indexed-note.js';
import type { ReadTerms } from '../note/read-note.js';
import type { Clock, FileStamp, NoteFile, NoteReading, SkippedFile, Vault } from '../ports.js';
import type { TermPlaces } from '../text/term-places.js';
import { Turns } from '../turns.js';
import type { CallOptions } from './memory.js';

/** Read, parsed and stored between two yields: about 60 ms of work. */
const BATCH_BYTES = 200_000;
const BATCH_FILES = 150;
/** Half a second of work; less is done before another thread has started. */
const LEAST_ASIDE_BYTES = 4_000_000;
/** How many batches the other thread has before it: it must never wait, and what waits for us takes memory. */
const BATCHES_ASKED = 4;

export class BatchReader {
  /** What could not be read. */
  readonly unread: SkippedFile[] = [];
  private readonly turns: Turns;
  private done = 0;
  private places: TermPlaces | undefined;

  constructor(
    private readonly vault: Vault,
    clock: Clock,
    private readonly options: CallOptions,
  ) {
    this.turns = new Turns(clock);
  }

  async *files(stamps: readonly FileStamp[]): AsyncGenerator<readonly NoteFile[]> {
    for (const paths of batchesOf(stamps)) {
      yield this.readable(await this.vault.read(paths));
      this.tell(paths, stamps.length);
    }
  }

  async *notes(stamps: readonly FileStamp[]): AsyncGenerator<readonly IndexedNote[]> {
    const bytes = stamps.reduce((sum, { size }) => sum + size, 0);
    const aside = bytes < LEAST_ASIDE_BYTES ? undefined : await this.vault.readAside();
    if (!aside) {
      const readTerms = await this.termReader();
      for await (const files of this.files(stamps)) yield await this.takeApart(files, readTerms);
      return;
    }
    try {
      yield* this.notesFrom(aside, stamps);
    } finally {
      await aside.close();
    }
  }

  /** With a turn for others whenever the last is long ago. */
  async takeApart(files: readonly NoteFile[], readTerms?: ReadTerms): Promise<readonly IndexedNote[]> {
    const { readNoteSteps } = await import('../note/read-note.js');
    const notes: IndexedNote[] = [];
    for (const file of files) notes.push(await this.turns.take(readNoteSteps(file, readTerms)));
    return notes;
  }

  /**
   * The other thread has always some batches before it. To read here what it is late with does not pay: code that is new
   * to this thread has to be compiled for it, and two threads at full speed slow each other down.
   */
  private async *notesFrom(
    aside: NoteReading,
    stamps: readonly FileStamp[],
  ): AsyncGenerator<readonly IndexedNote[]> {
    const batches = batchesOf(stamps);
    const asked: AskedBatch[] = [];
    const ask = (): void => {
      const { value: paths } = batches.next();
      if (paths === undefined) return;
      // What the other thread cannot do, for want of memory or a fault, is done here.
      asked.push({ paths, notes: aside.read(paths).catch(() => this.readHere(paths)) });
    };
    for (let batch = 0; batch < BATCHES_ASKED; batch++) ask();
    for (let next = asked.shift(); next; next = asked.shift()) {
      const notes = await next.notes;
      ask();
      yield this.readable(notes);
      this.tell(next.paths, stamps.length);
    }
  }

  private async readHere(paths: readonly string[]): Promise<readonly (IndexedNote | SkippedFile)[]> {
    const read: (IndexedNote | SkippedFile)[] = [];
    const readTerms = await this.termReader();
    for (const file of await this.vault.read(paths)) {
      read.push('reason' in file ? file : (await this.takeApart([file], readTerms))[0]!);
    }
    return read;
  }

  /** One list of terms for all that is read here. */
  private async termReader(): Promise<ReadTerms> {
    const { TermPlaces } = await import('../text/term-places.js');
    const places = (this.places ??= new TermPlaces());
    return (text) => places.read(text);
  }

  private readable<T extends object>(read: readonly (T | SkippedFile)[]): readonly T[] {
    const found: T[] = [];
    for (const one of read) {
      if ('reason' in one) this.unread.push(one);
      else found.push(one);
    }
    return found;
  }

  private tell(paths: readonly string[], total: number): void {
    this.done += paths.length;
    this.options.report?.({ done: this.done, total, path: paths[paths.length - 1]! });
    this.options.signal?.throwIfAborted();
  }
}

type AskedBatch = {
  readonly paths: readonly string[];
  readonly notes: ReturnType<NoteReading['read']>;
};

function* batchesOf(stamps: readonly FileStamp[]): Generator<readonly string[], undefined> {
  let paths: string[] = [];
  let bytes = 0;
  for (const { path, size } of stamps) {
    paths.push(path);
    bytes += size;
    if (bytes < BATCH_BYTES && paths.length < BATCH_FILES) continue;
    yield paths;
    paths = [];
    bytes = 0;
  }
  if (paths.length > 0) yield paths;
}
