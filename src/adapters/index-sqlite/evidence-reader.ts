/** What ranking asks of the index: sizes, postings and passages. Questions about notes are index-reader.ts. */

import {
  type CollectionShape,
  KEY_BYTES,
  type StoredPassage,
  type TermEvidence,
} from '../../core/retrieval/evidence.js';
import { type PostingsRun, readPostings } from '../../core/retrieval/postings.js';
import { type Database, prepareOnce, type Statement } from './native.js';
import { noteCount } from './note-count.js';
import { placedTerms } from './term-sequence.js';

type Segment = { readonly id: number; readonly first: number };

type SegmentRow = [
  id: number,
  first: number,
  passages: number,
  noteOf: Uint8Array,
  bodyLength: Uint8Array,
  otherLength: Uint8Array,
];

type PassageRow = [
  number: number,
  note: number,
  ordinal: number,
  line: number,
  endLine: number,
  key: string,
  headings: string,
  terms: Uint8Array,
  start: number,
  end: number,
  level: number,
];

/** Numbers that passages have or had, heads among them, and notes. */
export type CollectionSizes = { readonly passages: number; readonly notes: number };

/** The collection as it was read, good until the database changes. */
type Snapshot = {
  readonly version: string;
  readonly shape: CollectionShape;
  readonly segments: readonly Segment[];
  /** Passages that are gone, which postings may still name. */
  readonly dead: readonly number[];
  /** What was looked up: in a process that answers many queries the same words come again. */
  readonly evidence: Map<string, TermEvidence>;
  readonly expansions: Map<string, readonly string[]>;
};

/** Of postings that are kept for later queries; then all are forgotten. */
const MOST_BYTES_KEPT = 4_000_000;
const MOST_TERMS_KEPT = 4_096;

export class EvidenceReader {
  private readonly prepare: (sql: string) => Statement;
  private cached: Snapshot | undefined;
  private cachedKeys: { readonly version: string; readonly keys: Uint8Array } | undefined;
  private ownWrites = 0;
  private bytesKept = 0;

  constructor(private readonly database: Database) {
    this.prepare = prepareOnce(database);
  }

  /** To be called after each write over the same connection, which SQLite's data_version does not show. */
  forgetCaches(): void {
    this.ownWrites += 1;
  }

  /** Another one after each write. */
  version(): string {
    return `${String(this.database.pragma('data_version', { simple: true }))}/${this.ownWrites}`;
  }

  shape(): CollectionShape {
    return this.snapshot().shape;
  }

  lookUp(terms: readonly string[]): readonly TermEvidence[] {
    const snapshot = this.snapshot();
    const { evidence } = snapshot;
    if (this.bytesKept > MOST_BYTES_KEPT || evidence.size > MOST_TERMS_KEPT) {
      evidence.clear();
      this.bytesKept = 0;
    }
    return terms.map((term) => {
      const known = evidence.get(term);
      if (known !== undefined) return known;
      const found = this.findEvidence(term, snapshot);
      evidence.set(term, found);
      return found;
    });
  }

  private findEvidence(term: string, { segments, dead }: Snapshot): TermEvidence {
    const find = this.prepare('SELECT id FROM terms WHERE term = ?').pluck();
    const id = find.get(term) as number | undefined;
    if (id === undefined) return { term, noteFrequency: 0, postings: [] };
    const noteFrequency = dead.length > 0 ? undefined : this.countNotes(id, segments);
    return lazyEvidence(term, noteFrequency, () => {
      const runs = this.runs(id, segments);
      for (const { bytes } of runs) this.bytesKept += bytes.length;
      return runs;
    });
  }

  expand(prefix: string, limit: number): readonly string[] {
    const { shape, segments, dead, expansions } = this.snapshot();
    const asked = `${limit} ${prefix}`;
    const known = expansions.get(asked);
    if (known !== undefined) return known;
    const terms = this.prepare('SELECT term, id FROM terms WHERE term >= ? AND term < ?')
      .raw()
      .all(prefix, nextAfterPrefix(prefix)) as [string, number][];
    terms.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0));
    const live: string[] = [];
    for (const [term, id] of terms) {
      if (live.length === limit) break;
      // Terms of removed notes stay in the table until the next rebuild.
      if (dead.length > 0 ? isHeld(this.runs(id, segments), shape) : this.hasPostings(id, segments))
        live.push(term);
    }
    if (expansions.size > MOST_TERMS_KEPT) expansions.clear();
    expansions.set(asked, live);
    return live;
  }

  passages(numbers: readonly number[], terms: readonly string[]): readonly StoredPassage[] {
    const findTerm = this.prepare('SELECT id FROM terms WHERE term = ?').pluck();
    const nameOf = new Map<number, string>();
    for (const term of terms) {
      const id = findTerm.get(term) as number | undefined;
      if (id !== undefined) nameOf.set(id, term);
    }
    const read = this.prepare(
      'SELECT number, note, ordinal, line, end_line, lower(hex(key)), headings, terms, start, "end", level FROM passages WHERE number = ?',
    ).raw();
    const found: StoredPassage[] = [];
    for (const number of numbers) {
      const row = read.get(number) as PassageRow | undefined;
      if (row) found.push(storedPassage(row, nameOf));
    }
    return found;
  }

  /** Those of the shape, without reading all of it. */
  sizes(): CollectionSizes {
    const passages = this.prepare('SELECT max(first_passage + passage_count) FROM segments').pluck().get();
    return { passages: Number(passages ?? 0), notes: noteCount(this.prepare) };
  }

  /** `KEY_BYTES` for each passage number of the shape, all zero for heads and holes. The same while nothing changes. */
  passageKeys(): Uint8Array {
    const { shape, version } = this.snapshot();
    if (this.cachedKeys?.version === version) return this.cachedKeys.keys;
    const keys = new Uint8Array(shape.noteOf.length * KEY_BYTES);
    const rows = this.prepare('SELECT first_passage, keys FROM segments').raw().all() as [
      number,
      Uint8Array,
    ][];
    for (const [first, bytes] of rows) keys.set(bytes, first * KEY_BYTES);
    for (const number of this.snapshot().dead) keys.fill(0, number * KEY_BYTES, (number + 1) * KEY_BYTES);
    this.cachedKeys = { version, keys };
    return keys;
  }

  private countNotes(id: number, segments: readonly Segment[]): number {
    return this.ofTerm('sum(notes)', segments).pluck().get(id) as number;
  }

  private runs(id: number, segments: readonly Segment[]): readonly PostingsRun[] {
    const rows = this.ofTerm('segment, data', segments).raw().all(id) as [number, Uint8Array][];
    const found = new Map(rows);
    return segments.flatMap(({ id: segment, first }) => {
      const bytes = found.get(segment);
      return bytes === undefined ? [] : [{ bytes, before: first }];
    });
  }

  private hasPostings(id: number, segments: readonly Segment[]): boolean {
    return this.ofTerm('1', segments).pluck().get(id) !== undefined;
  }

  /** One question for all segments: asking each costs a process that has just started several milliseconds. */
  private ofTerm(columns: string, segments: readonly Segment[]): Statement {
    const ids = segments.map(({ id }) => id).join(',');
    return this.prepare(`SELECT ${columns} FROM postings WHERE segment IN (${ids}) AND term = ?`);
  }

  private snapshot(): Snapshot {
    const version = this.version();
    if (this.cached?.version === version) return this.cached;
    const rows = this.prepare(
      `SELECT id, first_passage, passage_count, note_of, body_length, other_length
       FROM segments ORDER BY first_passage`,
    )
      .raw()
      .all() as SegmentRow[];
    const last = rows[rows.length - 1];
    const size = last ? last[1] + last[2] : 0;
    const noteOf = new Uint32Array(size);
    const bodyLength = new Uint16Array(size);
    const otherLength = new Uint16Array(size);
    for (const [, first, , notes, bodies, others] of rows) {
      copyBytes(notes, noteOf, first);
      copyBytes(bodies, bodyLength, first);
      copyBytes(others, otherLength, first);
    }
    const dead = this.prepare('SELECT number FROM dead_passages').pluck().all() as number[];
    for (const number of dead) {
      noteOf[number] = 0;
      bodyLength[number] = 0;
      otherLength[number] = 0;
    }
    const shape = { noteCount: noteCount(this.prepare), noteOf, bodyLength, otherLength };
    const segments = rows.map(([id, first]) => ({ id, first }));
    this.cached = { version, shape, segments, dead, evidence: new Map(), expansions: new Map() };
    this.bytesKept = 0;
    return this.cached;
  }
}

/** The postings of the commonest words are large and often not looked at. */
function lazyEvidence(
  term: string,
  noteFrequency: number | undefined,
  read: () => readonly PostingsRun[],
): TermEvidence {
  let postings: readonly PostingsRun[] | undefined;
  return {
    term,
    noteFrequency,
    get postings() {
      postings ??= read();
      return postings;
    },
  };
}

/** Whether a passage that is still there holds the term. */
function isHeld(runs: readonly PostingsRun[], { noteOf }: CollectionShape): boolean {
  let held = false;
  for (const run of runs) {
    readPostings(run, (passage) => {
      held ||= (noteOf[passage] ?? 0) !== 0;
    });
  }
  return held;
}

function storedPassage(row: PassageRow, nameOf: ReadonlyMap<number, string>): StoredPassage {
  const [number, note, ordinal, line, endLine, key, headings, terms, start, end, level] = row;
  return {
    number,
    note,
    ordinal,
    line,
    endLine,
    start,
    end,
    key,
    headings: headings === '' ? [] : headings.split('\n'),
    level,
    terms: nameOf.size === 0 ? [] : placedTerms(terms, nameOf),
  };
}

/** Copies a blob to its place among the numbers, whatever its own address. */
function copyBytes(bytes: Uint8Array, to: Uint32Array | Uint16Array, at: number): void {
  new Uint8Array(to.buffer, to.byteOffset).set(bytes, at * to.BYTES_PER_ELEMENT);
}

/** The least string above all that start with `prefix`, in SQLite's byte order of UTF-8. */
function nextAfterPrefix(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}
