/** Puts a collection's documents into an index as notes, so that evaluation goes the way of real notes. */

import { scan } from '../markdown/scan.js';
import { NoteEmbedding } from '../memory/embed-notes.js';
import type { Places } from '../memory/places.js';
import type { IndexedNote } from '../note/indexed-note.js';
import { indexPassages } from '../note/read-note.js';
import type { CheckRecord, NoteIndex } from '../ports.js';
import { termsOf } from '../text/terms.js';
import { runAll } from '../turns.js';
import type { CollectionDocument, RetrievalCollection } from './collection.js';
import type { JudgedQuery } from './evaluate.js';

const BATCH = 500;
const NO_CHECK: CheckRecord = {
  checkedAtMs: 0,
  checkMs: 0,
  files: 0,
  fingerprint: '',
  ignored: 0,
  skipped: [],
  embeddedBy: '',
};
const NO_DATE = { text: '1970-01-01T00:00:00.000Z', fromMs: 0, toMs: 1, source: 'file' } as const;

/** The index must be empty; documents are known in it by their ids as paths. */
export async function indexCollection(
  collection: RetrievalCollection,
  places: Pick<Places, 'index' | 'embedder'>,
): Promise<void> {
  const { index } = places;
  const writing = await index.startWriting({ wait: true });
  if (!writing) return;
  try {
    const rebuild = await writing.startRebuild();
    const embedding = await NoteEmbedding.start(places, writing, {});
    for (let at = 0; at < collection.documents.length; at += BATCH) {
      const notes = collection.documents.slice(at, at + BATCH).map(toNote);
      await rebuild.add(notes, 0);
      await embedding?.take(notes);
    }
    await rebuild.publish(NO_CHECK, new Float64Array(0));
  } finally {
    await writing.end();
  }
}

/** Questions with the numbers of the notes that they are asked of. */
export async function judgedQueries(
  collection: RetrievalCollection,
  index: NoteIndex,
): Promise<readonly JudgedQuery[]> {
  const numbers = new Map((await index.findNotes({})).map((note) => [note.path, note.number]));
  const scopes = new Map<string, number[]>();
  for (const { id, conversation } of collection.documents) {
    if (conversation === '') continue;
    const scope = scopes.get(conversation);
    if (scope) scope.push(numbers.get(id)!);
    else scopes.set(conversation, [numbers.get(id)!]);
  }
  return collection.queries.map(({ id, text, conversation }) => {
    const scope = scopes.get(conversation);
    const judgements = collection.judgements.get(id) ?? new Map<string, number>();
    return { id, text, judgements, ...(scope ? { scope: Uint32Array.from(scope) } : {}) };
  });
}

function toNote({ id, title, text }: CollectionDocument): IndexedNote {
  return {
    stamp: { path: id, size: text.length, mtimeMs: 0, ctimeMs: 0, inode: 0, birthMs: 0 },
    hash: '00',
    title: title === '' ? id : title,
    titleSource: 'property',
    aliases: [],
    tags: [],
    properties: [],
    fields: [],
    created: NO_DATE,
    updated: NO_DATE,
    flags: [],
    factIds: [],
    links: [],
    head: {
      titleTerms: termsOf(title),
      aliasTerms: [],
      tagTerms: [],
      // An id says nothing that a file's name would.
      nameTerms: [],
      propertyTerms: [],
      endLine: 0,
      start: 0,
      end: 0,
    },
    passages: runAll(indexPassages(scan(text), title)),
  };
}
