/**
 * Segments in the database: storing one, and merging small ones so that a look-up stays a few reads. Passage numbers
 * never change; a merged segment spans the numbers of its parts, with holes where passages died.
 */

import { KEY_BYTES } from '../../core/retrieval/evidence.js';
import { PostingsWriter, readPostings } from '../../core/retrieval/postings.js';
import type { Steps } from '../../core/turns.js';
import type { Database } from './native.js';

import type { SegmentBuilder } from './segment-builder.js';

type SegmentRow = {
  readonly id: number;
  readonly first_passage: number;
  readonly passage_count: number;
  readonly note_of: Uint8Array;
  readonly body_length: Uint8Array;
  readonly other_length: Uint8Array;
  readonly keys: Uint8Array;
};

/** So many of the newest are merged into one. */
const MERGE_FACTOR = 8;
/**
 * A segment that is so many times as large as all newer ones is left out: to write it anew with every few notes that change
 * would cost more than it spares the look-ups.
 */
const LARGER = 2;
const SMALL = 64;
/** A segment of this many passages is left alone: merging it would block longer than it saves. */
const LARGEST_MERGED = 4_096;

/** Of postings, stored between two stops: thousands of rare terms, or a few that stand everywhere. */
const BYTES_AT_ONCE = 32_768;

export function* storeSegment(database: Database, builder: SegmentBuilder): Steps<void> {
  if (builder.passageCount === 0) return;
  const id = nextSegment(database);
  insertSegment(
    database,
    id,
    builder.firstPassage,
    Uint32Array.from(builder.noteOf),
    Uint16Array.from(builder.bodyLength),
    Uint16Array.from(builder.otherLength),
    builder.passageKeys,
  );
  const insert = database.prepare('INSERT INTO postings VALUES (?, ?, ?, ?)');
  yield;
  let stored = 0;
  const postings = builder.postings();
  while (postings.next()) {
    insert.run(id, postings.term, postings.notes, postings.data);
    stored += postings.data.length;
    if (stored < BYTES_AT_ONCE) continue;
    yield;
    stored = 0;
  }
}

export function nextPassage(database: Database): number {
  return (
    (database.prepare('SELECT max(first_passage + passage_count) FROM segments').pluck().get() as
      | number
      | null) ?? 0
  );
}

/** Merges the newest run of small segments when there are many. Call inside a write transaction. */
export function mergeSmallSegments(database: Database): void {
  const sizes = database
    .prepare('SELECT id, passage_count AS count FROM segments ORDER BY first_passage DESC')
    .all() as { id: number; count: number }[];
  const run: number[] = [];
  let total = 0;
  for (const { id, count } of sizes) {
    const isLarger = run.length > 0 && count > LARGER * Math.max(total, SMALL);
    if (isLarger || total + count > LARGEST_MERGED) break;
    run.push(id);
    total += count;
  }
  if (run.length >= MERGE_FACTOR) mergeSegments(database, run);
}

function mergeSegments(database: Database, ids: readonly number[]): void {
  const marks = ids.map(() => '?').join(',');
  const parts = database
    .prepare(`SELECT * FROM segments WHERE id IN (${marks}) ORDER BY first_passage`)
    .all(...ids) as SegmentRow[];
  const first = parts[0]!.first_passage;
  const last = parts[parts.length - 1]!;
  const count = last.first_passage + last.passage_count - first;
  const noteOf = new Uint32Array(count);
  const bodyLength = new Uint16Array(count);
  const otherLength = new Uint16Array(count);
  const keys = new Uint8Array(count * KEY_BYTES);
  for (const part of parts) {
    noteOf.set(asUint32(part.note_of), part.first_passage - first);
    bodyLength.set(asUint16(part.body_length), part.first_passage - first);
    otherLength.set(asUint16(part.other_length), part.first_passage - first);
    keys.set(part.keys, (part.first_passage - first) * KEY_BYTES);
  }
  const dead = database
    .prepare('SELECT number FROM dead_passages WHERE number >= ? AND number < ?')
    .pluck()
    .all(first, first + count) as number[];
  for (const number of dead) {
    noteOf[number - first] = 0;
    bodyLength[number - first] = 0;
    otherLength[number - first] = 0;
    keys.fill(0, (number - first) * KEY_BYTES, (number - first + 1) * KEY_BYTES);
  }

  const merged = new Map<number, { readonly writer: PostingsWriter; notes: number; lastNote: number }>();
  const read = database.prepare('SELECT term, data FROM postings WHERE segment = ?').raw();
  for (const part of parts) {
    for (const [term, data] of read.iterate(part.id) as Iterable<[number, Uint8Array]>) {
      readPostings({ bytes: data, before: part.first_passage }, (passage, counts) => {
        const note = noteOf[passage - first]!;
        if (note === 0) return;
        let entry = merged.get(term);
        if (!entry) merged.set(term, (entry = { writer: new PostingsWriter(), notes: 0, lastNote: 0 }));
        if (note !== entry.lastNote) entry.notes += 1;
        entry.lastNote = note;
        entry.writer.append(passage - first, counts, 0);
      });
    }
  }

  const id = nextSegment(database);
  database.prepare(`DELETE FROM segments WHERE id IN (${marks})`).run(...ids);
  for (const part of parts) database.prepare('DELETE FROM postings WHERE segment = ?').run(part.id);
  database.prepare('DELETE FROM dead_passages WHERE number >= ? AND number < ?').run(first, first + count);
  insertSegment(database, id, first, noteOf, bodyLength, otherLength, keys);
  const insert = database.prepare('INSERT INTO postings VALUES (?, ?, ?, ?)');
  for (const [term, { writer, notes }] of [...merged].sort(([a], [b]) => a - b)) {
    insert.run(id, term, notes, writer.finish());
  }
}

function insertSegment(
  database: Database,
  id: number,
  first: number,
  noteOf: Uint32Array,
  bodyLength: Uint16Array,
  otherLength: Uint16Array,
  keys: Uint8Array,
): void {
  database
    .prepare('INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(id, first, noteOf.length, bytesOf(noteOf), bytesOf(bodyLength), bytesOf(otherLength), keys);
}

function nextSegment(database: Database): number {
  return ((database.prepare('SELECT max(id) FROM segments').pluck().get() as number | null) ?? 0) + 1;
}

/** The blob's own memory may start at an odd address, so it is copied. */
function asUint32(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}

function asUint16(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(bytes.slice().buffer);
}

function bytesOf(array: Uint32Array | Uint16Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
