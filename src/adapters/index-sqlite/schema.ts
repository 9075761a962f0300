/** The tables of the index and the number of their shape. Files of another number are another generation, never migrated. */

/** Counts up with every change to the tables, the codecs, or what core puts into them. */
export const SCHEMA = 4;

/** SQLite's application id of our files ("AMem"). */
export const APPLICATION_ID = 0x414d656d;

export const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE notes (
  number INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  size INTEGER NOT NULL, mtime REAL NOT NULL, ctime REAL NOT NULL, inode REAL NOT NULL,
  seen REAL NOT NULL,          -- when the bytes were read, milliseconds since 1970
  hash BLOB NOT NULL,
  first_passage INTEGER NOT NULL, passage_count INTEGER NOT NULL,
  title TEXT NOT NULL,
  aliases TEXT NOT NULL,       -- a JSON list
  created TEXT NOT NULL, created_from REAL NOT NULL, created_to REAL NOT NULL, created_source TEXT NOT NULL,
  updated TEXT NOT NULL, updated_from REAL NOT NULL, updated_to REAL NOT NULL, updated_source TEXT NOT NULL
);
CREATE TABLE note_details (number INTEGER PRIMARY KEY, json TEXT NOT NULL);

-- What a note answers to: file stem, title and aliases, folded by core (note/lookup-key.ts).
CREATE TABLE names (note INTEGER, kind TEXT, key TEXT, PRIMARY KEY (note, kind, key)) WITHOUT ROWID;
CREATE TABLE tags (note INTEGER, tag TEXT, shown TEXT, PRIMARY KEY (note, tag)) WITHOUT ROWID;
CREATE TABLE properties (note INTEGER, ordinal INTEGER, key TEXT, value TEXT, PRIMARY KEY (key, note, ordinal)) WITHOUT ROWID;
-- Inline fields: like properties, but that they say nothing of the note's type and are no part of its head.
CREATE TABLE fields (note INTEGER, ordinal INTEGER, key TEXT, value TEXT, PRIMARY KEY (key, note, ordinal)) WITHOUT ROWID;
CREATE TABLE links (
  note INTEGER, ordinal INTEGER,
  key TEXT NOT NULL, kind TEXT NOT NULL, form TEXT NOT NULL, target TEXT NOT NULL,
  heading TEXT NOT NULL, block TEXT NOT NULL, shown TEXT NOT NULL,
  line INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  PRIMARY KEY (note, ordinal)
) WITHOUT ROWID;

CREATE TABLE passages (
  number INTEGER PRIMARY KEY,
  note INTEGER NOT NULL, ordinal INTEGER NOT NULL,
  line INTEGER NOT NULL, end_line INTEGER NOT NULL,
  start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  key BLOB NOT NULL, vector_key BLOB NOT NULL, headings TEXT NOT NULL, level INTEGER NOT NULL,
  terms BLOB NOT NULL          -- term numbers in the order of the text (term-sequence.ts)
);

CREATE TABLE terms (term TEXT PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;

-- A segment holds the postings of one run of passages; small ones are merged later (segments.ts).
CREATE TABLE segments (
  id INTEGER PRIMARY KEY,
  first_passage INTEGER NOT NULL, passage_count INTEGER NOT NULL,
  note_of BLOB NOT NULL, body_length BLOB NOT NULL, other_length BLOB NOT NULL,
  keys BLOB NOT NULL            -- vector_key of each passage
);
CREATE TABLE postings (
  segment INTEGER NOT NULL, term INTEGER NOT NULL,
  notes INTEGER NOT NULL,       -- that hold the term; dead_passages lessen it
  data BLOB NOT NULL,
  PRIMARY KEY (segment, term)
) WITHOUT ROWID;

-- Passages of replaced and removed notes whose postings still stand in a segment.
CREATE TABLE dead_passages (number INTEGER PRIMARY KEY);
`;

/** Made after a bulk load, when sorting once is cheaper than keeping order. */
export const INDEXES = [
  'CREATE UNIQUE INDEX notes_by_path ON notes (path)',
  'CREATE INDEX names_by_key ON names (key)',
  'CREATE INDEX tags_by_tag ON tags (tag)',
  'CREATE INDEX properties_by_note ON properties (note)',
  'CREATE INDEX fields_by_note ON fields (note)',
  'CREATE INDEX links_by_key ON links (key)',
] as const;
