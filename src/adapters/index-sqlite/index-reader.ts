/** Questions about notes, links and tags. Filters over notes are note-query.ts; what ranking asks is evidence-reader.ts. */

import type { IndexedLink, NoteDate } from '../../core/note/indexed-note.js';
import { passesPropertyTest } from '../../core/note/property-test.js';
import type { NamedNote } from '../../core/note/resolve-link.js';
import type { NoteCard, NoteFilter, StoredLink, StoredNote } from '../../core/note/stored-note.js';
import type { CheckRecord, KnownNote, NoteOrder, TagBearer, UnsettledFiles } from '../../core/ports.js';
import type { Calibration } from '../../core/retrieval/bands.js';
import { type Database, prepareOnce, type Statement } from './native.js';
import { noteCount } from './note-count.js';
import { selectNotes } from './note-query.js';
import { placesBeside } from './settled-marks.js';

/** In the table `meta`. */
export function calibrationKey(fingerprint: string): string {
  return `calibration ${fingerprint}`;
}

/** In the table `meta`: the marks of settled files. */
export const SETTLED_KEY = 'settled';

export class IndexReader {
  private readonly prepare: (sql: string) => Statement;

  private cachedKnown:
    | { readonly version: number; readonly known: WeakRef<ReadonlyMap<string, KnownNote>> }
    | undefined;

  constructor(private readonly database: Database) {
    this.prepare = prepareOnce(database);
  }

  /** To be called after each write over the same connection, which SQLite's data_version does not show. */
  forgetCaches(): void {
    this.cachedKnown = undefined;
  }

  /** A run asks before it takes the lock and again after; between two runs nobody holds the answer. */
  known(): ReadonlyMap<string, KnownNote> {
    const version = Number(this.database.pragma('data_version', { simple: true }));
    const cached = this.cachedKnown?.version === version ? this.cachedKnown.known.deref() : undefined;
    if (cached) return cached;
    const known = this.readKnown();
    this.cachedKnown = { version, known: new WeakRef(known) };
    return known;
  }

  private readKnown(): ReadonlyMap<string, KnownNote> {
    return knownFrom(this.prepare(`SELECT ${KNOWN_COLUMNS} FROM notes`).raw().all() as KnownRow[]);
  }

  knownAt(paths: readonly string[]): ReadonlyMap<string, KnownNote> {
    const read = this.prepare(`SELECT ${KNOWN_COLUMNS} FROM notes WHERE path = ?`).raw();
    return knownFrom(paths.flatMap((path) => read.all(path) as KnownRow[]));
  }

  unsettled(marks: Float64Array): UnsettledFiles | undefined {
    const bytes = this.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(SETTLED_KEY) as
      | Uint8Array
      | undefined;
    if (bytes === undefined) return undefined;
    const settled = new Float64Array(Math.floor(bytes.length / Float64Array.BYTES_PER_ELEMENT));
    new Uint8Array(settled.buffer).set(bytes.subarray(0, settled.byteLength));
    return { places: placesBeside(marks, settled), notes: noteCount(this.prepare) };
  }

  hashes(paths: readonly string[]): ReadonlyMap<string, string> {
    const read = this.prepare('SELECT lower(hex(hash)) FROM notes WHERE path = ?').pluck();
    const found = new Map<string, string>();
    for (const path of paths) {
      const hash = read.get(path) as string | undefined;
      if (hash) found.set(path, hash);
    }
    return found;
  }

  lastCheck(): CheckRecord | undefined {
    const json = this.prepare("SELECT value FROM meta WHERE key = 'check'").pluck().get() as
      | string
      | undefined;
    return json === undefined ? undefined : (JSON.parse(json) as CheckRecord);
  }

  calibration(fingerprint: string): Calibration | undefined {
    const key = calibrationKey(fingerprint);
    const json = this.prepare('SELECT value FROM meta WHERE key = ?').pluck().get(key) as string | undefined;
    return json === undefined ? undefined : (JSON.parse(json) as Calibration);
  }

  counts(): { readonly notes: number; readonly passages: number; readonly links: number } {
    const count = (table: string) => this.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    const notes = noteCount(this.prepare);
    // The head of a note is no passage to a reader.
    return { notes, passages: count('passages') - notes, links: count('links') };
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
}

const KNOWN_COLUMNS = 'path, size, mtime, ctime, inode, number, seen';

type KnownRow = readonly [string, number, number, number, number, number, number];

function knownFrom(rows: readonly KnownRow[]): ReadonlyMap<string, KnownNote> {
  const known = new Map<string, KnownNote>();
  for (const [path, size, mtimeMs, ctimeMs, inode, number, seenMs] of rows) {
    known.set(path, { path, size, mtimeMs, ctimeMs, inode, number, seenMs });
  }
  return known;
}

const CARD_COLUMNS = `n.number, n.path, n.title, n.aliases, n.size, n.mtime, n.ctime, n.inode,
  n.created, n.created_from, n.created_to, n.created_source`;
const NOTE_COLUMNS = `${CARD_COLUMNS}, n.updated, n.updated_from, n.updated_to, n.updated_source, lower(hex(n.hash)), d.json`;

type DateColumns = [text: string, fromMs: number, toMs: number, source: NoteDate['source']];
type StampColumns = [size: number, mtimeMs: number, ctimeMs: number, inode: number];
type CardRow = [number, string, string, string, ...StampColumns, ...DateColumns];
type NoteRow = [...CardRow, ...DateColumns, hash: string, json: string];
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
  const [hash, json] = row.slice(-2) as [string, string];
  return {
    ...noteCard(row.slice(0, 12) as CardRow),
    ...(JSON.parse(json) as NoteDetails),
    updated: dateOf(row.slice(12, 16) as DateColumns),
    hash,
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
