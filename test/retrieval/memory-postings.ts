/** An index in memory: evidence made from notes at hand, in plain JavaScript. Numbers follow the order of the notes. */

import type { IndexedNote, NoteHead, TermList } from '../../src/core/note/indexed-note.js';
import {
  type CollectionShape,
  FIELD_COUNT,
  FIELDS,
  type StoredPassage,
  type TermEvidence,
} from '../../src/core/retrieval/evidence.js';
import type { RankingIndex } from '../../src/core/retrieval/gather.js';
import { PostingsWriter } from '../../src/core/retrieval/postings.js';
import { termsOf } from '../../src/core/text/terms.js';

/** What postings are made from; an IndexedNote is one. */
export type PostedNote = Pick<IndexedNote, 'title' | 'aliases' | 'passages'> & {
  readonly stamp: { readonly path: string };
  readonly head: Omit<NoteHead, 'start' | 'end' | 'endLine'>;
};

type GrowingPostings = { readonly passages: number[]; readonly counts: number[] };

const [BODY, HEADINGS, TITLE, ALIASES, TAGS, NAME] = FIELDS.map((_, index) => index) as [
  number,
  number,
  number,
  number,
  number,
  number,
];

export function buildMemoryPostings(notes: readonly PostedNote[]): RankingIndex {
  const terms = new Map<string, GrowingPostings>();
  const stored: StoredPassage[] = [];
  const noteOf: number[] = [0];
  const bodyLength: number[] = [0];
  const otherLength: number[] = [0];

  const addPassage = (
    note: number,
    fields: readonly (readonly [field: number, terms: readonly string[]])[],
  ) => {
    const number = noteOf.length;
    noteOf.push(note);
    let body = 0;
    let other = 0;
    for (const [field, fieldTerms] of fields) {
      if (field === BODY) body += fieldTerms.length;
      else other += fieldTerms.length;
      for (const term of fieldTerms) count(terms, term, number, field);
    }
    bodyLength.push(Math.min(body, 65_535));
    otherLength.push(Math.min(other, 65_535));
    return number;
  };

  notes.forEach(({ head, passages }, index) => {
    const note = index + 1;
    const headFields = [
      [BODY, namesOf(head.propertyTerms)],
      [TITLE, namesOf(head.titleTerms)],
      [ALIASES, namesOf(head.aliasTerms)],
      [TAGS, namesOf(head.tagTerms)],
      [NAME, namesOf(head.nameTerms)],
    ] as const;
    const number = addPassage(note, headFields);
    stored[number] = storedPassage(
      number,
      note,
      0,
      headFields.map(([, fieldTerms]) => fieldTerms),
    );
    passages.forEach((passage, at) => {
      const bodyNumber = addPassage(note, [
        [BODY, namesOf(passage.bodyTerms)],
        [HEADINGS, namesOf(passage.headingTerms)],
      ]);
      stored[bodyNumber] = {
        ...storedPassage(bodyNumber, note, at + 1, [
          namesOf(passage.bodyTerms),
          namesOf(passage.headingTerms),
        ]),
        line: passage.line,
        endLine: passage.endLine,
        start: passage.start,
        end: passage.end,
        headings: passage.headings,
        level: passage.level,
        key: passage.key,
      };
    });
  });

  const shape: CollectionShape = {
    noteCount: notes.length,
    noteOf: Uint32Array.from(noteOf),
    bodyLength: Uint16Array.from(bodyLength),
    otherLength: Uint16Array.from(otherLength),
  };
  const sorted = [...terms.keys()].sort(byCodePoints);
  return {
    shape: async () => shape,
    lookUp: async (wanted) => wanted.flatMap((term) => evidenceOf(term, terms.get(term), shape)),
    expand: async (prefix, limit) => expandSorted(sorted, prefix, limit),
    passages: async (numbers, wanted) => {
      const kept = new Set(wanted);
      return numbers.flatMap((number) => withTerms(stored[number], kept));
    },
    notes: async (numbers) => numbers.flatMap((number) => rankedNote(notes[number - 1], number)),
  };
}

/** A note from plain text: paragraphs are passages, a line `# …` in front of one its heading. */
export function plainNote(
  path: string,
  title: string,
  text: string,
  more: { readonly aliases?: readonly string[]; readonly tags?: readonly string[] } = {},
): PostedNote {
  const { aliases = [], tags = [] } = more;
  return {
    stamp: { path },
    title,
    aliases,
    head: {
      propertyTerms: [],
      titleTerms: termsOf(title),
      aliasTerms: aliases.flatMap(termsOf),
      tagTerms: tags.flatMap(termsOf),
      nameTerms: termsOf(path.replace(/^.*\/|\.md$/g, '')),
    },
    passages: text
      .split(/\n\n+/)
      .filter((part) => part !== '')
      .map(plainPassage),
  };
}

function plainPassage(part: string, at: number) {
  const [, heading = '', body = ''] = /^(?:# (.*)\n?)?([\s\S]*)$/.exec(part)!;
  return {
    line: at + 1,
    endLine: at + 1,
    start: 0,
    end: 0,
    level: heading === '' ? 0 : 1,
    headings: heading === '' ? [] : [heading],
    key: '',
    headingTerms: termsOf(heading),
    bodyTerms: termsOf(body),
    context: heading,
    text: body,
    vectorKey: '',
  };
}

function rankedNote(note: PostedNote | undefined, number: number) {
  return note === undefined
    ? []
    : [{ number, path: note.stamp.path, title: note.title, aliases: note.aliases }];
}

function withTerms(passage: StoredPassage | undefined, kept: ReadonlySet<string>): StoredPassage[] {
  if (passage === undefined) return [];
  return [{ ...passage, terms: passage.terms.map((field) => field.filter(({ term }) => kept.has(term))) }];
}

function storedPassage(
  number: number,
  note: number,
  ordinal: number,
  terms: readonly (readonly string[])[],
): StoredPassage {
  return {
    number,
    note,
    ordinal,
    line: 1,
    endLine: 1,
    start: 0,
    end: 0,
    headings: [],
    level: 0,
    key: '',
    terms: terms.map((field) => field.map((term, at) => ({ term, at }))),
  };
}

function count(terms: Map<string, GrowingPostings>, term: string, passage: number, field: number): void {
  let postings = terms.get(term);
  if (postings === undefined) terms.set(term, (postings = { passages: [], counts: [] }));
  let at = postings.passages.length - 1;
  if (at < 0 || postings.passages[at] !== passage) {
    postings.passages.push(passage);
    for (let i = 0; i < FIELD_COUNT; i++) postings.counts.push(0);
    at++;
  }
  const slot = at * FIELD_COUNT + field;
  if (postings.counts[slot]! < 255) postings.counts[slot]!++;
}

function evidenceOf(
  term: string,
  postings: GrowingPostings | undefined,
  shape: CollectionShape,
): TermEvidence[] {
  if (postings === undefined) return [];
  let noteFrequency = 0;
  let last = 0;
  for (const passage of postings.passages) {
    const note = shape.noteOf[passage]!;
    if (note !== last) noteFrequency++;
    last = note;
  }
  return [
    {
      term,
      noteFrequency,
      postings: [{ bytes: encode(postings), before: 0 }],
    },
  ];
}

function encode({ passages, counts }: GrowingPostings): Uint8Array {
  const writer = new PostingsWriter();
  const bytes = Uint8Array.from(counts);
  passages.forEach((passage, at) => {
    writer.append(passage, bytes, at * FIELD_COUNT);
  });
  return writer.finish();
}

function byCodePoints(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function expandSorted(sorted: readonly string[], prefix: string, limit: number): string[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < prefix) low = middle + 1;
    else high = middle;
  }
  const found: string[] = [];
  for (let i = low; i < sorted.length && sorted[i]!.startsWith(prefix); i++) found.push(sorted[i]!);
  return found.sort((a, b) => a.length - b.length || byCodePoints(a, b)).slice(0, limit);
}

function namesOf(terms: TermList): readonly string[] {
  if ('names' in terms) return Array.from(terms.places, (place) => terms.names[place]!);
  return 'text' in terms ? termsOf(terms.text) : terms;
}
