/** Writes and removes the rows of one note: everything but postings, which segment-builder.ts gathers. */

import type {
  IndexedNote,
  IndexedPassage,
  MovedNote,
  NoteDate,
  NoteHead,
} from '../../core/note/indexed-note.js';
import { lookupKey, stemKey } from '../../core/note/lookup-key.js';
import type { Steps } from '../../core/turns.js';
import type { Database } from './native.js';
import type { PassageTerms, SegmentBuilder } from './segment-builder.js';
import type { TermNumbers } from './term-numbers.js';
import { decodeTermSequence, encodeTermSequence } from './term-sequence.js';

/** Passages of one note between two stops. */
const PASSAGES_AT_ONCE = 128;

export class NoteRows {
  private readonly insertNote;
  private readonly insertDetails;
  private readonly insertName;
  private readonly insertTag;
  private readonly insertProperty;
  private readonly insertField;
  private readonly insertLink;
  private readonly insertPassage;

  constructor(
    database: Database,
    private readonly numbers: TermNumbers,
  ) {
    this.insertNote = database.prepare(`INSERT INTO notes VALUES (${Array(20).fill('?').join(', ')})`);
    this.insertDetails = database.prepare('INSERT INTO note_details VALUES (?, ?)');
    this.insertName = database.prepare('INSERT OR IGNORE INTO names VALUES (?, ?, ?)');
    this.insertTag = database.prepare('INSERT OR IGNORE INTO tags VALUES (?, ?, ?)');
    this.insertProperty = database.prepare('INSERT INTO properties VALUES (?, ?, ?, ?)');
    this.insertField = database.prepare('INSERT INTO fields VALUES (?, ?, ?, ?)');
    this.insertLink = database.prepare('INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.insertPassage = database.prepare('INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  /** `held`: the term sequences of passages that the note had before, by key; equal passages have equal terms. */
  *insert(
    number: number,
    note: IndexedNote,
    seenMs: number,
    segment: SegmentBuilder,
    held?: ReadonlyMap<string, Uint8Array>,
  ): Steps<void> {
    this.insertRow(number, note, seenMs, segment, {
      hash: Buffer.from(note.hash, 'hex'),
      aliases: JSON.stringify(note.aliases),
      passageCount: note.passages.length + 1,
    });
    this.insertDetails.run(
      number,
      JSON.stringify({
        tags: note.tags,
        titleSource: note.titleSource,
        flags: note.flags,
        factIds: note.factIds,
      }),
    );
    this.insertNames(number, note);
    for (const tag of note.tags) this.insertTag.run(number, lookupKey(tag), tag);
    let ordinal = 0;
    for (const [key, values] of note.properties) {
      for (const value of values) this.insertProperty.run(number, ordinal++, lookupKey(key), value);
    }
    ordinal = 0;
    for (const [key, values] of note.fields) {
      for (const value of values) this.insertField.run(number, ordinal++, key, value);
    }
    note.links.forEach((link, index) => {
      this.insertLink.run(
        number,
        index,
        link.targetKey,
        link.kind,
        link.form,
        link.target,
        link.heading,
        link.block,
        link.shown,
        link.line,
        link.start,
        link.end,
      );
    });

    this.insertHead(number, note.head, segment);
    for (const [index, passage] of note.passages.entries()) {
      this.insertText(number, index + 1, passage, segment, held?.get(passage.key));
      if (index % PASSAGES_AT_ONCE === PASSAGES_AT_ONCE - 1) yield;
    }
  }

  /** What depends on the path or was read again with it; the passages get new numbers, their terms stay. */
  *insertMoved(
    number: number,
    note: MovedNote,
    left: LeftNote,
    seenMs: number,
    segment: SegmentBuilder,
  ): Steps<void> {
    this.insertRow(number, note, seenMs, segment, { ...left, passageCount: left.passages.length });
    const details = JSON.parse(left.details) as Record<string, unknown>;
    this.insertDetails.run(number, JSON.stringify({ ...details, titleSource: note.titleSource }));
    this.insertNames(number, { ...note, aliases: JSON.parse(left.aliases) as readonly string[] });
    const [, , headEndLine, headStart, headEnd] = left.passages[0]!;
    this.insertHead(number, { ...note.head, endLine: headEndLine, start: headStart, end: headEnd }, segment);
    for (const [index, columns] of left.passages.entries()) {
      if (index === 0) continue;
      if (index % PASSAGES_AT_ONCE === 0) yield;
      const passage = segment.firstPassage + segment.passageCount;
      this.insertPassage.run(passage, number, ...columns);
      segment.add(number, termsOfText(columns[9]), columns[6]);
    }
  }

  private insertRow(
    number: number,
    { stamp, title, created, updated }: Pick<IndexedNote, 'stamp' | 'title' | 'created' | 'updated'>,
    seenMs: number,
    segment: SegmentBuilder,
    text: Pick<LeftNote, 'hash' | 'aliases'> & { readonly passageCount: number },
  ): void {
    this.insertNote.run(
      number,
      stamp.path,
      stamp.size,
      stamp.mtimeMs,
      stamp.ctimeMs,
      stamp.inode,
      seenMs,
      text.hash,
      segment.firstPassage + segment.passageCount,
      text.passageCount,
      title,
      text.aliases,
      ...dateColumns(created),
      ...dateColumns(updated),
    );
  }

  private insertNames(number: number, note: Pick<IndexedNote, 'stamp' | 'title' | 'aliases'>): void {
    const stem = stemKey(note.stamp.path);
    this.insertName.run(number, 'stem', stem);
    const title = lookupKey(note.title);
    if (title !== stem) this.insertName.run(number, 'title', title);
    for (const alias of note.aliases) this.insertName.run(number, 'alias', lookupKey(alias));
  }

  private insertHead(number: number, head: NoteHead, segment: SegmentBuilder): void {
    const terms: PassageTerms = [
      ['title', this.numbers.of(head.titleTerms)],
      ['aliases', this.numbers.of(head.aliasTerms)],
      ['tags', this.numbers.of(head.tagTerms)],
      ['name', this.numbers.of(head.nameTerms)],
      ['body', this.numbers.of(head.propertyTerms)],
    ];
    const passage = segment.firstPassage + segment.passageCount;
    const sequence = encodeTermSequence(terms.map(([, ids]) => ids));
    this.insertPassage.run(
      passage,
      number,
      0,
      1,
      Math.max(1, head.endLine),
      head.start,
      head.end,
      EMPTY,
      EMPTY,
      '',
      0,
      sequence,
    );
    segment.add(number, terms, EMPTY);
  }

  private insertText(
    number: number,
    ordinal: number,
    source: IndexedPassage,
    segment: SegmentBuilder,
    held: Uint8Array | undefined,
  ): void {
    const terms: PassageTerms = held
      ? termsOfText(held)
      : [
          ['body', this.numbers.of(source.bodyTerms)],
          ['headings', this.numbers.of(source.headingTerms)],
        ];
    const passage = segment.firstPassage + segment.passageCount;
    const vectorKey = Buffer.from(source.vectorKey, 'hex');
    this.insertPassage.run(
      passage,
      number,
      ordinal,
      source.line,
      source.endLine,
      source.start,
      source.end,
      Buffer.from(source.key, 'hex'),
      vectorKey,
      source.headings.join('\n'),
      source.level,
      held ?? encodeTermSequence(terms.map(([, ids]) => ids)),
    );
    segment.add(number, terms, vectorKey);
  }
}

/** Of the sequence that is kept of a passage of the text. */
function termsOfText(sequence: Uint8Array): PassageTerms {
  const [body, headings] = decodeTermSequence(sequence);
  return [
    ['body', body ?? NO_TERMS],
    ['headings', headings ?? NO_TERMS],
  ];
}

type PassageColumns = readonly [
  ordinal: number,
  line: number,
  endLine: number,
  start: number,
  end: number,
  key: Uint8Array,
  vectorKey: Uint8Array,
  headings: string,
  level: number,
  terms: Uint8Array,
];

/** What the database still holds of a note that moves. */
export type LeftNote = {
  readonly hash: Uint8Array;
  /** As JSON. */
  readonly aliases: string;
  readonly details: string;
  /** The columns of passages behind its number and note; the head first. */
  readonly passages: readonly PassageColumns[];
};

const NO_TERMS = new Uint32Array(0);
const EMPTY = new Uint8Array(0);

export function dateColumns({
  text,
  fromMs,
  toMs,
  source,
}: NoteDate): readonly [string, number, number, string] {
  return [text, fromMs, toMs, source];
}
