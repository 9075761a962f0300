/** From the bytes of a file to what the index keeps of it: the one road by which notes enter. */

import { scanSteps } from '../markdown/scan.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import type { FileStamp, NoteFile } from '../ports.js';
import { KEY_BYTES } from '../retrieval/evidence.js';
import { contentHash } from '../text/content-hash.js';
import { runAll, type Steps } from '../turns.js';
import { readAliases, readTags } from './aliases-and-tags.js';
import { dateInName, parseDate, readDates } from './dates.js';
import { type DecodedNote, decodeNote } from './decode-note.js';
import type {
  IndexedLink,
  IndexedNote,
  IndexedPassage,
  MovedNote,
  NoteDate,
  NoteFlag,
  NoteHead,
  TermList,
  TouchedNote,
} from './indexed-note.js';
import { stemKey, stemOf } from './lookup-key.js';
import { cutPassages, lineAt, type Passage } from './passages.js';
import type { StoredNote } from './stored-note.js';
import { readTitle } from './title.js';

/** Keys whose values stand in fields of their own, or say nothing to a reader. */
const HEAD_KEYS = new Set(['title', 'alias', 'aliases', 'tag', 'tags', 'cssclass', 'cssclasses']);

/** How the terms of a text are found: not yet, or as places in a list (text/term-places.ts). */
export type ReadTerms = (text: string) => TermList;

/** Whoever asks for a title, or for the place of a passage, needs no terms; nor does who has those of an equal passage. */
const notYet: ReadTerms = (text) => ({ text });

export function readNote(file: NoteFile, readTerms?: ReadTerms): IndexedNote {
  return runAll(readNoteSteps(file, readTerms));
}

export function* readNoteSteps(file: NoteFile, readTerms: ReadTerms = notYet): Steps<IndexedNote> {
  const { text, damage } = decodeNote(file.bytes);
  yield;
  const note = yield* scanSteps(text);
  const path = file.stamp.path;
  const { title, source: titleSource } = readTitle(note, path);
  const aliases = readAliases(note);
  const tags = readTags(note);
  const entries = note.properties?.entries ?? [];
  return {
    stamp: file.stamp,
    hash: file.hash,
    title,
    titleSource,
    aliases,
    tags,
    properties: entries.map((entry) => [entry.key, entry.values] as const),
    fields: note.fields.map(({ key, value }) => [key, fieldValues(value)] as const),
    ...noteDates(note, file.stamp),
    flags: flagsOf(note, damage),
    factIds: note.blockIds
      .filter(({ id }) => /^[fr]-[0-9a-z]{12}$/.test(id))
      .map(({ id, line }) => ({ id, line })),
    links: note.links.map(
      (link): IndexedLink => ({
        kind: link.kind,
        form: link.form,
        target: link.target,
        targetKey: stemKey(link.target),
        heading: link.heading,
        block: link.block,
        shown: link.shown,
        line: link.line,
        start: link.start,
        end: link.end,
      }),
    ),
    head: {
      ...headOf(
        {
          path,
          title,
          aliases,
          tags,
          properties: entries.map((entry) => [entry.key, entry.values] as const),
        },
        readTerms,
      ),
      start: note.properties?.start ?? 0,
      end: note.properties?.end ?? 0,
      endLine: note.properties ? lineAt(note.lineStarts, note.properties.end) : 0,
    },
    // A name may change without the text, which must not cost its vectors.
    passages: yield* indexPassages(note, titleSource === 'name' ? '' : title, readTerms),
  };
}

/** `"quoted"` is what stands in the quotes; `[[A]], [[B]]` are two. */
function fieldValues(value: string): readonly string[] {
  const text = value.trim();
  const quoted = /^"([^"]*)"$/.exec(text);
  if (quoted) return [quoted[1]!];
  return /^\[\[[^\]]*\]\](?:\s*,\s*\[\[[^\]]*\]\])+$/.test(text) ? text.split(/(?<=\]\])\s*,\s*/) : [text];
}

function flagsOf(note: ScannedNote, damage: DecodedNote['damage']): readonly NoteFlag[] {
  const flags: NoteFlag[] = [];
  if (damage === 'invalid-utf8')
    flags.push({ kind: 'encoding', line: 1, message: 'holds bytes that are not UTF-8' });
  if (damage === 'nul') flags.push({ kind: 'encoding', line: 1, message: 'holds NUL characters' });
  for (const problem of note.properties?.problems ?? []) flags.push({ kind: 'properties', ...problem });
  for (const conflict of note.conflicts) {
    flags.push({
      kind: 'conflict-markers',
      line: conflict.startLine,
      message: 'holds conflict markers of git',
    });
  }
  const lines = new Map<string, number>();
  for (const { id, line } of note.blockIds) {
    const first = lines.get(id.toLowerCase());
    if (first === undefined) lines.set(id.toLowerCase(), line);
    else flags.push({ kind: 'duplicate-block', line, message: `^${id} stands also in line ${first}` });
  }
  return flags;
}

/** Passages between two stops. */
const PASSAGES_AT_ONCE = 128;

/** The passages of a text as the index keeps them. `title` is what tells its subject beside the headings, or empty. */
export function* indexPassages(
  note: ScannedNote,
  title: string,
  readTerms: ReadTerms = notYet,
): Steps<readonly IndexedPassage[]> {
  const hidden = hiddenSpans(note);
  yield;
  const passages = cutPassages(note);
  yield;
  const indexed: IndexedPassage[] = [];
  for (const passage of passages) {
    indexed.push(indexPassage(passage, note, title, hidden, readTerms));
    if (indexed.length % PASSAGES_AT_ONCE === 0) yield;
  }
  return indexed;
}

/**
 * A known note under a new path: its text was not changed, so only what depends on the path or the file's times is
 * made anew.
 */
export function moveNote(stored: StoredNote, stamp: FileStamp): MovedNote {
  const title = stored.titleSource === 'name' ? stemOf(stamp.path) : stored.title;
  return {
    from: stored.path,
    stamp,
    title,
    titleSource: stored.titleSource,
    ...movedDates(stored, stamp),
    head: headOf({ ...stored, path: stamp.path, title }, notYet),
  };
}

/** A file whose content is known; only its times may matter. */
export function touchNote(stamp: FileStamp): TouchedNote {
  return { stamp, created: fileDate(createdMs(stamp)), updated: fileDate(stamp.mtimeMs) };
}

function noteDates(note: ScannedNote, stamp: FileStamp): Pick<IndexedNote, 'created' | 'updated'> {
  const dates = readDates(note, stamp.path, { birthMs: createdMs(stamp), modifiedMs: stamp.mtimeMs });
  return {
    created:
      dates.createdSource === 'file'
        ? fileDate(createdMs(stamp))
        : { ...spanOf(dates.created), source: dates.createdSource },
    updated:
      dates.updatedSource === 'file'
        ? fileDate(stamp.mtimeMs)
        : { ...spanOf(dates.updated), source: dates.updatedSource },
  };
}

function movedDates(stored: StoredNote, stamp: FileStamp): Pick<IndexedNote, 'created' | 'updated'> {
  const named = stored.created.source === 'property' ? undefined : dateInName(stamp.path);
  return {
    created:
      stored.created.source === 'property'
        ? stored.created
        : named
          ? { ...spanOf(named.iso), source: 'name' }
          : fileDate(createdMs(stamp)),
    updated: stored.updated.source === 'property' ? stored.updated : fileDate(stamp.mtimeMs),
  };
}

function fileDate(ms: number): NoteDate {
  const date = new Date(ms);
  // What parseDate would read from it, without the fraction of a millisecond.
  const fromMs = date.getTime();
  return { text: date.toISOString(), fromMs, toMs: fromMs + 1, source: 'file' };
}

function spanOf(text: string): Omit<NoteDate, 'source'> {
  const { fromMs, toMs } = parseDate(text)!;
  return { text, fromMs, toMs };
}

/** A copy is younger than what it holds, and some file systems know no birth. */
function createdMs({ birthMs, mtimeMs }: FileStamp): number {
  return birthMs > 0 ? Math.min(birthMs, mtimeMs) : mtimeMs;
}

function headOf(
  note: {
    readonly path: string;
    readonly title: string;
    readonly aliases: readonly string[];
    readonly tags: readonly string[];
    readonly properties: StoredNote['properties'];
  },
  readTerms: ReadTerms,
): Omit<NoteHead, 'start' | 'end' | 'endLine'> {
  const values = note.properties.flatMap(([key, given]) => (HEAD_KEYS.has(key.toLowerCase()) ? [] : given));
  return {
    titleTerms: readTerms(note.title),
    aliasTerms: readTerms(note.aliases.join('\n')),
    tagTerms: readTerms(note.tags.join('\n')),
    nameTerms: readTerms(stemOf(note.path)),
    propertyTerms: readTerms(values.join('\n')),
  };
}

type Span = { readonly start: number; readonly end: number };

function indexPassage(
  passage: Passage,
  note: ScannedNote,
  title: string,
  hidden: readonly Span[],
  readTerms: ReadTerms,
): IndexedPassage {
  const body = visibleText(note.text, passage, hidden);
  const headings = passage.allHeadings.join('\n');
  const key = contentHash(`${headings}\n\n${body}`);
  const isTold = title === '' || passage.allHeadings.includes(title);
  return {
    line: passage.line,
    endLine: passage.endLine,
    start: passage.start,
    end: passage.end,
    headings: passage.headings,
    level: passage.level,
    key,
    context: isTold ? headings : `${title}\n${headings}`,
    text: body,
    vectorKey: (isTold ? key : contentHash(`${title}\n${key}`)).slice(0, 2 * KEY_BYTES),
    headingTerms: readTerms(headings),
    bodyTerms: readTerms(body),
  };
}

/**
 * What is not searched as body text, by rising start: comments, headings (a field of their own), and the targets of
 * links that show another text.
 */
function hiddenSpans(note: ScannedNote): readonly Span[] {
  const spans: Span[] = [];
  for (const region of note.regions) {
    if (region.kind === 'comment' || region.kind === 'html-comment') spans.push(region);
  }
  for (const heading of note.headings) if (!heading.nested) spans.push(heading);
  for (const link of note.links) {
    if (link.form !== 'markdown' || link.start < note.bodyStart) continue;
    const target = note.text.lastIndexOf('](', link.end);
    if (target > link.start) spans.push({ start: target + 1, end: link.end });
  }
  return spans.sort((a, b) => a.start - b.start);
}

function visibleText(text: string, passage: Passage, hidden: readonly Span[]): string {
  let at = passage.start;
  let low = 0;
  let high = hidden.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hidden[middle]!.start < passage.start) low = middle + 1;
    else high = middle;
  }
  // A span that began before the passage may reach into it.
  if (low > 0 && hidden[low - 1]!.end > at) at = Math.min(hidden[low - 1]!.end, passage.end);
  let visible = '';
  for (let i = low; i < hidden.length && hidden[i]!.start < passage.end; i += 1) {
    const span = hidden[i]!;
    if (span.start > at) visible += `${text.slice(at, span.start)} `;
    at = Math.max(at, Math.min(span.end, passage.end));
  }
  return visible === '' && at === passage.start
    ? text.slice(passage.start, passage.end)
    : visible + text.slice(at, passage.end);
}
