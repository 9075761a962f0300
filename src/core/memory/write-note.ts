/**
 * The road of every change of a note: which note, the right to write, the file as it is now, the edit, the journal, the
 * index. What is written and how it survives a crash: carry-out.ts.
 */

import { readWritable } from '../edit/check-writable.js';
import { mergeTexts } from '../edit/merge-texts.js';
import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import type { IndexedNote } from '../note/indexed-note.js';
import { checkNotePath } from '../note/note-path.js';
import type { NoteFile, VaultWriting } from '../ports.js';
import { Turns } from '../turns.js';
import { finishIntents, type PlannedEdit } from './carry-out.js';
import { NoteEmbedding } from './embed-notes.js';
import { type FoundNote, findNotePart, type NamedPart } from './find-note.js';
import { refreshBefore } from './freshness.js';
import { earlierText, JOURNAL_FOLDER } from './journal.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';

export type NamedNotePath = { readonly path: string; readonly part: NamedPart };

/** The note that a caller means: asked of the index alone, and of the vault only where the index does not know it. */
export async function locateNote(
  places: Places,
  named: string,
  options: CallOptions,
): Promise<NamedNotePath> {
  const toPlace = ({ note, part }: FoundNote) => ({ path: note.path, part });
  if ((await places.index.state()) !== 'ready') {
    await refreshBefore(places, 'auto', options);
    return toPlace(await findNotePart(places, named));
  }
  try {
    return toPlace(await findNotePart(places, named));
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'not_found') throw error;
    const path = await unindexedNote(places, named);
    if (path !== undefined) return { path, part: {} };
    await refreshBefore(places, 'auto', options);
    return toPlace(await findNotePart(places, named));
  }
}

/** A file of just that path, made since the vault was last looked at. */
async function unindexedNote({ vault }: Places, named: string): Promise<string | undefined> {
  const path = checkNotePath(named.trim(), 'find');
  if (!/\.md$/i.test(path)) return undefined;
  if (!(await vault.exist([path])).has(path)) return undefined;
  const rule = await vault.ignoredBy(path);
  if (rule === undefined) return path;
  throw new MemoryError('not_found', `"${path}" is no note: ${rule}`, {
    hint: 'Only notes that are read are written to.',
  });
}

/** Runs `work` with the right to write, after finishing what a killed process had begun. */
export async function withWriting<T>(
  places: Places,
  options: CallOptions,
  work: (writing: VaultWriting) => Promise<T>,
): Promise<T> {
  const writing = (await places.vault.startWriting({ wait: true, signal: options.signal }))!;
  let finished: readonly string[] = [];
  try {
    finished = await finish(places, writing, options);
    return await work(writing);
  } finally {
    await writing.end();
    if (finished.length > 0) await indexNow(places, finished);
  }
}

/** For calls that only read: finishes what a killed process had begun, unless somebody writes just now. */
export async function finishInterrupted(places: Places, options: CallOptions): Promise<void> {
  const names = await places.vault.names(JOURNAL_FOLDER);
  if (!names.some((name) => name.endsWith('.intent.json'))) return;
  let finished: readonly string[] = [];
  try {
    const writing = await places.vault.startWriting({ wait: false });
    if (writing === undefined) return;
    try {
      finished = await finish(places, writing, options);
    } finally {
      await writing.end();
    }
  } catch (error) {
    // Who only reads is not kept from it by what cannot be written.
    if (!(error instanceof MemoryError) || error.code !== 'unavailable') throw error;
    options.notice?.(`a move that was interrupted cannot be finished: ${error.message}`);
  }
  await indexNow(places, finished);
}

async function finish(
  places: Places,
  writing: VaultWriting,
  options: CallOptions,
): Promise<readonly string[]> {
  const { changed, problems } = await finishIntents(places, writing);
  if (changed.length > 0) options.notice?.('a move that was interrupted has been finished');
  for (const problem of problems) options.notice?.(`in the interrupted move, ${problem}`);
  return changed;
}

/** The edit of one note, ready to be carried out; undefined where it changes nothing. */
export async function planEdit(
  places: Places,
  writing: VaultWriting,
  path: string,
  edit: (note: ScannedNote) => ScannedNote,
  ifHash: string | undefined,
): Promise<{ readonly file: NoteFile; readonly planned: PlannedEdit | undefined }> {
  const file = await readExisting(writing, path);
  const note = readWritable(path, file.bytes);
  const isAsSeen = ifHash === undefined || isHashOf(file.hash, ifHash);
  const base = isAsSeen ? undefined : await seenBefore(places, file, note, ifHash);
  const again = base === undefined ? edit : (now: ScannedNote) => merged(path, base, edit, now);
  const after = again(note);
  if (after.text === note.text) return { file, planned: undefined };
  return { file, planned: { seen: file, before: note.text, after: after.text, again } };
}

export async function readExisting(writing: VaultWriting, path: string): Promise<NoteFile> {
  const file = await writing.read(path);
  if (file !== undefined) return file;
  throw new MemoryError('not_found', `"${path}" is no longer there`, { hint: 'Run `memory reindex`.' });
}

/** Callers may give the first 12 digits of a hash or more. */
function isHashOf(hash: string, given: string): boolean {
  return given.length >= 12 && hash.startsWith(given.toLowerCase());
}

/** Throws `conflict` where the note is not the one that the caller saw, for what cannot be merged. */
export function checkHash(file: NoteFile, ifHash: string | undefined): void {
  if (ifHash !== undefined && !isHashOf(file.hash, ifHash)) throw hasChanged(file);
}

function hasChanged({ path, hash }: NoteFile): MemoryError {
  return new MemoryError('conflict', `"${path}" has changed since you read it`, {
    hint: `Read it again with \`memory show\`; its hash is ${hash.slice(0, 16)} now.`,
    details: { hash },
  });
}

async function seenBefore(
  { vault }: Places,
  file: NoteFile,
  note: ScannedNote,
  ifHash: string,
): Promise<ScannedNote> {
  const present = { path: file.path, hash: file.hash, text: note.text };
  const text = await earlierText(vault, present, ifHash.toLowerCase());
  const hash = text === undefined ? '' : await vault.hash(new TextEncoder().encode(text));
  if (text === undefined || !isHashOf(hash, ifHash)) throw hasChanged(file);
  return scan(text);
}

/** The edit as made on what the caller saw, joined with what was changed since. */
function merged(
  path: string,
  base: ScannedNote,
  edit: (note: ScannedNote) => ScannedNote,
  now: ScannedNote,
): ScannedNote {
  const text = mergeTexts(base.text, edit(base).text, now.text);
  if (text !== undefined) return scan(text);
  throw new MemoryError('conflict', `"${path}" has changed since you read it, in the lines of your edit`, {
    hint: 'Read it again with `memory show`, then edit what is there now.',
  });
}

/** Takes just these notes into the index as they are now. An index that is not whole is left for the next search to build. */
export async function indexNow(places: Places, paths: readonly string[]): Promise<void> {
  const { index, vault, clock } = places;
  const wanted = [...new Set(paths)].filter((path) => /\.md$/i.test(path) && !/(^|\/)\./.test(path));
  if (wanted.length === 0 || (await index.state()) !== 'ready') return;
  const { readNoteSteps } = await import('../note/read-note.js');
  const writing = (await index.startWriting({ wait: true }))!;
  try {
    if ((await index.state()) !== 'ready') return;
    const seenMs = clock.nowMs();
    const turns = new Turns(clock);
    const put: IndexedNote[] = [];
    const remove: string[] = [];
    // Read under the index's own lock: a later write is indexed later, never earlier.
    for (const file of await vault.read(wanted)) {
      if ('reason' in file) remove.push(file.path);
      else put.push(await turns.take(readNoteSteps(file)));
    }
    const replaced = await writing.write({ put, remove, move: [], touch: [], seenMs });
    if (put.length === 0) return;
    const last = await index.lastCheck();
    const embedding = await NoteEmbedding.start(places, writing, {}, last);
    await embedding?.take(put, replaced);
    // Without this a reindex would take it that these notes have vectors.
    if (last && last.embeddedBy !== '' && last.embeddedBy !== embedding?.fingerprint)
      await writing.recordCheck({ ...last, embeddedBy: '' });
  } finally {
    await writing.end();
  }
}
