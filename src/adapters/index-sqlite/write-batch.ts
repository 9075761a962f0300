/** Takes changed notes into an index that others read meanwhile: one small transaction, one new segment. */

import type { NoteDate } from '../../core/note/indexed-note.js';
import type { IndexBatch } from '../../core/ports.js';
import type { Steps } from '../../core/turns.js';
import type { Database } from './native.js';
import { changeNoteCount } from './note-count.js';
import { type LeftNote, NoteRows } from './note-rows.js';
import { SegmentBuilder } from './segment-builder.js';
import { mergeSmallSegments, nextPassage, storeSegment } from './segments.js';
import { TermNumbers } from './term-numbers.js';

/** Returns the vector keys of the passages that `batch.put` replaced. */
export function* writeBatch(database: Database, batch: IndexBatch): Steps<ReadonlySet<string>> {
  database.exec('BEGIN IMMEDIATE');
  try {
    const writer = new BatchWriter(database);
    yield* writer.write(batch);
    database.exec('COMMIT');
    return writer.replacedKeys;
  } finally {
    // Also where nobody goes on with the steps.
    if (database.inTransaction) database.exec('ROLLBACK');
  }
}

const PASSAGES_OF_NOTE = `
  FROM notes n JOIN passages p ON p.number >= n.first_passage AND p.number < n.first_passage + n.passage_count
  WHERE n.number = ?`;

class BatchWriter {
  readonly replacedKeys = new Set<string>();
  private readonly termIds = new Map<string, number>();

  constructor(private readonly database: Database) {}

  *write(batch: IndexBatch): Steps<void> {
    const numberOfPath = this.database.prepare('SELECT number FROM notes WHERE path = ?').pluck();
    /** Notes that there are more than before. */
    let added = 0;
    for (const path of batch.remove) {
      const number = numberOfPath.get(path) as number | undefined;
      if (number === undefined) continue;
      this.remove(number);
      added -= 1;
    }
    this.touch(batch);
    if (batch.put.length + batch.move.length > 0) {
      const segment = new SegmentBuilder(nextPassage(this.database), nextTerm(this.database));
      const rows = new NoteRows(this.database, new TermNumbers(this.numberOf));
      const highest = this.database.prepare('SELECT max(number) FROM notes').pluck();
      for (const note of batch.put) {
        const known = numberOfPath.get(note.stamp.path) as number | undefined;
        let held: ReadonlyMap<string, Uint8Array> | undefined;
        if (known === undefined) added += 1;
        else {
          held = this.heldBy(known);
          this.remove(known);
        }
        const number = known ?? ((highest.get() as number | null) ?? 0) + 1;
        yield* rows.insert(number, note, batch.seenMs, segment, held);
      }
      for (const note of batch.move) {
        const number = numberOfPath.get(note.from) as number | undefined;
        if (number === undefined) throw new RangeError(`no note ${note.from} to move`);
        const left = this.leave(number);
        yield;
        yield* rows.insertMoved(number, note, left, batch.seenMs, segment);
      }
      yield* storeSegment(this.database, segment);
      yield;
    }
    mergeSmallSegments(this.database);
    changeNoteCount(this.database, added);
  }

  private touch(batch: IndexBatch): void {
    const update = this.database.prepare(
      'UPDATE notes SET size = ?, mtime = ?, ctime = ?, inode = ?, seen = ? WHERE path = ?',
    );
    for (const { stamp, created, updated } of batch.touch) {
      update.run(stamp.size, stamp.mtimeMs, stamp.ctimeMs, stamp.inode, batch.seenMs, stamp.path);
      this.redate('created', created, stamp.path);
      this.redate('updated', updated, stamp.path);
    }
  }

  private redate(which: 'created' | 'updated', { text, fromMs, toMs }: NoteDate, path: string): void {
    this.database
      .prepare(
        `UPDATE notes SET ${which} = ?, ${which}_from = ?, ${which}_to = ?
         WHERE path = ? AND ${which}_source = 'file' AND ${which} <> ?`,
      )
      .run(text, fromMs, toMs, path, text);
  }

  /** The term sequences of a note's passages, by key. */
  private heldBy(number: number): ReadonlyMap<string, Uint8Array> {
    const passages = this.database
      .prepare(
        `SELECT lower(hex(p.key)), lower(hex(p.vector_key)), p.terms ${PASSAGES_OF_NOTE} AND p.ordinal > 0`,
      )
      .raw()
      .all(number) as [string, string, Uint8Array][];
    const held = new Map<string, Uint8Array>();
    for (const [key, vectorKey, terms] of passages) {
      held.set(key, terms);
      this.replacedKeys.add(vectorKey);
    }
    return held;
  }

  /** Postings and terms stay until a merge or a rebuild; dead passages are masked meanwhile. */
  private remove(number: number): void {
    this.bury(number);
    for (const table of ['names', 'tags', 'properties', 'fields', 'links']) {
      this.database.prepare(`DELETE FROM ${table} WHERE note = ?`).run(number);
    }
  }

  /** Takes out what a move writes anew, and returns what it carries over. */
  private leave(number: number): LeftNote {
    const kept = this.database.prepare('SELECT hash, aliases FROM notes WHERE number = ?').get(number);
    const details = this.database
      .prepare('SELECT json FROM note_details WHERE number = ?')
      .pluck()
      .get(number);
    const passages = this.database
      .prepare(
        `SELECT p.ordinal, p.line, p.end_line, p.start, p."end", p.key, p.vector_key, p.headings, p.level, p.terms
         ${PASSAGES_OF_NOTE} ORDER BY p.number`,
      )
      .raw()
      .all(number);
    this.bury(number);
    this.database.prepare('DELETE FROM names WHERE note = ?').run(number);
    return { ...(kept as Pick<LeftNote, 'hash' | 'aliases'>), details, passages } as LeftNote;
  }

  private bury(number: number): void {
    const { first, count } = this.database
      .prepare('SELECT first_passage AS first, passage_count AS count FROM notes WHERE number = ?')
      .get(number) as { first: number; count: number };
    const dig = this.database.prepare('INSERT OR IGNORE INTO dead_passages VALUES (?)');
    for (let i = 0; i < count; i += 1) dig.run(first + i);
    this.database.prepare('DELETE FROM passages WHERE number >= ? AND number < ?').run(first, first + count);
    this.database.prepare('DELETE FROM note_details WHERE number = ?').run(number);
    this.database.prepare('DELETE FROM notes WHERE number = ?').run(number);
  }

  private readonly numberOf = (term: string): number => {
    const known = this.termIds.get(term);
    if (known !== undefined) return known;
    this.findTerm ??= this.database.prepare('SELECT id FROM terms WHERE term = ?').pluck();
    const stored = this.findTerm.get(term) as number | undefined;
    const id = stored ?? this.addTerm(term);
    this.termIds.set(term, id);
    return id;
  };
  private findTerm: ReturnType<Database['prepare']> | undefined;

  private addTerm(term: string): number {
    const id = nextTerm(this.database);
    this.database.prepare('INSERT INTO terms VALUES (?, ?)').run(term, id);
    storeNextTerm(this.database, id + 1);
    return id;
  }
}

export function nextTerm(database: Database): number {
  return database.prepare("SELECT value FROM meta WHERE key = 'next term'").pluck().get() as number;
}

export function storeNextTerm(database: Database, id: number): void {
  database.prepare("INSERT OR REPLACE INTO meta VALUES ('next term', ?)").run(id);
}
