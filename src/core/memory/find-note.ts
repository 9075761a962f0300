/** Which note a caller means by a path, title or alias. */

import { MemoryError } from '../errors.js';
import { lookupKey } from '../note/lookup-key.js';
import { checkNotePath } from '../note/note-path.js';
import type { StoredNote } from '../note/stored-note.js';
import type { NoteIndex } from '../ports.js';

const MOST_CANDIDATES = 8;

/** In order: exact path, path without `.md`, path suffix, file stem, title, alias; several in the first that fits is an error. */
export async function findNote(index: NoteIndex, named: string): Promise<StoredNote> {
  const wanted = checkNotePath(named.trim(), 'find');
  for (const path of [wanted, `${wanted}.md`]) {
    const [exact] = await index.findNotes({ paths: [path] });
    if (exact) return exact;
  }
  const key = lookupKey(wanted).replace(/\.md$/, '');
  const stem = key.slice(key.lastIndexOf('/') + 1);
  const answering = await index.findNotes({ named: stem });
  const tiers: readonly ((note: StoredNote) => boolean)[] = [
    (note) => pathKey(note) === key || pathKey(note).endsWith(`/${key}`),
    (note) => lookupKey(note.title) === key,
    (note) => note.aliases.some((alias) => lookupKey(alias) === key),
  ];
  const candidates = key === stem ? answering : [...answering, ...(await index.findNotes({ named: key }))];
  for (const fits of tiers) {
    const found = uniqueByPath(candidates.filter(fits));
    if (found.length === 1) return found[0]!;
    if (found.length > 1) throw ambiguous(named, found);
  }
  throw new MemoryError('not_found', `There is no note "${named}"`, {
    hint: `Try \`memory search "${named.replace(/\.md$/i, '').replace(/[/"]/g, ' ').trim()}"\`.`,
  });
}

function pathKey(note: StoredNote): string {
  return lookupKey(note.path).replace(/\.md$/, '');
}

function uniqueByPath(notes: readonly StoredNote[]): readonly StoredNote[] {
  return [...new Map(notes.map((note) => [note.path, note])).values()];
}

function ambiguous(named: string, found: readonly StoredNote[]): MemoryError {
  const paths = found.map((note) => note.path);
  const rest = paths.length - MOST_CANDIDATES;
  return new MemoryError('invalid_input', `"${named}" could be any of ${found.length} notes`, {
    hint: `Name one by its path: ${paths.slice(0, MOST_CANDIDATES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`,
    details: { candidates: paths.slice(0, 50) },
  });
}
