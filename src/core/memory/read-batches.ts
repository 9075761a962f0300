/** Reads many files in batches: what is done with them is bring-up-to-date.ts. */

import type { IndexedNote } from '../note/indexed-note.js';
import type { Clock, FileStamp, NoteFile, NoteReading, SkippedFile, Vault } from '../ports.js';
import { Turns } from '../turns.js';
import type { CallOptions } from './memory.js';

type BatchSize = { readonly bytes: number; readonly files: number };

/** Read, parsed and stored between two yields: about 60 ms of work. */
const BATCH: BatchSize = { bytes: 400_000, files: 150 };
/**
 * Between two threads. V8 puts what comes in a message of more than 100 kB where only a full collection takes it away
 * again, and what waits for long ends there as well: batches of the size above take 40 MB more.
 */
const PASSED_BATCH: BatchSize = { bytes: 20_000, files: 30 };
/** Half a second of work; less is done before another thread has started. */
const LEAST_ASIDE_BYTES = 4_000_000;
/** How many batches the other thread has before it: it must never wait. */
const BATCHES_ASKED = 8;
/** Read and not stored yet, for want of one before them: they take memory. */
const MOST_WAITING = 4;

export class BatchReader {
  /** What could not be read. */
  readonly unread: SkippedFile[] = [];
  private readonly turns: Turns;
  private done = 0;

  constructor(
    private readonly vault: Vault,
    clock: Clock,
    private readonly options: CallOptions,
  ) {
    this.turns = new Turns(clock);
  }

  async *files(stamps: readonly FileStamp[]): AsyncGenerator<readonly NoteFile[]> {
    for (const paths of batchesOf(stamps, BATCH)) {
      yield this.readable(await this.vault.read(paths));
      this.tell(paths, stamps.length);
    }
  }

  async *notes(stamps: readonly FileStamp[]): AsyncGenerator<readonly IndexedNote[]> {
    const bytes = stamps.reduce((sum, { size }) => sum + size, 0);
    const aside = bytes < LEAST_ASIDE_BYTES ? undefined : await this.vault.readAside();
    if (!aside) {
      for await (const files of this.files(stamps)) yield await this.takeApart(files);
      return;
    }
    try {
      yield* this.notesFrom(aside, stamps);
    } finally {
      await aside.close();
    }
  }

  /** With a turn for others whenever the last is long ago. */
  async takeApart(files: readonly NoteFile[]): Promise<readonly IndexedNote[]> {
    const { readNoteSteps } = await import('../note/read-note.js');
    const notes: IndexedNote[] = [];
    for (const file of files) notes.push(await this.turns.take(readNoteSteps(file)));
    return notes;
  }

  /**
   * The other thread has most of the work; while it is not done with the next batch, this one does a later batch
   * itself rather than wait. They come in the order of the stamps all the same.
   */
  private async *notesFrom(
    aside: NoteReading,
    stamps: readonly FileStamp[],
  ): AsyncGenerator<readonly IndexedNote[]> {
    const batches = batchesOf(stamps, PASSED_BATCH);
    const ahead: BatchAhead[] = [];
    const take = (read: (paths: readonly string[]) => BatchAhead['notes']): BatchAhead | undefined => {
      const { value: paths } = batches.next();
      if (paths === undefined) return undefined;
      const batch = batchAhead(paths, read(paths));
      ahead.push(batch);
      return batch;
    };
    // What the other thread cannot do, for want of memory or a fault, is done here.
    const readThere = (paths: readonly string[]) => aside.read(paths).catch(() => this.readHere(paths));
    const readHere = (paths: readonly string[]) => this.readHere(paths);
    const ask = (): void => {
      let asked = ahead.filter(({ isRead }) => !isRead).length;
      while (asked < BATCHES_ASKED && ahead.length < BATCHES_ASKED + MOST_WAITING && take(readThere)) asked++;
    };
    ask();
    for (let next = ahead[0]; next; next = ahead[0]) {
      while (!next.isRead && ahead.filter(({ isRead }) => isRead).length < MOST_WAITING) {
        const here = take(readHere);
        if (!here) break;
        await here.notes;
        ask();
      }
      const notes = await next.notes;
      ahead.shift();
      ask();
      yield this.readable(notes);
      this.tell(next.paths, stamps.length);
    }
  }

  private async readHere(paths: readonly string[]): Promise<readonly (IndexedNote | SkippedFile)[]> {
    const read: (IndexedNote | SkippedFile)[] = [];
    for (const file of await this.vault.read(paths)) {
      read.push('reason' in file ? file : (await this.takeApart([file]))[0]!);
    }
    return read;
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

type BatchAhead = {
  readonly paths: readonly string[];
  readonly notes: ReturnType<NoteReading['read']>;
  isRead: boolean;
};

function batchAhead(paths: readonly string[], notes: BatchAhead['notes']): BatchAhead {
  const batch = { paths, notes, isRead: false };
  const end = () => {
    batch.isRead = true;
  };
  // Who waits for the batch hears of a failure; nobody does before its turn.
  notes.then(end, end);
  return batch;
}

function* batchesOf(stamps: readonly FileStamp[], most: BatchSize): Generator<readonly string[], undefined> {
  let paths: string[] = [];
  let bytes = 0;
  for (const { path, size } of stamps) {
    paths.push(path);
    bytes += size;
    if (bytes < most.bytes && paths.length < most.files) continue;
    yield paths;
    paths = [];
    bytes = 0;
  }
  if (paths.length > 0) yield paths;
}
