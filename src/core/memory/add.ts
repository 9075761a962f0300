/** Adds a note. What its text is made of: core/edit/new-note.ts. */

import { checkGivenText } from '../edit/check-writable.js';
import { fileNameFor, fillTemplate, formatDate, newNotePath, newNoteText } from '../edit/new-note.js';
import { unifiedDiff } from '../edit/unified-diff.js';
import { MemoryError } from '../errors.js';
import { decodeNote } from '../note/decode-note.js';
import { HANDOFF_FOLDER } from '../note/handoff.js';
import { lookupKey, stemKey, stemOf } from '../note/lookup-key.js';
import { checkNotePath } from '../note/note-path.js';
import type { NoteFile } from '../ports.js';
import { refreshBefore } from './freshness.js';
import { appendEntry, folderToMake, newEntryId } from './journal.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { indexNow, locateNote, withWriting } from './write-note.js';
import type { AddInput, AddOutput } from './writing-types.js';

const HANDOFF_SECTIONS = `## What was asked

## Where we stopped

## Next step

## How to verify
`;

export async function add(places: Places, input: AddInput, options: CallOptions = {}): Promise<AddOutput> {
  const { vault, index, clock } = places;
  for (const [name, given] of Object.entries(input)) {
    for (const text of Array.isArray(given) ? given : [given])
      if (typeof text === 'string') checkGivenText(name, text);
  }
  if ((await index.state()) !== 'ready') await refreshBefore(places, 'auto', options);
  const { path, title } = placeFor(input, clock.nowMs());
  const twin = await findTwin(places, path);
  if (twin !== undefined) throw isThere(twin);
  const template =
    input.template === undefined
      ? ownTemplate(input)
      : await readTemplate(places, input.template, title, options);
  const text = newNoteText({
    path,
    title,
    content: input.content ?? '',
    template,
    type: input.type,
    isHandoff: input.handoff ?? false,
    tags: input.tag ?? [],
    set: input.set ?? [],
  });
  const rule = await vault.ignoredBy(path);
  if (rule !== undefined) options.notice?.(`"${path}" will not be found: ${rule}`);
  const bytes = new TextEncoder().encode(text);
  if (input.dryRun) {
    const diff = unifiedDiff({ path: '/dev/null', text: '' }, { path, text });
    return { path, title, hash: await vault.hash(bytes), id: '', diff };
  }
  const { id, hash } = await withWriting(places, options, async (writing) => {
    const made = await folderToMake(vault, path);
    const file: NoteFile | undefined = await writing.create(path, bytes);
    if (file === undefined) throw isThere(path);
    const entryId = newEntryId(clock);
    await appendEntry(vault, writing, {
      id: entryId,
      at: new Date(clock.nowMs()).toISOString(),
      operation: 'add',
      steps: [{ kind: 'add', path, after: file.hash, ...(made === undefined ? {} : { made }) }],
    });
    return { id: entryId, hash: file.hash };
  });
  if (rule === undefined) await indexNow(places, [path]);
  return { path, title, hash, id, diff: '' };
}

/** A handoff of which only the title is given gets the headings that say what to write. */
function ownTemplate({ handoff, content }: AddInput): string | undefined {
  return handoff && (content ?? '').trim() === '' ? HANDOFF_SECTIONS : undefined;
}

/** A title that ends in `.md` is a path and gives the title by its name. */
function placeFor(input: AddInput, nowMs: number): { readonly path: string; readonly title: string } {
  const given = input.title.trim();
  const isPath = /\.md$/i.test(given);
  if (isPath) checkNotePath(given, 'make');
  const name = isPath ? given : fileNameFor(given);
  const dated = input.handoff && !isPath ? `${formatDate(new Date(nowMs), 'YYYY-MM-DD')} ${name}` : name;
  const folder = input.folder ?? (input.handoff && !isPath ? HANDOFF_FOLDER : undefined);
  const path = newNotePath(folder === undefined ? dated : `${checkFolder(folder)}${dated}`);
  return { path, title: isPath ? stemOf(path) : given.replace(/\s+/g, ' ') };
}

/** With a slash at its end; empty for the vault itself. */
function checkFolder(given: string): string {
  if (given === '' || /^[./]+$/.test(given)) {
    if (given.includes('..') || given.startsWith('/')) checkNotePath(given, 'make');
    return '';
  }
  return `${checkNotePath(given, 'make')}/`;
}

/** A note whose path differs only in case or in the form of its letters: a new one would be a second of the same name. */
export async function findTwin(
  { index, vault }: Places,
  path: string,
  except?: string,
): Promise<string | undefined> {
  const named = (await index.named([stemKey(path)])).get(stemKey(path)) ?? [];
  const twin = named.find((note) => lookupKey(note.path) === lookupKey(path) && note.path !== except);
  return twin !== undefined && (await vault.exist([twin.path])).has(twin.path) ? twin.path : undefined;
}

function isThere(path: string): MemoryError {
  return new MemoryError('conflict', `There is a note "${path}" already`, {
    hint: `Add to it with \`memory edit "${path}" --append …\`, or choose another title.`,
    details: { path },
  });
}

async function readTemplate(
  places: Places,
  named: string,
  title: string,
  options: CallOptions,
): Promise<string> {
  const path = await templatePath(places, named, options);
  const file = await withWriting(places, options, (writing) => writing.read(path));
  if (file === undefined) throw new MemoryError('not_found', `There is no template "${named}"`);
  return fillTemplate(decodeNote(file.bytes).text, title, places.clock.nowMs());
}

/** Templates are often kept where notes are not looked at. */
async function templatePath(places: Places, named: string, options: CallOptions): Promise<string> {
  const given = checkNotePath(named, 'find');
  for (const path of [given, `${given}.md`]) {
    if (/\.md$/i.test(path) && (await places.vault.exist([path])).has(path)) return path;
  }
  return (await locateNote(places, named, options)).path;
}
