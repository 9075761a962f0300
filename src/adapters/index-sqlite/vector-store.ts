/**
 * Vectors of one model in a file of their own, by passage key: a new schema of the index costs no embedding, and the
 * vectors of two models never meet. A plain file, since a search reads all of it, straight into the kernel's memory:
 *
 *   header   magic, format, dimensions, count, row format (HEADER_BYTES)
 *   blocks   of VECTOR_BLOCK rows: their keys, then their vectors (core/retrieval/pack-vectors.ts)
 *
 * Rows are only ever added, under the index's lock, and count once the header says so: what a killed process left
 * behind the last is written over. Dropping rows makes a new file.
 */

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { EmbeddingModel, VectorCounts } from '../../core/ports.js';
import {
  KEY_BYTES,
  type PassageVectors,
  VECTOR_BLOCK,
  type VectorRows,
} from '../../core/retrieval/evidence.js';
import { packedBytes } from '../../core/retrieval/pack-vectors.js';
import { readFailed, vectorsName, writeFailed } from './vector-files.js';

const MAGIC = 'AMVR';
const FORMAT = 2;
const HEADER_BYTES = 64;
const COUNT_AT = 12;
const ROW_FORMAT_AT = 16;

/** With more than this share of vectors that no passage has, the file is written anew. */
const MOST_STALE = 0.25;
/** Up to so many keys are looked for one by one, which costs a process that has just started less than a table. */
const FEW_KEYS = 64;

type OpenFile = { readonly descriptor: number; readonly inode: number };

export class VectorStore {
  private readonly rowBytes: number;
  private file: OpenFile | undefined;
  private cached: { readonly inode: number; readonly rows: VectorRows } | undefined;
  /** Instead of a file, where the index lives in memory. */
  private memory: Uint8Array | undefined;
  private failedInMemory = new Uint8Array(0);

  constructor(
    private readonly folder: string | undefined,
    readonly model: EmbeddingModel,
  ) {
    this.rowBytes = packedBytes(model.dimensions, model.rowFormat);
  }

  /** The same object while nothing changes; undefined where there is no file, or none of ours. */
  rows(): VectorRows | undefined {
    const count = this.readCount();
    if (count === undefined) return undefined;
    const inode = this.file?.inode ?? 0;
    if (this.cached?.inode === inode && this.cached.rows.count === count) return this.cached.rows;
    const copyTo = (target: Uint8Array, from = 0) => this.read(target, HEADER_BYTES + from);
    const rows = { count, copyTo };
    this.cached = { inode, rows };
    return rows;
  }

  /** Of these keys, one after another, those that have a vector; as places in the list. */
  known(keys: Uint8Array): ReadonlySet<number> {
    const known = new Set<number>();
    const wanted = wordsOf(keys);
    if (wanted.length <= FEW_KEYS) {
      for (const block of this.keyBlocks()) {
        const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
        for (let at = 0; at < wanted.length; at += 1) if (holdsKey(bytes, keys, at)) known.add(at);
      }
      return known;
    }
    const places = new Map<bigint, number[]>();
    wanted.forEach((key, at) => {
      const others = places.get(key);
      if (others) others.push(at);
      else places.set(key, [at]);
    });
    for (const block of this.keyBlocks()) {
      for (const key of wordsOf(block)) for (const at of places.get(key) ?? []) known.add(at);
    }
    return known;
  }

  put(vectors: PassageVectors): void {
    const added = vectors.keys.length / KEY_BYTES;
    if (added === 0) return;
    const held = this.readCount();
    if (held === undefined) this.make();
    const count = held ?? 0;
    this.writeRows(count, vectors);
    this.writeCount(count + added);
  }

  /** Keys of passages that the model refused. */
  failed(): Uint8Array {
    return this.folder === undefined ? this.failedInMemory : readFailed(this.folder, this.model);
  }

  keepFailed(keys: Uint8Array): void {
    if (this.folder === undefined) this.failedInMemory = keys.slice();
    else writeFailed(this.folder, this.model, keys);
  }

  /** For a vault with these passages. */
  counts(passageKeys: Uint8Array): VectorCounts {
    const live = liveKeys(passageKeys);
    const held = new Set<bigint>();
    let stale = 0;
    let before = NO_KEY;
    for (const block of this.keyBlocks()) {
      for (const key of wordsOf(block)) {
        // Rows of one passage follow one another.
        if (!live.has(key) || (held.has(key) && key !== before)) stale += 1;
        else held.add(key);
        before = key;
      }
    }
    let embedded = 0;
    let pending = 0;
    let failed = 0;
    const refused = new Set(wordsOf(this.failed()));
    for (const key of wordsOf(passageKeys)) {
      if (key === NO_KEY) continue;
      if (held.has(key)) embedded += 1;
      else pending += 1;
      if (!held.has(key) && refused.has(key)) failed += 1;
    }
    return { embedded, pending, failed, stale, bytes: this.bytes() };
  }

  /** Drops vectors that none of these passages has, if they are many. */
  tidy(passageKeys: Uint8Array): void {
    const { stale } = this.counts(passageKeys);
    const count = this.readCount() ?? 0;
    if (stale <= MOST_STALE * count) return;
    const kept = this.keptRows(liveKeys(passageKeys));
    if (this.folder === undefined) {
      this.memory = undefined;
      this.cached = undefined;
      this.put(kept);
      return;
    }
    const path = join(this.folder, vectorsName(this.model));
    const fresh = new VectorStore(this.folder, this.model);
    fresh.makeAt(`${path}.new`);
    fresh.writeRows(0, kept);
    fresh.writeCount(kept.keys.length / KEY_BYTES);
    fresh.close();
    renameSync(`${path}.new`, path);
  }

  close(): void {
    if (this.file) closeSync(this.file.descriptor);
    this.file = undefined;
    this.cached = undefined;
  }

  private bytes(): number {
    return this.file ? fstatSync(this.file.descriptor).size : (this.memory?.length ?? 0);
  }

  private keptRows(live: ReadonlySet<bigint>): PassageVectors {
    const { rowBytes } = this;
    const count = this.readCount() ?? 0;
    const all = new Uint8Array(placeOf(count, rowBytes).end - HEADER_BYTES);
    this.read(all, HEADER_BYTES);
    const runs = new Map<bigint, number[]>();
    let row = 0;
    let before = NO_KEY;
    for (const block of this.keyBlocks()) {
      for (const key of wordsOf(block)) {
        if (key === before) runs.get(key)!.push(row++);
        else runs.set(key, [row++]);
        before = key;
      }
    }
    const kept = [...runs].filter(([key]) => live.has(key)).flatMap(([, rows]) => rows);
    const keys = new Uint8Array(kept.length * KEY_BYTES);
    const vectors = new Uint8Array(kept.length * rowBytes);
    kept.forEach((from, to) => {
      const { key, vector } = placeOf(from, rowBytes);
      keys.set(all.subarray(key - HEADER_BYTES, key - HEADER_BYTES + KEY_BYTES), to * KEY_BYTES);
      vectors.set(all.subarray(vector - HEADER_BYTES, vector - HEADER_BYTES + rowBytes), to * rowBytes);
    });
    return { keys, vectors };
  }

  /** Each is good until the next one is asked for: all stand in one place. */
  private *keyBlocks(): Generator<Uint8Array> {
    const room = new Uint8Array(VECTOR_BLOCK * KEY_BYTES);
    const count = this.readCount() ?? 0;
    for (let row = 0; row < count; row += VECTOR_BLOCK) {
      const keys = room.subarray(0, Math.min(VECTOR_BLOCK, count - row) * KEY_BYTES);
      this.read(keys, placeOf(row, this.rowBytes).key);
      yield keys;
    }
  }

  private writeRows(from: number, { keys, vectors }: PassageVectors): void {
    const { rowBytes } = this;
    const added = keys.length / KEY_BYTES;
    for (let at = 0; at < added; ) {
      const row = from + at;
      const end = Math.min(added, at + VECTOR_BLOCK - (row % VECTOR_BLOCK));
      const { key, vector } = placeOf(row, rowBytes);
      this.write(keys.subarray(at * KEY_BYTES, end * KEY_BYTES), key);
      this.write(vectors.subarray(at * rowBytes, end * rowBytes), vector);
      at = end;
    }
  }

  private readCount(): number | undefined {
    if (this.folder !== undefined && !this.openFile(this.folder)) return undefined;
    if (this.folder === undefined && !this.memory) return undefined;
    const header = new Uint8Array(HEADER_BYTES);
    this.read(header, 0);
    const count = new DataView(header.buffer).getUint32(COUNT_AT, true);
    return headerOf(this.model, count).every((byte, at) => byte === header[at]) ? count : undefined;
  }

  private writeCount(count: number): void {
    this.write(headerOf(this.model, count), 0);
  }

  /** A new file in the place of what cannot be read. */
  private make(): void {
    if (this.folder === undefined) this.memory = new Uint8Array(HEADER_BYTES);
    else this.makeAt(join(this.folder, vectorsName(this.model)));
    this.writeCount(0);
  }

  private makeAt(path: string): void {
    this.close();
    rmSync(path, { force: true });
    const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    this.file = { descriptor, inode: fstatSync(descriptor).ino };
  }

  /** Opened for writing where that is allowed: the index's lock is what guards it. */
  private openFile(folder: string): OpenFile | undefined {
    const path = join(folder, vectorsName(this.model));
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    if (this.file && this.file.inode === inode) return this.file;
    this.close();
    if (inode === undefined) return undefined;
    const descriptor = openFirst(path);
    if (descriptor === undefined) return undefined;
    this.file = { descriptor, inode: fstatSync(descriptor).ino };
    return this.file;
  }

  private read(target: Uint8Array, position: number): void {
    if (this.memory) {
      const held = this.memory.subarray(position, position + target.length);
      target.set(held);
      target.fill(0, held.length);
      return;
    }
    for (let done = 0; done < target.length; ) {
      const got = readSync(this.file!.descriptor, target, done, target.length - done, position + done);
      // What is missing is zero: a header of zeros is none of ours, and a vector of zeros is near nothing.
      if (got === 0) {
        target.fill(0, done);
        return;
      }
      done += got;
    }
  }

  private write(bytes: Uint8Array, position: number): void {
    if (!this.memory) {
      for (let done = 0; done < bytes.length; ) {
        done += writeSync(this.file!.descriptor, bytes, done, bytes.length - done, position + done);
      }
      return;
    }
    const end = position + bytes.length;
    if (end > this.memory.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.memory.length));
      larger.set(this.memory);
      this.memory = larger;
    }
    this.memory.set(bytes, position);
  }
}

/** Of a head, or of a number that no passage has. */
const NO_KEY = 0n;

function headerOf({ dimensions, rowFormat }: EmbeddingModel, count: number): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES);
  const view = new DataView(header.buffer);
  for (let at = 0; at < MAGIC.length; at += 1) header[at] = MAGIC.charCodeAt(at);
  view.setUint32(4, FORMAT, true);
  view.setUint32(8, dimensions, true);
  view.setUint32(COUNT_AT, count, true);
  header[ROW_FORMAT_AT] = rowFormat === 'bytes' ? 1 : 0;
  return header;
}

/** Where a row's key and vector stand in the file, and where the rows before it end. */
function placeOf(row: number, rowBytes: number): { key: number; vector: number; end: number } {
  const block = HEADER_BYTES + Math.floor(row / VECTOR_BLOCK) * VECTOR_BLOCK * (KEY_BYTES + rowBytes);
  const inBlock = row % VECTOR_BLOCK;
  const vector = block + VECTOR_BLOCK * KEY_BYTES + inBlock * rowBytes;
  return { key: block + inBlock * KEY_BYTES, vector, end: inBlock === 0 ? block : vector };
}

function openFirst(path: string): number | undefined {
  for (const flag of [constants.O_RDWR, constants.O_RDONLY]) {
    try {
      return openSync(path, flag);
    } catch {
      // Without the right to write it may still be read; without that there are no vectors.
    }
  }
  return undefined;
}

function liveKeys(passageKeys: Uint8Array): Set<bigint> {
  const live = new Set(wordsOf(passageKeys));
  live.delete(NO_KEY);
  return live;
}

function holdsKey(block: Buffer, keys: Uint8Array, at: number): boolean {
  const key = keys.subarray(at * KEY_BYTES, (at + 1) * KEY_BYTES);
  let found = block.indexOf(key);
  while (found >= 0 && found % KEY_BYTES !== 0) found = block.indexOf(key, found + 1);
  return found >= 0;
}

/** Keys as numbers, whatever the address of their bytes. */
function wordsOf(keys: Uint8Array): BigUint64Array {
  return new BigUint64Array(keys.slice().buffer);
}
