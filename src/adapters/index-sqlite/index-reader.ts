/** All questions to the index. Filters over notes are note-query.ts. */

import type { IndexedLink, NoteDate } from '../../core/note/indexed-note.js';
import { passesPropertyTest } from '../../core/note/property-test.js';
import type { NamedNote } from '../../core/note/resolve-link.js';
import type { NoteCard, NoteFilter, StoredLink, StoredNote } from '../../core/note/stored-note.js';
import type { CheckRecord, KnownNote, NoteOrder, TagBearer } from '../../core/ports.js';
import {
  type CollectionShape,
  FIELD_COUNT,
  type Postings,
  type StoredPassage,
  type TermEvidence,
} from '../../core/retrieval/evidence.js';
import type { Database, Statement } from './native.js';
import { selectNotes } from './note-query.js';
import { countNotes } from './note-runs.js';
import { decodePostings } from './postings-codec.js';
import { namedTerms } from './term-sequence.js';

type Decoded = { readonly passages: Uint32Array; readonly counts: Uint8Array; readonly length: number };

const NO_POSTINGS: Postings = { passages: new Uint32Array(0), counts: new Uint8Array(0) };

type Segment = { readonly id: number; readonly first: number };

export class IndexReader {
  private readonly statements = new Map<string, Statement>();
  private cached:
    | {
        readonly version: string;
        readonly shape: CollectionShape;
        readonly segments: readonly Segment[];
        /** Whether postings may name passages that are gone. */
        readonly hasDead: boolean;
      }
    | undefined;
  private ownWrites = 0;

  constructor(private readonly database: Database) {}

  /** To be called after each write over the same connection, which SQLite's data_version does not show. */
  forgetCaches(): void {
    this.ownWrites += 1;
  }

  known(): ReadonlyMap<string, KnownNote> {
    const known = new Map<string, KnownNote>();
    const rows = this.prepare('SELECT path, size, mtime, ctime, inode, number, seen FROM notes')
      .raw()
      .all() as [string, number, number, number, number, number, number][];
    for (const [path, size, mtimeMs, ctimeMs, inode, number, seenMs] of rows) {
      known.set(path, { path, size, mtimeMs, ctimeMs, inode, number, seenMs });
    }
    return known;
  }

  hashes(paths: readonly string[]): ReadonlyMap<string, string> {
    const read = this.prepare('SELECT hash FROM notes WHERE path = ?').pluck();
    const found = new Map<string, string>();
    for (const path of paths) {
      const hash = read.get(path) as Uint8Array | undefined;
      if (hash) found.set(path, Buffer.from(hash).toString('hex'));
    }
    return found;
  }

  lastCheck(): CheckRecord | undefined {
    const json = this.prepare("SELECT value FROM meta WHERE key = 'check'").pluck().get() as
      | string
      | undefined;
    return json === undefined ? undefined : (JSON.parse(json) as CheckRecord);
  }

  counts(): { readonly notes: number; readonly passages: number; readonly links: number } {
    const count = (table: string) => this.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    const notes = count('notes');
    // The head of a note is no passage to a reader.
    return { notes, passages: count('passages') - notes, links: count('links') };
  }

  shape(): CollectionShape {
    return this.collection().shape;
  }

  lookUp(terms: readonly string[]): readonly TermEvidence[] {
    const { shape, segments, hasDead } = this.collection();
    const find = this.prepare('SELECT id FROM terms WHERE term = ?').pluck();
    return terms.map((term) => {
      const id = find.get(term) as number | undefined;
      if (id === undefined) return { term, noteFrequency: 0, postings: NO_POSTINGS };
      const decoded = () => this.decode(id, shape, segments);
      return hasDead
        ? fullEvidence(term, decoded(), shape)
        : lazyEvidence(term, this.countNotes(id, segments), decoded);
    });
  }

  private countNotes(id: number, segments: readonly Segment[]): number {
    const read = this.prepare('SELECT notes FROM postings WHERE segment = ? AND term = ?').pluck();
    let notes = 0;
    for (const segment of segments) notes += (read.get(segment.id, id) as number | undefined) ?? 0;
    return notes;
  }

  private decode(id: number, shape: CollectionShape, segments: readonly Segment[]): Decoded {
    const read = this.prepare('SELECT data FROM postings WHERE segment = ? AND term = ?').pluck();
    const parts: { readonly data: Uint8Array; readonly first: number }[] = [];
    let room = 0;
    for (const segment of segments) {
      const data = read.get(segment.id, id) as Uint8Array | undefined;
      if (data === undefined) continue;
      parts.push({ data, first: segment.first });
      room += data.length;
    }
    const passages = new Uint32Array(room);
    const counts = new Uint8Array(room * FIELD_COUNT);
    let length = 0;
    for (const { data, first } of parts) {
      length = decodePostings(data, first, shape.noteOf, passages, counts, length);
    }
    return { passages, counts, length };
  }

  expand(prefix: string, limit: number): readonly string[] {
    const { shape, segments, hasDead } = this.collection();
    const terms = this.prepare('SELECT term, id FROM terms WHERE term >= ? AND term < ?')
      .raw()
      .all(prefix, nextAfterPrefix(prefix)) as [string, number][];
    terms.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0));
    const live: string[] = [];
    for (const [term, id] of terms) {
      if (live.length === limit) break;
      // Terms of removed notes stay in the table until the next rebuild.
      const isLive = hasDead ? this.decode(id, shape, segments).length > 0 : this.hasPostings(id, segments);
      if (isLive) live.push(term);
    }
    return live;
  }

  private hasPostings(id: number, segments: readonly Segment[]): boolean {
    const find = this.prepare('SELECT 1 FROM postings WHERE segment = ? AND term = ?').pluck();
    return segments.some((segment) => find.get(segment.id, id) !== undefined);
  }

  passages(numbers: readonly number[], terms: readonly string[]): readonly StoredPassage[] {
    const findTerm = this.prepare('SELECT id FROM terms WHERE term = ?').pluck();
    const nameOf = new Map<number, string>();
    for (const term of terms) {
      const id = findTerm.get(term) as number | undefined;
      if (id !== undefined) nameOf.set(id, term);
    }
    const read = this.prepare(
      'SELECT number, note, ordinal, line, end_line, key, headings, terms, start, "end", level FROM passages WHERE number = ?',
    ).raw();
    const found: StoredPassage[] = [];
    for (const number of numbers) {
      const row = read.get(number) as
        | [number, number, number, number, number, Uint8Array, string, Uint8Array, number, number, number]
        | undefined;
      if (!row) continue;
      const fields = namedTerms(row[7], nameOf);
      found.push({
        number: row[0],
        note: row[1],
        ordinal: row[2],
        line: row[3],
        endLine: row[4],
        start: row[8],
        end: row[9],
        key: Buffer.from(row[5]).toString('hex'),
        headings: row[6] === '' ? [] : row[6].split('\n'),
        level: row[10],
        terms: fields,
      });
    }
    return found;
  }

  notes(numbers: readonly number[]): readonly NoteCard[] {
    const read = this.prepare(`SELECT ${CARD_COLUMNS} FROM notes n WHERE n.number = ?`).raw();
    return numbers.flatMap((number) => {
      const row = read.get(number) as CardRow | undefined;
      return row ? [noteCard(row)] : [];
    });
  }

  filter(filter: NoteFilter): Uint32Array | undefined {
    const query = this.narrow(filter);
    if (!query) return undefined;
    const numbers = this.database
      .prepare(`SELECT n.number FROM notes n WHERE ${query.where}`)
      .pluck()
      .all(...query.values) as number[];
    return Uint32Array.from(numbers);
  }

  findNotes(filter: NoteFilter, order?: NoteOrder): readonly StoredNote[] {
    const query = this.narrow(filter) ?? { where: '1', values: [] };
    const by = order ? `n.${order.newestBy}_from DESC, n.path LIMIT ${Math.trunc(order.limit)}` : 'n.path';
    const rows = this.database
      .prepare(
        `SELECT ${NOTE_COLUMNS} FROM notes n JOIN note_details d ON d.number = n.number
         WHERE ${query.where} ORDER BY ${by}`,
      )
      .raw()
      .all(...query.values) as NoteRow[];
    const properties = this.propertiesOf(rows.map(([number]) => number));
    return rows.map((row) => storedNote(row, properties.get(row[0]) ?? []));
  }

  /** By note, in one question where there are many. */
  private propertiesOf(numbers: readonly number[]): ReadonlyMap<number, readonly PropertyRow[]> {
    const found = new Map<number, PropertyRow[]>();
    const rows = this.prepare(
      `SELECT note, key, value FROM properties WHERE note IN (SELECT value FROM json_each(?)) ORDER BY note, ordinal`,
    )
      .raw()
      .all(JSON.stringify(numbers)) as [number, string, string][];
    for (const [note, key, value] of rows) {
      const known = found.get(note);
      if (known) known.push([key, value]);
      else found.set(note, [[key, value]]);
    }
    return found;
  }

  private narrow(filter: NoteFilter) {
    const inProperties = this.prepare('SELECT note, value FROM properties WHERE key = ?').raw();
    const inFields = this.prepare('SELECT note, value FROM fields WHERE key = ?').raw();
    const asked = (filter.where ?? []).map((test) => ({
      test,
      // Keys of fields have no spaces.
      rows: [...inProperties.all(test.key), ...inFields.all(test.key.replace(/\s+/g, '-'))],
    }));
    if (filter.type !== undefined) {
      // What type a note is, its properties say alone.
      const test = { key: 'type', operator: '=', value: filter.type } as const;
      asked.push({ test, rows: inProperties.all(test.key) });
    }
    return selectNotes(
      filter,
      asked.map(({ test, rows }) => {
        const values = new Map<number, string[]>();
        for (const [note, value] of rows as [number, string][]) {
          const known = values.get(note);
          if (known) known.push(value);
          else values.set(note, [value]);
        }
        const passesWithout = passesPropertyTest([], test);
        const listed: number[] = [];
        for (const [note, given] of values) {
          if (passesPropertyTest(given, test) !== passesWithout) listed.push(note);
        }
        return { isExcluded: passesWithout, notes: listed };
      }),
    );
  }

  links(filter: { readonly from?: number; readonly keys?: readonly string[] }): readonly StoredLink[] {
    const columns = 'note, key, kind, form, target, heading, block, shown, line, start, "end"';
    const rows: LinkRow[] = [];
    if (filter.from !== undefined) {
      rows.push(
        ...(this.prepare(`SELECT ${columns} FROM links WHERE note = ? ORDER BY ordinal`)
          .raw()
          .all(filter.from) as LinkRow[]),
      );
    }
    for (const key of filter.keys ?? []) {
      rows.push(
        ...(this.prepare(`SELECT ${columns} FROM links WHERE key = ? ORDER BY note, ordinal`)
          .raw()
          .all(key) as LinkRow[]),
      );
    }
    if (filter.from === undefined && filter.keys === undefined) {
      rows.push(
        ...(this.prepare(`SELECT ${columns} FROM links ORDER BY note, ordinal`).raw().all() as LinkRow[]),
      );
    }
    return rows.map(storedLink);
  }

  named(keys: readonly string[]): ReadonlyMap<string, readonly NamedNote[]> {
    const read = this.prepare(
      'SELECT n.path, s.kind FROM names s JOIN notes n ON n.number = s.note WHERE s.key = ? ORDER BY n.path',
    );
    return new Map(keys.map((key) => [key, read.all(key) as NamedNote[]]));
  }

  tagBearers(): readonly TagBearer[] {
    return this.prepare('SELECT tag, shown, note FROM tags').all() as TagBearer[];
  }

  private collection() {
    const version = `${String(this.database.pragma('data_version', { simple: true }))}/${this.ownWrites}`;
    if (this.cached?.version === version) return this.cached;
    const rows = this.prepare(
      `SELECT id, first_passage, passage_count, note_count, note_of, body_length, other_length
       FROM segments ORDER BY first_passage`,
    )
      .raw()
      .all() as [number, number, number, number, Uint8Array, Uint8Array, Uint8Array][];
    const last = rows[rows.length - 1];
    const size = last ? last[1] + last[2] : 0;
    const noteOf = new Uint32Array(size);
    const bodyLength = new Uint16Array(size);
    const otherLength = new Uint16Array(size);
    let noteCount = 0;
    for (const [, first, , notesInIt, notes, bodies, others] of rows) {
      copyBytes(notes, noteOf, first);
      copyBytes(bodies, bodyLength, first);
      copyBytes(others, otherLength, first);
      noteCount += notesInIt;
    }
    const dead = this.prepare('SELECT number FROM dead_passages').pluck().all() as number[];
    for (const number of dead) {
      noteOf[number] = 0;
      bodyLength[number] = 0;
      otherLength[number] = 0;
    }
    if (dead.length > 0) noteCount = countNotes(noteOf);
    const shape = { noteCount, noteOf, bodyLength, otherLength };
    const segments = rows.map(([id, first]) => ({ id, first }));
    this.cached = { version, shape, segments, hasDead: dead.length > 0 };
    return this.cached;
  }

  private prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) this.statements.set(sql, (statement = this.database.prepare(sql) as Statement));
    return statement;
  }
}

const CARD_COLUMNS = `n.number, n.path, n.title, n.aliases, n.size, n.mtime, n.ctime, n.inode,
  n.created, n.created_from, n.created_to, n.created_source`;
const NOTE_COLUMNS = `${CARD_COLUMNS}, n.updated, n.updated_from, n.updated_to, n.updated_source, n.hash, d.json`;

type DateColumns = [text: string, fromMs: number, toMs: number, source: NoteDate['source']];
type StampColumns = [size: number, mtimeMs: number, ctimeMs: number, inode: number];
type CardRow = [number, string, string, string, ...StampColumns, ...DateColumns];
type NoteRow = [...CardRow, ...DateColumns, hash: Uint8Array, json: string];
type PropertyRow = readonly [key: string, value: string];

/** What note-rows.ts keeps as JSON. */
type NoteDetails = Pick<StoredNote, 'titleSource' | 'tags' | 'flags' | 'factIds'>;

function noteCard(row: CardRow): NoteCard {
  const [number, path, title, aliases, size, mtimeMs, ctimeMs, inode, ...created] = row;
  return {
    number,
    path,
    title,
    aliases: JSON.parse(aliases) as readonly string[],
    stamp: { size, mtimeMs, ctimeMs, inode },
    created: dateOf(created),
  };
}

function storedNote(row: NoteRow, properties: readonly PropertyRow[]): StoredNote {
  const [hash, json] = row.slice(-2) as [Uint8Array, string];
  return {
    ...noteCard(row.slice(0, 12) as CardRow),
    ...(JSON.parse(json) as NoteDetails),
    updated: dateOf(row.slice(12, 16) as DateColumns),
    hash: Buffer.from(hash).toString('hex'),
    properties: groupByKey(properties),
  };
}

function dateOf([text, fromMs, toMs, source]: DateColumns): NoteDate {
  return { text, fromMs, toMs, source };
}

function groupByKey(rows: readonly PropertyRow[]): StoredNote['properties'] {
  const groups = new Map<string, string[]>();
  for (const [key, value] of rows) {
    const values = groups.get(key);
    if (values) values.push(value);
    else groups.set(key, [value]);
  }
  return [...groups];
}

type LinkRow = [
  number,
  string,
  IndexedLink['kind'],
  IndexedLink['form'],
  string,
  string,
  string,
  string,
  number,
  number,
  number,
];

function storedLink(row: LinkRow): StoredLink {
  const [from, targetKey, kind, form, target, heading, block, shown, line, start, end] = row;
  return { from, targetKey, kind, form, target, heading, block, shown, line, start, end };
}

function fullEvidence(term: string, decoded: Decoded, { noteOf }: CollectionShape): TermEvidence {
  return { term, noteFrequency: countOwners(decoded, noteOf), postings: postingsOf(decoded) };
}

/** The postings of the commonest words are large and often not looked at. */
function lazyEvidence(term: string, noteFrequency: number, decode: () => Decoded): TermEvidence {
  let postings: Postings | undefined;
  return {
    term,
    noteFrequency,
    get postings() {
      postings ??= postingsOf(decode());
      return postings;
    },
  };
}

function postingsOf({ passages, counts, length }: Decoded): Postings {
  return { passages: passages.subarray(0, length), counts: counts.subarray(0, length * FIELD_COUNT) };
}

/** Notes that hold the passages, which stand in rising order. */
function countOwners({ passages, length }: Decoded, noteOf: Uint32Array): number {
  let notes = 0;
  let previous = 0;
  for (let i = 0; i < length; i += 1) {
    const note = noteOf[passages[i]!]!;
    if (note !== previous) notes += 1;
    previous = note;
  }
  return notes;
}

/** Copies a blob to its place among the numbers, whatever its own address. */
function copyBytes(bytes: Uint8Array, to: Uint32Array | Uint16Array, at: number): void {
  new Uint8Array(to.buffer, to.byteOffset).set(bytes, at * to.BYTES_PER_ELEMENT);
}

/** The least string above all that start with `prefix`, in SQLite's byte order of UTF-8. */
function nextAfterPrefix(prefix: string): string {
  return `${prefix}\u{10FFFF}`;
}
