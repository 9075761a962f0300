/** Gathers the postings of a run of passages in memory, to be stored as one segment (segments.ts). */

import { FIELD_COUNT, FIELDS, type Field, KEY_BYTES } from '../../core/retrieval/evidence.js';
import { PostingsWriter } from '../../core/retrieval/postings.js';

/** Term numbers of one passage, by field. */
export type PassageTerms = readonly (readonly [field: Field, termIds: Uint32Array])[];

const MAX_LENGTH = 65_535;
const FIRST_CAPACITY = 1_024;
/** Sorting compares a row about twenty times, and counting looks at each term three times. */
const SMALL_SHARE = 16;

/**
 * One row a posting, as columns: a map of growing arrays by term would take several times the memory, most of it
 * for terms that occur once. Rows stand in the order of passages and are sorted by term at the end.
 */
export class SegmentBuilder {
  noteOf: number[] = [];
  bodyLength: number[] = [];
  otherLength: number[] = [];
  private keys = new Uint8Array(FIRST_CAPACITY);
  private size = 0;
  private terms = new Uint32Array(FIRST_CAPACITY);
  private passages = new Uint32Array(FIRST_CAPACITY);
  private counts = new Uint8Array(FIRST_CAPACITY * FIELD_COUNT);
  /** By row: 1 where a field other than the body has the term. */
  private elsewhere = new Uint8Array(FIRST_CAPACITY);
  private highestTerm = 0;
  /** Per term number: its row in the passage at hand, plus one; cleared after each passage. */
  private rows: Uint32Array<ArrayBuffer>;

  /** `terms`: about how many term numbers there are; more is fine. */
  constructor(
    public firstPassage: number,
    terms = FIRST_CAPACITY,
  ) {
    this.rows = new Uint32Array(terms);
  }

  /** Empties it for the passages behind those it has; its memory is used again. */
  startNext(): void {
    this.firstPassage += this.passageCount;
    this.noteOf = [];
    this.bodyLength = [];
    this.otherLength = [];
    this.counts.fill(0, 0, this.size * FIELD_COUNT);
    this.elsewhere.fill(0, 0, this.size);
    this.size = 0;
  }

  get passageCount(): number {
    return this.noteOf.length;
  }

  get postingCount(): number {
    return this.size;
  }

  /** `KEY_BYTES` for each passage. */
  get passageKeys(): Uint8Array {
    return this.keys.subarray(0, this.passageCount * KEY_BYTES);
  }

  /** Adds the next passage; a head has no key. */
  add(note: number, fields: PassageTerms, key: Uint8Array): void {
    const passage = this.noteOf.length;
    this.keep(key, passage * KEY_BYTES);
    const firstRow = this.size;
    let body = 0;
    let other = 0;
    for (const [field, ids] of fields) {
      if (field === 'body') body += ids.length;
      else other += ids.length;
      const fieldIndex = FIELDS.indexOf(field);
      for (let i = 0; i < ids.length; i += 1) this.count(ids[i]!, passage, fieldIndex);
    }
    for (let row = firstRow; row < this.size; row += 1) this.rows[this.terms[row]!] = 0;
    this.noteOf.push(note);
    this.bodyLength.push(Math.min(body, MAX_LENGTH));
    this.otherLength.push(Math.min(other, MAX_LENGTH));
  }

  /** Encoded postings by rising term number. */
  postings(): SegmentPostings {
    const { terms, passages, counts, elsewhere, noteOf } = this;
    return new SegmentPostings(this.rowsByTerm(), { terms, passages, counts, elsewhere, noteOf });
  }

  private count(term: number, passage: number, field: number): void {
    if (term >= this.rows.length) this.rows = grown(this.rows, Math.max(this.rows.length * 2, term + 1));
    let row = this.rows[term]! - 1;
    if (row < 0) {
      if (this.size === this.terms.length) this.grow();
      row = this.size;
      this.size += 1;
      this.terms[row] = term;
      this.passages[row] = passage;
      this.rows[term] = row + 1;
      if (term > this.highestTerm) this.highestTerm = term;
    }
    if (field > 0) this.elsewhere[row] = 1;
    const at = row * FIELD_COUNT + field;
    if (this.counts[at]! < 255) this.counts[at]! += 1;
  }

  private keep(key: Uint8Array, at: number): void {
    if (at + KEY_BYTES > this.keys.length) {
      const larger = new Uint8Array(this.keys.length * 2);
      larger.set(this.keys);
      this.keys = larger;
    }
    this.keys.set(key.subarray(0, KEY_BYTES), at);
  }

  /** In the order of passages within a term. */
  private rowsByTerm(): Uint32Array {
    // A few rows are sorted faster than all terms of a vault are counted through.
    if (this.size * SMALL_SHARE < this.highestTerm) return this.fewRowsByTerm();
    const starts = new Uint32Array(this.highestTerm + 2);
    for (let row = 0; row < this.size; row += 1) starts[this.terms[row]! + 1]! += 1;
    for (let term = 0; term <= this.highestTerm; term += 1) starts[term + 1]! += starts[term]!;
    const order = new Uint32Array(this.size);
    for (let row = 0; row < this.size; row += 1) {
      const term = this.terms[row]!;
      order[starts[term]!] = row;
      starts[term]! += 1;
    }
    return order;
  }

  private fewRowsByTerm(): Uint32Array {
    // Both numbers as one: without a function that compares, an array sorts itself ten times as fast.
    const both = new Float64Array(this.size);
    for (let row = 0; row < this.size; row += 1) both[row] = this.terms[row]! * this.size + row;
    both.sort();
    const order = new Uint32Array(this.size);
    for (let at = 0; at < this.size; at += 1) order[at] = both[at]! % this.size;
    return order;
  }

  private grow(): void {
    const size = this.terms.length * 2;
    this.terms = grown(this.terms, size);
    this.passages = grown(this.passages, size);
    const counts = new Uint8Array(size * FIELD_COUNT);
    counts.set(this.counts);
    this.counts = counts;
    const elsewhere = new Uint8Array(size);
    elsewhere.set(this.elsewhere);
    this.elsewhere = elsewhere;
  }
}

type PostingColumns = {
  readonly terms: Uint32Array;
  readonly passages: Uint32Array;
  readonly counts: Uint8Array;
  readonly elsewhere: Uint8Array;
  readonly noteOf: readonly number[];
};

/** Goes from term to term. There are so many that an object for each would be felt. */
export class SegmentPostings {
  term = 0;
  /** How many hold the term. */
  notes = 0;
  /** Valid until the next step. */
  data = new Uint8Array(0);
  private at = 0;
  private readonly writer = new PostingsWriter();

  constructor(
    private readonly order: Uint32Array,
    private readonly columns: PostingColumns,
  ) {}

  /** False behind the last term. */
  next(): boolean {
    const { order, writer } = this;
    const { terms, passages, counts, elsewhere, noteOf } = this.columns;
    if (this.at === order.length) return false;
    const term = terms[order[this.at]!]!;
    writer.reset();
    let notes = 0;
    let previous = 0;
    for (; this.at < order.length && terms[order[this.at]!] === term; this.at += 1) {
      const row = order[this.at]!;
      const note = noteOf[passages[row]!]!;
      if (note !== previous) notes += 1;
      previous = note;
      if (elsewhere[row] === 0) writer.appendBody(passages[row]!, counts[row * FIELD_COUNT]!);
      else writer.append(passages[row]!, counts, row * FIELD_COUNT);
    }
    this.term = term;
    this.notes = notes;
    this.data = writer.finish();
    return true;
  }
}

function grown(array: Uint32Array<ArrayBuffer>, size: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(size);
  larger.set(array);
  return larger;
}
