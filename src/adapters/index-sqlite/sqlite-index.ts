/**
 * The index files of one vault as the NoteIndex port: opening them, noticing that they were replaced or damaged.
 * Questions go to index-reader.ts and evidence-reader.ts, changes to index-session.ts.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type { NamedNote } from '../../core/note/resolve-link.js';
import type { NoteCard, NoteFilter, StoredLink, StoredNote } from '../../core/note/stored-note.js';
import type {
  CheckRecord,
  Clock,
  EmbeddingModel,
  EmbeddingTurn,
  IndexCounts,
  IndexState,
  IndexWriting,
  KnownNote,
  LockHolder,
  NoteIndex,
  NoteOrder,
  Patience,
  TagBearer,
  UnsettledFiles,
  VectorCounts,
} from '../../core/ports.js';
import type { Calibration } from '../../core/retrieval/bands.js';
import type {
  CollectionShape,
  StoredPassage,
  TermEvidence,
  VectorSpace,
} from '../../core/retrieval/evidence.js';
import { packedBytes } from '../../core/retrieval/pack-vectors.js';
import { type CollectionSizes, EvidenceReader } from './evidence-reader.js';
import { EMBEDDING_LOCK_NAME, INDEX_NAME, orphansIn, readHolder } from './index-folder.js';
import { IndexReader } from './index-reader.js';
import { readSeal } from './index-seal.js';
import type { IndexSession } from './index-session.js';
import { BUSY_MS, type Database, type DatabaseConstructor, loadSqlite } from './native.js';
import { APPLICATION_ID, SCHEMA } from './schema.js';
import { hasUnusedFiles, vectorsName } from './vector-files.js';
import { VectorStore } from './vector-store.js';

/** `folder` undefined: the index lives in this process's memory only. */
export type SqliteIndexOptions = { readonly folder: string | undefined; readonly clock: Clock };

const CACHE_KIB = 8_000;

export async function openSqliteIndex(options: SqliteIndexOptions): Promise<NoteIndex> {
  return new SqliteIndex(await loadSqlite(), options);
}

type OpenIndex = {
  readonly database: Database;
  readonly reader: IndexReader;
  readonly evidence: EvidenceReader;
  readonly inode: number;
  /** How many were opened before. */
  readonly opening: number;
};

export class SqliteIndex implements NoteIndex {
  readonly schema = SCHEMA;
  private open: OpenIndex | undefined;
  private openings = 0;
  private session: IndexSession | undefined;
  private readonly stores = new Map<string, VectorStore>();
  private readonly spaces = new Map<string, VectorSpace>();

  constructor(
    readonly Sqlite: DatabaseConstructor,
    private readonly options: SqliteIndexOptions,
  ) {}

  get folder(): string | undefined {
    return this.options.folder;
  }

  get place(): string {
    return this.folder ?? 'memory';
  }

  get clock(): Clock {
    return this.options.clock;
  }

  nowMs(): number {
    return this.clock.nowMs();
  }

  async state(): Promise<IndexState> {
    if (this.folder === undefined) return this.open ? 'ready' : 'none';
    const seal = readSeal(this.folder);
    if (seal === 'broken') {
      this.shut();
      return 'none';
    }
    if (!this.openFiles(this.folder)) return 'none';
    if (seal === 'sealed') return 'ready';
    // Either somebody holds the lock and writes, or was killed while writing.
    return (await this.isBeingWritten()) ? 'ready' : this.isWhole() ? 'suspect' : 'none';
  }

  private async isBeingWritten(): Promise<boolean> {
    if (this.session) return this.session.hasWritten;
    const { IndexLock } = await import('./index-lock.js');
    const lock = await IndexLock.take(this, { wait: false });
    lock?.release();
    return lock === undefined;
  }

  async startWriting(options: {
    wait: Patience;
    signal?: AbortSignal | undefined;
  }): Promise<IndexWriting | undefined> {
    const { IndexLock } = await import('./index-lock.js');
    const { IndexSession } = await import('./index-session.js');
    const lock = this.folder === undefined ? undefined : await IndexLock.take(this, options);
    if (this.folder !== undefined && !lock) return undefined;
    this.session = new IndexSession(this, lock, () => {
      this.session = undefined;
    });
    return this.session;
  }

  async startEmbedding(): Promise<EmbeddingTurn | undefined> {
    if (this.folder === undefined) return { end: async () => {} };
    const { IndexLock } = await import('./index-lock.js');
    const lock = await IndexLock.take(this, { wait: false }, EMBEDDING_LOCK_NAME);
    return lock && { end: async () => lock.release() };
  }

  async lockHolder(): Promise<LockHolder | undefined> {
    if (this.folder === undefined) return undefined;
    // A killed writer leaves its name behind; the lock itself went with it.
    if (!this.session) {
      const { IndexLock } = await import('./index-lock.js');
      const lock = await IndexLock.take(this, { wait: false });
      lock?.release();
      if (lock) return undefined;
    }
    return readHolder(this.folder);
  }

  async orphans(): Promise<readonly string[]> {
    return this.folder === undefined ? [] : orphansIn(this.folder);
  }

  version = (): Promise<string> => this.ask(({ evidence, opening }) => `${opening}/${evidence.version()}`);
  known = (): Promise<ReadonlyMap<string, KnownNote>> => this.ask(({ reader }) => reader.known());
  knownAt = (paths: readonly string[]): Promise<ReadonlyMap<string, KnownNote>> =>
    this.ask(({ reader }) => reader.knownAt(paths));
  unsettled = (marks: Float64Array): Promise<UnsettledFiles | undefined> =>
    this.ask(({ reader }) => reader.unsettled(marks));
  hashes = (paths: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    this.ask(({ reader }) => reader.hashes(paths));
  lastCheck = (): Promise<CheckRecord | undefined> => this.ask(({ reader }) => reader.lastCheck());
  readCalibration = (fingerprint: string): Promise<Calibration | undefined> =>
    this.ask(({ reader }) => reader.calibration(fingerprint));
  counts = (): Promise<IndexCounts> =>
    this.ask(({ reader }) => ({ ...reader.counts(), bytes: this.bytes() }));
  shape = (): Promise<CollectionShape> => this.ask(({ evidence }) => evidence.shape());
  lookUp = (terms: readonly string[]): Promise<readonly TermEvidence[]> =>
    this.ask(({ evidence }) => evidence.lookUp(terms));
  expand = (prefix: string, limit: number): Promise<readonly string[]> =>
    this.ask(({ evidence }) => evidence.expand(prefix, limit));
  passages = (numbers: readonly number[], terms: readonly string[]): Promise<readonly StoredPassage[]> =>
    this.ask(({ evidence }) => evidence.passages(numbers, terms));
  sizes = (): Promise<CollectionSizes> => this.ask(({ evidence }) => evidence.sizes());
  passageKeys = (): Promise<Uint8Array> => this.ask(({ evidence }) => evidence.passageKeys());
  keepsVectors = async (model: EmbeddingModel): Promise<boolean> =>
    this.vectorStore(model).rows() !== undefined;
  vectors = (model: EmbeddingModel): Promise<VectorSpace | undefined> =>
    this.ask((open) => this.vectorSpace(model, open));
  knownVectors = (model: EmbeddingModel, keys: Uint8Array): Promise<ReadonlySet<number>> =>
    Promise.resolve(this.vectorStore(model).known(keys));
  vectorCounts = (model: EmbeddingModel): Promise<VectorCounts> =>
    this.ask(({ evidence }) => this.vectorStore(model).counts(evidence.passageKeys()));
  failedVectors = async (model: EmbeddingModel): Promise<Uint8Array> => this.vectorStore(model).failed();
  hasUnusedVectors = async (used: readonly EmbeddingModel[]): Promise<boolean> =>
    this.folder !== undefined && hasUnusedFiles(this.folder, used, this.nowMs());
  notes = (numbers: readonly number[]): Promise<readonly NoteCard[]> =>
    this.ask(({ reader }) => reader.notes(numbers));
  filter = (filter: NoteFilter): Promise<Uint32Array | undefined> =>
    this.ask(({ reader }) => reader.filter(filter));
  findNotes = (filter: NoteFilter, order?: NoteOrder): Promise<readonly StoredNote[]> =>
    this.ask(({ reader }) => reader.findNotes(filter, order));
  links = (filter: { from?: number; keys?: readonly string[] }): Promise<readonly StoredLink[]> =>
    this.ask(({ reader }) => reader.links(filter));
  named = (keys: readonly string[]): Promise<ReadonlyMap<string, readonly NamedNote[]>> =>
    this.ask(({ reader }) => reader.named(keys));
  tagBearers = (): Promise<readonly TagBearer[]> => this.ask(({ reader }) => reader.tagBearers());

  /** For the session, too: the one place that knows which files are open. */
  vectorStore(model: EmbeddingModel): VectorStore {
    const name = vectorsName(model);
    let store = this.stores.get(name);
    if (!store) this.stores.set(name, (store = new VectorStore(this.folder, model)));
    return store;
  }

  private vectorSpace(model: EmbeddingModel, { evidence }: OpenIndex): VectorSpace | undefined {
    const rows = this.vectorStore(model).rows();
    if (!rows) return undefined;
    const passageKeys = evidence.passageKeys();
    const name = vectorsName(model);
    let space = this.spaces.get(name);
    if (space?.rows !== rows || space.passageKeys !== passageKeys) {
      const format = model.rowFormat ?? 'half-bytes';
      space = { format, rowBytes: packedBytes(model.dimensions, format), rows, passageKeys };
      this.spaces.set(name, space);
    }
    return space;
  }

  async close(): Promise<void> {
    this.shut();
    for (const store of this.stores.values()) store.close();
    this.stores.clear();
  }

  /** For the session: the index that lives in memory is written over the connection that reads it. */
  adoptMemory(database: Database): void {
    this.shut();
    this.adopt(database, 0);
  }

  memoryDatabase(): Database {
    return this.opened().database;
  }

  /** For the session: look at the files again, as they were replaced. */
  reopen(): void {
    this.shut();
    if (this.folder !== undefined) this.openFiles(this.folder);
  }

  /** For the session: what was written over the same connection is not seen by itself. */
  forgetCaches(): void {
    this.open?.evidence.forgetCaches();
    this.open?.reader.forgetCaches();
  }

  /** An error of SQLite, or of our own decoding, as what it means to a caller. */
  translated(error: unknown): unknown {
    const code = (error as { code?: string }).code ?? '';
    const isOwnDecoding =
      error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError;
    if (!code.startsWith('SQLITE_') && !isOwnDecoding) return error;
    if (code === 'SQLITE_FULL' || code === 'SQLITE_IOERR_WRITE') {
      return new MemoryError('unavailable', 'The index cannot be written: the disk is full', {
        hint: 'Free some space, then run `memory reindex`. The notes are not touched.',
        cause: error,
      });
    }
    this.shut();
    return new MemoryError(
      'corrupt',
      `The index in "${this.place}" is damaged: ${(error as Error).message}`,
      {
        hint: 'Run `memory reindex`; the notes are not touched.',
        cause: error,
      },
    );
  }

  private async ask<T>(question: (open: OpenIndex) => T): Promise<T> {
    const open = this.opened();
    try {
      return question(open);
    } catch (error) {
      throw this.translated(error);
    }
  }

  private opened(): OpenIndex {
    if (this.open) return this.open;
    throw new MemoryError('corrupt', `There is no index in "${this.place}"`, {
      hint: 'Run `memory reindex`.',
    });
  }

  private openFiles(folder: string): boolean {
    const path = join(folder, INDEX_NAME);
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    if (this.open && this.open.inode === inode) return true;
    this.shut();
    if (inode === undefined) return false;
    let database: Database | undefined;
    try {
      database = new this.Sqlite(path, { fileMustExist: true, readonly: true, timeout: BUSY_MS });
      if (isOurs(database)) {
        this.adopt(database, inode);
        return true;
      }
    } catch {
      // Not a database, or none that can be read: the same as none.
    }
    database?.close();
    return false;
  }

  private adopt(database: Database, inode: number): void {
    database.pragma(`cache_size = -${CACHE_KIB}`);
    this.open = {
      database,
      reader: new IndexReader(database),
      evidence: new EvidenceReader(database),
      inode,
      opening: this.openings++,
    };
  }

  private shut(): void {
    const open = this.open;
    this.open = undefined;
    try {
      open?.database.close();
    } catch {
      // Closing tidies up; a damaged index has nothing to tidy.
    }
  }

  /** What SQLite itself can tell of the pages. */
  private isWhole(): boolean {
    try {
      return this.opened().database.pragma('quick_check(1)', { simple: true }) === 'ok';
    } catch {
      return false;
    }
  }

  private bytes(): number {
    if (this.folder !== undefined) {
      const path = join(this.folder, INDEX_NAME);
      return sizeOf(path) + sizeOf(`${path}-wal`);
    }
    const { database } = this.opened();
    const pages = Number(database.pragma('page_count', { simple: true }));
    return pages * Number(database.pragma('page_size', { simple: true }));
  }
}

function isOurs(database: Database): boolean {
  return (
    database.pragma('application_id', { simple: true }) === APPLICATION_ID &&
    database.pragma('user_version', { simple: true }) === SCHEMA
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
