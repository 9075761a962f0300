/** Builds a whole index into a file of its own, fast because nobody else looks at it until it is published. */

import type { IndexedNote } from '../../core/note/indexed-note.js';
import { keepable } from '../../core/text/known-pieces.js';
import type { Steps } from '../../core/turns.js';
import type { Database } from './native.js';
import { storeNoteCount } from './note-count.js';
import { NoteRows } from './note-rows.js';
import { INDEXES, TABLES } from './schema.js';
import { SegmentBuilder } from './segment-builder.js';
import { storeSegment } from './segments.js';
import { TermNumbers } from './term-numbers.js';
import { storeNextTerm } from './write-batch.js';

/** Postings held in memory before they become a segment: about 20 MB. */
const POSTINGS_PER_SEGMENT = 800_000;

/** Terms that are stored between two stops. */
const TERMS_AT_ONCE = 16_384;
const TERMS_A_STATEMENT = 64;

export class BulkLoad {
  private readonly terms = new Map<string, number>();
  private readonly rows: NoteRows;
  private readonly segment = new SegmentBuilder(0);
  private notes = 0;

  constructor(private readonly database: Database) {
    database.exec(TABLES);
    this.rows = new NoteRows(database, new TermNumbers(this.numberOf));
    database.exec('BEGIN');
  }

  *add(notes: readonly IndexedNote[], seenMs: number): Steps<void> {
    for (const note of notes) {
      this.notes += 1;
      yield* this.rows.insert(this.notes, note, seenMs, this.segment);
    }
    if (this.segment.postingCount > POSTINGS_PER_SEGMENT) yield* this.closeSegment();
  }

  *finish(): Steps<void> {
    yield* this.closeSegment();
    const terms = [...this.terms.keys()].sort();
    for (let from = 0; from < terms.length; from += TERMS_AT_ONCE) {
      yield;
      this.insertTerms(terms.slice(from, from + TERMS_AT_ONCE));
    }
    storeNextTerm(this.database, this.terms.size + 1);
    storeNoteCount(this.database, this.notes);
    for (const index of INDEXES) {
      yield;
      this.database.exec(index);
    }
    yield;
    this.database.exec('COMMIT');
    yield;
  }

  /** Many a statement: one each takes twice as long. */
  private insertTerms(terms: readonly string[]): void {
    const insert = (rows: number) =>
      this.database.prepare(`INSERT INTO terms VALUES ${Array(rows).fill('(?, ?)').join(', ')}`);
    const many = insert(TERMS_A_STATEMENT);
    for (let from = 0; from < terms.length; from += TERMS_A_STATEMENT) {
      const some = terms.slice(from, from + TERMS_A_STATEMENT);
      const values = some.flatMap((term) => [term, this.terms.get(term)]);
      (some.length === TERMS_A_STATEMENT ? many : insert(some.length)).run(values);
    }
  }

  private *closeSegment(): Steps<void> {
    yield* storeSegment(this.database, this.segment);
    this.segment.startNext();
  }

  private readonly numberOf = (term: string): number => {
    const known = this.terms.get(term);
    if (known !== undefined) return known;
    const id = this.terms.size + 1;
    this.terms.set(keepable(term), id);
    return id;
  };
}
