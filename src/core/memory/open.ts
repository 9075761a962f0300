/**
 * Handoffs that nobody has claimed. The index tells those whose status is a property; a status that stands in the text
 * is read from the notes of the handoff folder. What a status is: core/note/handoff.ts. Claiming: claim.ts.
 */

import { scan } from '../markdown/scan.js';
import { isConflictCopy } from '../note/conflict-copy.js';
import {
  HANDOFF_FOLDER,
  projectOf,
  readHandoffStatus,
  stateInProperties,
  whereItStopped,
} from '../note/handoff.js';
import { obsidianUri } from '../note/obsidian-uri.js';
import type { NoteFilter, StoredNote } from '../note/stored-note.js';
import { filterOf } from './filter-of.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions } from './memory.js';
import { NoteTexts } from './note-texts.js';
import type { Places } from './places.js';
import type { OpenHandoff, OpenInput, OpenOutput } from './writing-types.js';

const DEFAULT_LIMIT = 20;
const STOPPED_LINES = 3;
const STOPPED_LENGTH = 320;

/** A quick look before the whole note is read: most handoffs of a vault are claimed. */
const MAY_BE_OPEN = /(?:status|durum)[*_]{0,3}[ \t]*::?[^\r\n]*(?:open|a[cç])/i;

export async function open(places: Places, input: OpenInput, options: CallOptions = {}): Promise<OpenOutput> {
  const texts = new NoteTexts(places.vault);
  const found = await openHandoffs(places, input, options, texts);
  const listed = found.slice(0, input.limit ?? DEFAULT_LIMIT);
  await texts.load(listed.map(({ path }) => path));
  const now = places.clock.nowMs();
  const handoffs = listed.map((note) => describe(note, texts.get(note.path) ?? '', now, places.vault.root));
  if (found.length === 0 && (input.folder !== undefined || input.tag !== undefined)) {
    const all = await openHandoffs(places, {}, options, texts);
    if (all.length > 0) options.notice?.(`${all.length} open in all; none passes the filters`);
  }
  return { handoffs, total: found.length };
}

/** Newest first. Copies that a sync program made are left out: the handoff itself may be claimed already. */
export async function openHandoffs(
  places: Places,
  input: Pick<OpenInput, 'folder' | 'tag'>,
  options: CallOptions,
  texts = new NoteTexts(places.vault),
): Promise<readonly StoredNote[]> {
  await refreshBefore(places, 'auto', options);
  const notes = await places.index.findNotes(handoffFilter(input));
  const candidates = notes.filter(
    ({ path, properties }) => !isConflictCopy(path) && stateInProperties(properties) !== 'claimed',
  );
  await texts.load(
    candidates
      .filter(({ properties }) => stateInProperties(properties) === undefined)
      .map(({ path }) => path),
  );
  const open = candidates.filter(({ path, properties }) => {
    if (stateInProperties(properties) === 'open') return true;
    const text = texts.get(path);
    if (text === undefined || !MAY_BE_OPEN.test(text)) return false;
    return readHandoffStatus(scan(text))?.state === 'open';
  });
  return open.sort(newestFirst);
}

/** The folder that is asked for, within the one of handoffs. */
function handoffFilter(input: Pick<OpenInput, 'folder' | 'tag'>): NoteFilter {
  const filter = filterOf(input, 'created');
  const isWithin = filter.folder?.startsWith(`${HANDOFF_FOLDER}/`);
  if (filter.folder === undefined || filter.folder === '' || isWithin || filter.folder === HANDOFF_FOLDER) {
    return { ...filter, folder: filter.folder || HANDOFF_FOLDER };
  }
  return { ...filter, folder: `${HANDOFF_FOLDER}/${filter.folder}` };
}

function newestFirst(a: StoredNote, b: StoredNote): number {
  return (
    b.created.fromMs - a.created.fromMs ||
    b.stamp.mtimeMs - a.stamp.mtimeMs ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
  );
}

function describe(note: StoredNote, text: string, nowMs: number, root: string): OpenHandoff {
  const scanned = scan(text);
  const lines = whereItStopped(scanned, STOPPED_LINES).join('\n');
  return {
    path: note.path,
    title: note.title,
    created: note.created.text,
    ageMs: Math.max(0, Math.round(nowMs - note.created.fromMs)),
    project: projectOf(scanned),
    stopped: lines.length <= STOPPED_LENGTH ? lines : `${cutAt(lines, STOPPED_LENGTH)}…`,
    uri: obsidianUri(root, note.path),
  };
}

/** At a space where there is one near, and never within a character. */
function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  const space = cut.lastIndexOf(' ');
  return (space > length / 2 ? cut.slice(0, space) : cut).toWellFormed().replace(/\uFFFD$/, '');
}
