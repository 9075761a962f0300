/** The right to change the index, from taking the lock to setting the seal. */

import { closeSync, fsync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexedNote } from '../../core/note/indexed-note.js';
import type {
  CheckRecord,
  EmbeddingModel,
  IndexBatch,
  IndexRebuild,
  IndexWriting,
} from '../../core/ports.js';
import type { Calibration } from '../../core/retrieval/bands.js';
import type { PassageVectors } from '../../core/retrieval/evidence.js';
import { runAll, type Steps, Turns } from '../../core/turns.js';
import { BulkLoad } from './bulk-load.js';
import { INDEX_NAME, makePrivate, newIndexName, removeIndexFiles, sweepIndexFolder } from './index-folder.js';
import type { IndexLock } from './index-lock.js';
import { SETTLED_KEY } from './index-reader.js';
import { breakSeal, setSeal } from './index-seal.js';
import { calibrationsOf, storeCalibration } from './kept-calibrations.js';
import { BUSY_MS, type Database } from './native.js';
import { APPLICATION_ID, SCHEMA } from './schema.js';
import type { SqliteIndex } from './sqlite-index.js';
import { sweepVectorFiles } from './vector-files.js';
import type { VectorStore } from './vector-store.js';
import { writeBatch } from './write-batch.js';

const MEMORY = ':memory:';
/** Passages have about two; with fewer than this it is not worth looking which rows no passage has. */
const MOST_ROWS_A_PASSAGE = 3;

export class IndexSession implements IndexWriting {
  private writer: Database | undefined;
  private hasBrokenSeal = false;
  private readonly turns: Turns;

  /** Without a lock the index lives in memory, where nobody else is. */
  constructor(
    private readonly index: SqliteIndex,
    private readonly lock: IndexLock | undefined,
    private readonly onEnd: () => void,
  ) {
    this.turns = new Turns(index.clock);
  }

  get hasWritten(): boolean {
    return this.hasBrokenSeal;
  }

  async write(batch: IndexBatch): Promise<ReadonlySet<string>> {
    // Who has written before is at it for a while.
    if (this.hasBrokenSeal) this.lock?.tellHolder();
    // Notes can be read again, so a commit need not wait for the disk; the log keeps it whole all the same.
    return this.change('NORMAL', (database) => this.take(writeBatch(database, batch)));
  }

  async recordCheck(record: CheckRecord, marks?: Float64Array): Promise<void> {
    await this.change('OFF', (database) => storeCheck(database, record, marks));
  }

  async keepCalibration(calibration: Calibration): Promise<void> {
    await this.change('OFF', (database) => storeCalibration(database, calibration));
  }

  async putVectors(model: EmbeddingModel, vectors: PassageVectors): Promise<void> {
    this.changeVectors(model, (store) => store.put(vectors));
  }

  async tidyVectors(model: EmbeddingModel, { hasMuchChanged }: { hasMuchChanged: boolean }): Promise<void> {
    const rows = this.index.vectorStore(model).rows();
    if (!rows) return;
    const { passages, notes } = await this.index.sizes();
    if (!hasMuchChanged && rows.count <= MOST_ROWS_A_PASSAGE * (passages - notes)) return;
    const keys = await this.index.passageKeys();
    this.changeVectors(model, (store) => store.tidy(keys));
  }

  async keepFailed(model: EmbeddingModel, keys: Uint8Array): Promise<void> {
    try {
      this.index.vectorStore(model).keepFailed(keys);
    } catch (error) {
      throw this.index.translated(error);
    }
  }

  async sweepVectors(used: readonly EmbeddingModel[]): Promise<void> {
    const { folder } = this.index;
    if (folder === undefined) return;
    this.unseal(folder);
    sweepVectorFiles(folder, used, this.index.nowMs());
  }

  private changeVectors(model: EmbeddingModel, work: (store: VectorStore) => void): void {
    const { folder } = this.index;
    if (folder !== undefined) this.unseal(folder);
    try {
      work(this.index.vectorStore(model));
    } catch (error) {
      throw this.index.translated(error);
    }
  }

  async startRebuild(): Promise<IndexRebuild> {
    const { folder, Sqlite } = this.index;
    this.lock?.tellHolder();
    if (folder !== undefined) sweepIndexFolder(folder, this.index.nowMs());
    const path = folder === undefined ? MEMORY : join(folder, newIndexName());
    try {
      const replaceBy = (finished: Database) => this.replaceBy(finished, path);
      return new Rebuild(new Sqlite(path), path, this.index, this.turns, replaceBy);
    } catch (error) {
      throw this.index.translated(error);
    }
  }

  async end(): Promise<void> {
    this.closeWriter();
    if (this.hasBrokenSeal && this.index.folder !== undefined) setSeal(this.index.folder);
    this.onEnd();
    this.lock?.release();
  }

  private async change<T>(
    synchronous: 'OFF' | 'NORMAL',
    work: (database: Database) => T | Promise<T>,
  ): Promise<T> {
    try {
      const database = this.openWriter();
      database.pragma(`synchronous = ${synchronous}`);
      return await work(database);
    } catch (error) {
      throw this.index.translated(error);
    } finally {
      this.index.forgetCaches();
    }
  }

  /** Whoever reads an index in memory reads over this very connection, and would see a half of it. */
  private take<T>(steps: Steps<T>): T | Promise<T> {
    return this.index.folder === undefined ? runAll(steps) : this.turns.take(steps);
  }

  private openWriter(): Database {
    if (this.writer) return this.writer;
    const { folder, Sqlite } = this.index;
    if (folder === undefined) return this.index.memoryDatabase();
    this.unseal(folder);
    this.writer = new Sqlite(join(folder, INDEX_NAME), { fileMustExist: true, timeout: BUSY_MS });
    return this.writer;
  }

  private closeWriter(): void {
    const writer = this.writer;
    this.writer = undefined;
    try {
      writer?.close();
    } catch {
      // What closing could not tidy, the next opening does.
    }
  }

  private unseal(folder: string): void {
    if (!this.hasBrokenSeal) breakSeal(folder);
    this.hasBrokenSeal = true;
  }

  /** The old files go first: a write-ahead log of the old index must never be read with the new one. */
  private replaceBy(finished: Database, path: string): void {
    const { folder } = this.index;
    if (folder === undefined) {
      this.index.adoptMemory(finished);
      return;
    }
    finished.close();
    makePrivate(path);
    this.closeWriter();
    this.unseal(folder);
    const place = join(folder, INDEX_NAME);
    removeIndexFiles(place);
    renameSync(path, place);
    this.index.reopen();
  }
}

class Rebuild implements IndexRebuild {
  private readonly load: BulkLoad;

  constructor(
    private readonly database: Database,
    private readonly path: string,
    private readonly index: SqliteIndex,
    private readonly turns: Turns,
    private readonly replaceBy: (finished: Database) => void,
  ) {
    database.pragma('journal_mode = OFF');
    database.pragma('synchronous = OFF');
    database.pragma('cache_size = -8000');
    this.load = new BulkLoad(database);
  }

  async add(notes: readonly IndexedNote[], seenMs: number): Promise<void> {
    await this.run(this.load.add(notes, seenMs));
  }

  async publish(record: CheckRecord, marks: Float64Array): Promise<void> {
    await this.run(this.load.finish());
    if (this.path !== MEMORY) await bringToDisk(this.path);
    await this.run(this.seal(record, marks));
  }

  private *seal(record: CheckRecord, marks: Float64Array): Steps<void> {
    storeCheck(this.database, record, marks);
    for (const calibration of calibrationsOf(this.index)) storeCalibration(this.database, calibration);
    this.database.pragma(`application_id = ${APPLICATION_ID}`);
    this.database.pragma(`user_version = ${SCHEMA}`);
    if (this.path !== MEMORY) {
      this.database.pragma('synchronous = FULL');
      this.database.pragma('journal_mode = WAL');
    }
    yield;
    this.replaceBy(this.database);
  }

  async abandon(): Promise<void> {
    if (this.database.open) this.database.close();
    if (this.path !== MEMORY) removeIndexFiles(this.path);
  }

  private async run(work: Steps<void>): Promise<void> {
    try {
      await this.turns.take(work);
    } catch (error) {
      throw this.index.translated(error);
    }
  }
}

function storeCheck(database: Database, record: CheckRecord, marks: Float64Array | undefined): void {
  const store = database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  store.run('check', JSON.stringify(record));
  if (marks) store.run(SETTLED_KEY, new Uint8Array(marks.buffer, marks.byteOffset, marks.byteLength));
}

/** Ahead of the flush that SQLite makes, which nothing could interrupt, and which tells what goes wrong. */
async function bringToDisk(path: string): Promise<void> {
  const file = openSync(path, 'r');
  // What goes wrong, SQLite will meet as well. node:fs/promises would cost each write three milliseconds to load.
  await new Promise<void>((resolve) => fsync(file, () => resolve()));
  closeSync(file);
}
