/** Which note, or part of one, a caller means by a path, a title, an alias, or a place as search and notes write it. */

import { MemoryError } from '../errors.js';
import { lookupKey, stemKey } from '../note/lookup-key.js';
import { checkNotePath } from '../note/note-path.js';
import type { StoredNote } from '../note/stored-note.js';
import type { NoteIndex } from '../ports.js';
import { nearestName } from '../text/nearest-name.js';
import { shellWord } from '../text/shell-word.js';
import type { Places } from './places.js';

const MOST_CANDIDATES = 8;

/** The part that a name may carry: `note:12`, `note#Heading`, `note#^block`. */
export type NamedPart = {
  readonly lines?: string | undefined;
  readonly section?: string | undefined;
  readonly block?: string | undefined;
};

export type FoundNote = { readonly note: StoredNote; readonly part: NamedPart };

type FindIn = Pick<Places, 'vault' | 'index'>;

export async function findNote(places: FindIn, named: string): Promise<StoredNote> {
  return (await findNotePart(places, named)).note;
}

/** A name that fits a note as it stands wins over one that is read as a note and a part of it. */
export async function findNotePart(places: FindIn, named: string): Promise<FoundNote> {
  // A name may begin or end with a space: as a program gives it back, it fits to the letter.
  const [exact] = await places.index.findNotes({ paths: [checkNotePath(named, 'find')] });
  if (exact) return { note: exact, part: {} };
  const written = withoutBrackets(named.trim());
  for (const { name, part } of readings(written)) {
    const note = await lookFor(places.index, name);
    if (note) return { note, part };
  }
  throw await absence(places, written);
}

/** `[[note|shown]]` as it is copied from a note. */
function withoutBrackets(text: string): string {
  return /^!?\[\[([^[\]|]+?)\\?(?:\|[^[\]]*)?\]\]$/.exec(text)?.[1] ?? text;
}

function readings(text: string): readonly { readonly name: string; readonly part: NamedPart }[] {
  const [, beforeLine, line] = /^(.+?):([1-9]\d*)(?::\d+)?$/s.exec(text) ?? [];
  const [, beforeBlock, block] = /^(.+?)#\^([\p{L}\p{N}-]+)$/su.exec(text) ?? [];
  const [, beforeHeading, section] = /^(.+?)#([^^].*)$/s.exec(text) ?? [];
  return [
    { name: text, part: {} },
    ...(beforeLine === undefined ? [] : [{ name: beforeLine, part: { lines: `${line}-` } }]),
    ...(beforeBlock === undefined ? [] : [{ name: beforeBlock, part: { block } }]),
    ...(beforeHeading === undefined ? [] : [{ name: beforeHeading, part: { section } }]),
  ];
}

/** In order: exact path, path without `.md`, path suffix, title, alias; several in the first that fits is an error. */
async function lookFor(index: NoteIndex, named: string): Promise<StoredNote | undefined> {
  const wanted = checkNotePath(named.trim(), 'find');
  for (const path of [wanted, `${wanted}.md`]) {
    const [exact] = await index.findNotes({ paths: [path] });
    if (exact) return exact;
  }
  const key = lookupKey(wanted).replace(/\.md$/, '');
  const stem = key.slice(key.lastIndexOf('/') + 1);
  const answering = await index.findNotes({ named: stem });
  const candidates = key === stem ? answering : [...answering, ...(await index.findNotes({ named: key }))];
  const tiers: readonly ((note: StoredNote) => boolean)[] = [
    (note) => `/${pathKey(note)}`.endsWith(`/${key}`),
    (note) => lookupKey(note.title) === key,
    (note) => note.aliases.some((alias) => lookupKey(alias) === key),
  ];
  for (const fits of tiers) {
    const found = uniqueByPath(candidates.filter(fits));
    if (found.length > 1) throw ambiguous(named, found);
    if (found[0]) return found[0];
  }
  return undefined;
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

/** Says of a name that no note answers to what there is instead: a file left out, a folder, a note of a similar name. */
async function absence(places: FindIn, named: string): Promise<MemoryError> {
  const wanted = checkNotePath(named, 'find');
  const leftOut = await reasonLeftOut(places, /\.md$/i.test(wanted) ? wanted : `${wanted}.md`);
  if (leftOut !== undefined) return leftOut;
  const missing = (hint: string) => new MemoryError('not_found', `There is no note "${named}"`, { hint });
  const paths = [...(await places.index.known()).keys()];
  if (paths.some((path) => path.startsWith(`${wanted}/`))) {
    return missing(`That is a folder: \`memory recent --folder ${shellWord(wanted)}\` lists its notes.`);
  }
  const words = wanted.replace(/\.md(?=$|[:#])/i, '').match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]*/gu);
  const search = words ? `\`memory search ${words.join(' ')}\`` : '`memory recent`';
  const near = nearestName(stemKey(wanted), paths.map(stemKey));
  const meant = near === undefined ? [] : paths.filter((path) => stemKey(path) === near);
  return missing(meant.length === 1 ? `Did you mean "${meant[0]}"? Else try ${search}.` : `Try ${search}.`);
}

async function reasonLeftOut({ vault, index }: FindIn, path: string): Promise<MemoryError | undefined> {
  const skipped = (await index.lastCheck())?.skipped.find((file) => file.path === path);
  if (skipped) {
    return new MemoryError('not_found', `"${path}" is skipped: ${skipped.reason}`, {
      hint: `\`memory doctor ${shellWord(path)}\` says how to mend it.`,
    });
  }
  const [file] = await vault.peek([path]);
  if (!file || 'reason' in file) return undefined;
  const { ignoredFiles } = await vault.list({ countIgnored: true, nameIgnored: true });
  const ignored = ignoredFiles.find((one) => one.path === path);
  if (!ignored) {
    return new MemoryError('not_found', `"${path}" is not in the index yet`, {
      hint: 'Run `memory reindex`.',
    });
  }
  return new MemoryError('not_found', `"${path}" is ignored: ${ignored.reason}`, {
    hint: 'Change that rule, or move the note, to have it read.',
  });
}
