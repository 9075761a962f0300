/**
 * Vectors of one model in a file of their own, by passage key: a new schema of the index costs no embedding, and the
 * vectors of two models never meet. Blocks of rows, so that all of it is read with few questions.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbeddingModel, VectorCounts } from '../../core/ports.js';
import { KEY_BYTES, type PassageVectors } from '../../core/retrieval/evidence.js';
import { makePrivate, removeIndexFiles } from './index-folder.js';
import { BUSY_MS, type Database, type DatabaseConstructor } from './native.js';
import { APPLICATION_ID } from './schema.js';

/** Counts up with every change to the table or to what stands in it. */
const VECTOR_SCHEMA = 1;

const TABLE = `
CREATE TABLE blocks (
  id INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  keys BLOB NOT NULL,          -- KEY_BYTES for each
  vectors BLOB NOT NULL        -- a signed byte for each dimension
)`;

const PAGE_BYTES = 16_384;
/** Blocks below this are put together once there are so many of them. */
const SMALL_BLOCK = 1_024;
const MOST_SMALL_BLOCKS = 16;
/** With more than this share of vectors that no passage has, the file is written anew. */
const MOST_STALE = 0.25;

/** Of a head, or of a number that no passage has. */
const NO_KEY = 0n;

type BlockRow = [keys: Uint8Array, vectors: Uint8Array];

/** The name says what the vectors depend on. */
export function vectorsName({ id, fingerprint }: EmbeddingModel): string {
  return `vectors-${id.replace(/[^a-z0-9.-]+/gi, '-')}-${fingerprint.slice(0, 8)}.db`;
}

export class VectorStore {
  private reading: { readonly database: Database; readonly inode: number } | undefined;
  private writing: Database | undefined;
  private cached: { readonly version: string; readonly blocks: readonly PassageVectors[] } | undefined;
  private ownWrites = 0;
  private isBroken = false;

  /** `folder` undefined: in this process's memory only. */
  constructor(
    private readonly Sqlite: DatabaseConstructor,
    private readonly folder: string | undefined,
    readonly model: EmbeddingModel,
  ) {}

  /** The same object while nothing changes; undefined where there is no file, or none that can be read. */
  blocks(): readonly PassageVectors[] | undefined {
    try {
      return this.readBlocks();
    } catch (error) {
      // What cannot be read is made again; words answer meanwhile.
      if (!isDamage(error)) throw error;
      this.isBroken = true;
      return undefined;
    }
  }

  private readBlocks(): readonly PassageVectors[] | undefined {
    const database = this.openForReading();
    if (!database) return undefined;
    const version = `${this.reading?.inode}/${String(database.pragma('data_version', { simple: true }))}/${this.ownWrites}`;
    if (this.cached?.version === version) return this.cached.blocks;
    const blocks = readBlocks(database, this.model.dimensions);
    this.cached = { version, blocks };
    return blocks;
  }

  /** Of these keys, one after another, those that have a vector; as places in the list. */
  known(keys: Uint8Array): ReadonlySet<number> {
    const wanted = new Map<bigint, number[]>();
    wordsOf(keys).forEach((key, at) => {
      const places = wanted.get(key);
      if (places) places.push(at);
      else wanted.set(key, [at]);
    });
    const known = new Set<number>();
    for (const block of this.blocks() ?? []) {
      for (const key of wordsOf(block.keys)) for (const at of wanted.get(key) ?? []) known.add(at);
    }
    return known;
  }

  put({ keys, vectors }: PassageVectors): void {
    if (keys.length === 0) return;
    const database = this.openForWriting();
    database
      .transaction(() => {
        insertBlock(database, keys, vectors);
        joinSmallBlocks(database, this.model.dimensions);
      })
      .immediate();
    this.ownWrites += 1;
  }

  /** For a vault with these passages. */
  counts(passageKeys: Uint8Array): VectorCounts {
    const live = new Set(wordsOf(passageKeys));
    live.delete(NO_KEY);
    const held = new Set<bigint>();
    let stale = 0;
    for (const { keys } of this.blocks() ?? []) {
      for (const key of wordsOf(keys)) {
        if (!live.has(key) || held.has(key)) stale += 1;
        else held.add(key);
      }
    }
    let embedded = 0;
    let pending = 0;
    for (const key of wordsOf(passageKeys)) {
      if (held.has(key)) embedded += 1;
      else if (key !== NO_KEY) pending += 1;
    }
    return { embedded, pending, stale, bytes: this.bytes() };
  }

  /** Drops vectors that none of these passages has, if they are many. */
  tidy(passageKeys: Uint8Array): void {
    const { stale } = this.counts(passageKeys);
    const count = (this.blocks() ?? []).reduce((sum, { keys }) => sum + keys.length / KEY_BYTES, 0);
    if (stale <= MOST_STALE * count) return;
    const live = new Set(wordsOf(passageKeys));
    const database = this.openForWriting();
    const kept = this.keptBlocks(live);
    database
      .transaction(() => {
        database.exec('DELETE FROM blocks');
        for (const { keys, vectors } of kept) insertBlock(database, keys, vectors);
      })
      .immediate();
    database.exec('VACUUM');
    this.ownWrites += 1;
  }

  /** Ends writing; what is read stays open. */
  endWriting(): void {
    const database = this.writing;
    if (this.folder === undefined || !database) return;
    this.writing = undefined;
    // A reader keeps the log from going with its last writer, and a long one is slow to read.
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
  }

  close(): void {
    this.writing?.close();
    if (this.reading?.database.open) this.reading.database.close();
    this.writing = undefined;
    this.reading = undefined;
    this.cached = undefined;
  }

  private bytes(): number {
    if (this.folder === undefined) return 0;
    const path = join(this.folder, vectorsName(this.model));
    const size = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
    return size(path) + size(`${path}-wal`);
  }

  private keptBlocks(live: ReadonlySet<bigint>): PassageVectors[] {
    const { dimensions } = this.model;
    const taken = new Set<bigint>();
    const kept: PassageVectors[] = [];
    for (const { keys, vectors } of [...(this.blocks() ?? [])].reverse()) {
      const words = wordsOf(keys);
      const rows: number[] = [];
      for (let row = words.length - 1; row >= 0; row -= 1) {
        if (!live.has(words[row]!) || taken.has(words[row]!)) continue;
        taken.add(words[row]!);
        rows.push(row);
      }
      if (rows.length === 0) continue;
      const block = {
        keys: new Uint8Array(rows.length * KEY_BYTES),
        vectors: new Uint8Array(rows.length * dimensions),
      };
      rows.forEach((row, at) => {
        block.keys.set(keys.subarray(row * KEY_BYTES, (row + 1) * KEY_BYTES), at * KEY_BYTES);
        block.vectors.set(vectors.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions);
      });
      kept.push(block);
    }
    return kept;
  }

  private openForReading(): Database | undefined {
    if (this.folder === undefined) return this.writing;
    const path = join(this.folder, vectorsName(this.model));
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    if (this.reading && this.reading.inode === inode) return this.reading.database;
    this.reading?.database.close();
    this.reading = undefined;
    if (inode === undefined) return undefined;
    let database: Database | undefined;
    try {
      database = new this.Sqlite(path, { fileMustExist: true, readonly: true, timeout: BUSY_MS });
      if (isOurs(database)) {
        this.reading = { database, inode };
        return database;
      }
    } catch {
      // Not a database, or none that can be read: the same as none.
    }
    database?.close();
    return undefined;
  }

  private openForWriting(): Database {
    if (this.writing) return this.writing;
    const path = this.folder === undefined ? ':memory:' : join(this.folder, vectorsName(this.model));
    let database = new this.Sqlite(path, { timeout: BUSY_MS });
    if (this.isBroken || !isReadable(database)) {
      this.isBroken = false;
      database.close();
      this.reading?.database.close();
      this.reading = undefined;
      removeIndexFiles(path);
      database = new this.Sqlite(path, { timeout: BUSY_MS });
    }
    if (!isOurs(database)) {
      database.pragma(`page_size = ${PAGE_BYTES}`);
      database.exec(TABLE);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${VECTOR_SCHEMA}`);
      if (this.folder !== undefined) {
        database.pragma('journal_mode = WAL');
        makePrivate(path);
      }
    }
    // Vectors can be made again, so a commit need not wait for the disk; the log keeps it whole all the same.
    database.pragma('synchronous = NORMAL');
    this.writing = database;
    return database;
  }
}

function isOurs(database: Database): boolean {
  return (
    database.pragma('application_id', { simple: true }) === APPLICATION_ID &&
    database.pragma('user_version', { simple: true }) === VECTOR_SCHEMA
  );
}

function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test((error as { code?: string }).code ?? '');
}

/** New and empty, or ours. */
function isReadable(database: Database): boolean {
  try {
    return isOurs(database) || database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
  } catch {
    return false;
  }
}

function readBlocks(database: Database, dimensions: number): readonly PassageVectors[] {
  const rows = database.prepare('SELECT keys, vectors FROM blocks ORDER BY id').raw().all() as BlockRow[];
  return rows
    .filter(([keys, vectors]) => vectors.length === (keys.length / KEY_BYTES) * dimensions)
    .map(([keys, vectors]) => ({ keys, vectors }));
}

function insertBlock(database: Database, keys: Uint8Array, vectors: Uint8Array): void {
  database
    .prepare('INSERT INTO blocks (count, keys, vectors) VALUES (?, ?, ?)')
    .run(keys.length / KEY_BYTES, keys, vectors);
}

function joinSmallBlocks(database: Database, dimensions: number): void {
  const ids = database
    .prepare('SELECT id FROM blocks WHERE count < ? ORDER BY id')
    .pluck()
    .all(SMALL_BLOCK) as number[];
  if (ids.length <= MOST_SMALL_BLOCKS) return;
  const rows = database
    .prepare(`SELECT keys, vectors FROM blocks WHERE id IN (${ids.join(',')}) ORDER BY id`)
    .raw()
    .all() as BlockRow[];
  const whole = rows.filter(([keys, vectors]) => vectors.length === (keys.length / KEY_BYTES) * dimensions);
  database.exec(`DELETE FROM blocks WHERE id IN (${ids.join(',')})`);
  insertBlock(database, Buffer.concat(whole.map(([keys]) => keys)), Buffer.concat(whole.map(([, v]) => v)));
}

/** Keys as numbers, whatever the address of their bytes. */
function wordsOf(keys: Uint8Array): BigUint64Array {
  return new BigUint64Array(keys.slice().buffer);
}
