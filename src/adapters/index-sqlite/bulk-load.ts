/** Builds a whole index into a file of its own, fast because nobody else looks at it until it is published. */

import type { IndexedNote } from '../../core/note/indexed-note.js';
import type { Database } from './native.js';
import { NoteRows, type TermNumbers } from './note-rows.js';
import { INDEXES, TABLES } from './schema.js';
import { SegmentBuilder } from './segment-builder.js';
import { storeSegment } from './segments.js';
import { storeNextTerm } from './write-batch.js';

/** Postings held in memory before they become a segment: about 20 MB. */
const POSTINGS_PER_SEGMENT = 800_000;

/** Pieces up to this length are shared by core/text/known-pieces.ts. */
const LONGEST_SHARED = 40;

export class BulkLoad {
  private readonly terms = new Map<string, number>();
  private readonly rows: NoteRows;
  private segment = new SegmentBuilder(0);
  private notes = 0;

  constructor(private readonly database: Database) {
    database.exec(TABLES);
    this.rows = new NoteRows(database);
    database.exec('BEGIN');
  }

  add(notes: readonly IndexedNote[], seenMs: number): void {
    for (const note of notes) {
      this.notes += 1;
      this.rows.insert(this.notes, note, seenMs, this.segment, this.numberOf);
    }
    if (this.segment.postingCount > POSTINGS_PER_SEGMENT) this.closeSegment();
  }

  finish(): void {
    this.closeSegment();
    const insert = this.database.prepare('INSERT INTO terms VALUES (?, ?)');
    for (const term of [...this.terms.keys()].sort()) insert.run(term, this.terms.get(term));
    storeNextTerm(this.database, this.terms.size + 1);
    this.database.exec(INDEXES);
    this.database.exec('COMMIT');
  }

  private closeSegment(): void {
    storeSegment(this.database, this.segment);
    this.segment = new SegmentBuilder(this.segment.firstPassage + this.segment.passageCount);
  }

  private readonly numberOf: TermNumbers = (term) => {
    const known = this.terms.get(term);
    if (known !== undefined) return known;
    const id = this.terms.size + 1;
    // A long term may be cut from a note's text and would keep all of it alive; a flat copy does not. Short ones come
    // again as the same string, which is found without comparing letters.
    this.terms.set(term.length > LONGEST_SHARED ? Buffer.from(term, 'utf8').toString('utf8') : term, id);
    return id;
  };
}
