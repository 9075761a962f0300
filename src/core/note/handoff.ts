/**
 * What makes a note a handoff: its status, as a property or as a line in its head, and what is told of it in a list.
 * The change that claims it: core/edit/claim-handoff.ts.
 */

import type { PropertyEntry, RegionKind, ScannedNote } from '../markdown/scanned-note.js';
import { headingKey } from './note-parts.js';

/** Where handoffs lie, at any depth. */
export const HANDOFF_FOLDER = 'sessions';

export type HandoffState = 'open' | 'claimed' | 'other';

export type HandoffStatus = {
  readonly state: HandoffState;
  /** As written, without quotes. */
  readonly value: string;
  readonly place: StatusPlace;
};

export type StatusPlace =
  | { readonly kind: 'property'; readonly entry: PropertyEntry }
  /** Offsets of the value in the note's text. */
  | { readonly kind: 'line'; readonly start: number; readonly end: number };

const STATUS_KEYS = ['status', 'durum'];
const PROJECT_KEYS = ['project', 'proje'];
/** Lines about a note, which say nothing of where it stopped. */
const HEAD_KEYS = new Set([...STATUS_KEYS, ...PROJECT_KEYS, 'tags', 'tag', 'type', 'created', 'date']);
const STOPPED_HEADINGS = new Set(
  ['where we stopped', 'where it stopped', 'where i stopped', 'nerede kaldık', 'nerede kaldik'].map(
    headingKey,
  ),
);

/** `status: open`, `- **Status:** open`, `status:: open`, `[status:: open]` */
const KEYED_LINE =
  /^[ \t]*(?:[-*+][ \t]+)?([[(]?)[*_]{0,3}([\p{L}_-]+)[*_]{0,3}[ \t]*(::?)[*_]{0,3}[ \t]*(.*?)[ \t]*$/u;

export function isInHandoffFolder(path: string): boolean {
  return path.startsWith(`${HANDOFF_FOLDER}/`);
}

/** What a status says; undefined for what is none of a handoff, such as `draft`. */
export function stateOf(value: string): HandoffState | undefined {
  const plain = folded(value);
  if (plain === 'open' || plain === 'acik') return 'open';
  return /^(?:claimed|devralindi)(?![\p{L}\p{N}])/u.test(plain) ? 'claimed' : undefined;
}

/** Of properties as the index has them: what those alone tell; undefined where the note has to be read. */
export function stateInProperties(
  properties: readonly (readonly [key: string, values: readonly string[]])[],
): HandoffState | undefined {
  const values = STATUS_KEYS.flatMap((key) =>
    properties.filter(([name]) => name.toLowerCase() === key).flatMap(([, given]) => given),
  );
  return firstState(values)?.state;
}

/** The property counts where it is one of a handoff, else the first such line in the head. */
export function readHandoffStatus(note: ScannedNote): HandoffStatus | undefined {
  const entries = entriesOf(note, STATUS_KEYS);
  for (const entry of entries) {
    const found = firstState(entry.values);
    if (found !== undefined) return { ...found, place: { kind: 'property', entry } };
  }
  const lines = headLines(note, STATUS_KEYS);
  for (const { value, start, end } of lines) {
    const state = stateOf(value);
    if (state !== undefined) return { state, value, place: { kind: 'line', start, end } };
  }
  const [entry] = entries;
  if (entry !== undefined && entry.values.length > 0) {
    return { state: 'other', value: entry.values.join(', '), place: { kind: 'property', entry } };
  }
  const [line] = lines;
  if (line === undefined || line.value === '') return undefined;
  return { state: 'other', value: line.value, place: { kind: 'line', start: line.start, end: line.end } };
}

/** The project it belongs to: a property or a line in the head, links by their names; empty where none is given. */
export function projectOf(note: ScannedNote): string {
  const given = entriesOf(note, PROJECT_KEYS).flatMap(({ values }) => values);
  const values = given.length > 0 ? given : headLines(note, PROJECT_KEYS).map(({ value }) => value);
  return values
    .map((value) =>
      value.replace(/\[\[([^[\]|]*?)(?:\\?\|([^[\]]*))?\]\]/g, (_, target, shown) => shown ?? target),
    )
    .map((value) => value.trim())
    .filter((value) => value !== '')
    .join(', ');
}

/** The first lines of the section that says where it stopped, or of the text where there is none. */
export function whereItStopped(note: ScannedNote, mostLines: number): readonly string[] {
  const section = note.headings.find(({ nested, text }) => !nested && STOPPED_HEADINGS.has(headingKey(text)));
  const start = section?.end ?? headOf(note).start;
  const next = note.headings.find((heading) => !heading.nested && heading.start >= start);
  const found = textLines(note, start, next?.start ?? note.text.length, mostLines);
  if (found.length > 0 || section !== undefined) return found;
  // A head that holds nothing but lines like the status: what follows its first heading.
  const second = note.headings.find(
    (heading) => !heading.nested && next !== undefined && heading.start > next.start,
  );
  return next === undefined ? [] : textLines(note, next.end, second?.start ?? note.text.length, mostLines);
}

function textLines(note: ScannedNote, start: number, end: number, most: number): readonly string[] {
  return note.text
    .slice(start, end)
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !HEAD_KEYS.has(KEYED_LINE.exec(line)?.[2]?.toLowerCase() ?? ''))
    .slice(0, most);
}

function firstState(
  values: readonly string[],
): { readonly state: HandoffState; readonly value: string } | undefined {
  for (const value of values) {
    const state = stateOf(value);
    if (state !== undefined) return { state, value };
  }
  return undefined;
}

/** Those of the first key before those of the second. */
function entriesOf(note: ScannedNote, keys: readonly string[]): readonly PropertyEntry[] {
  const entries = note.properties?.entries ?? [];
  return keys.flatMap((key) => entries.filter((entry) => entry.key.toLowerCase() === key));
}

/** After the title, where that is a heading, to the next heading. */
function headOf(note: ScannedNote): { readonly start: number; readonly end: number } {
  const outline = note.headings.filter(({ nested }) => !nested);
  const [first] = outline;
  const hasTitle = first?.level === 1;
  const start = hasTitle ? first.end : note.bodyStart;
  return { start, end: outline[hasTitle ? 1 : 0]?.start ?? note.text.length };
}

type HeadLine = { readonly value: string; readonly start: number; readonly end: number };

function headLines(note: ScannedNote, keys: readonly string[]): readonly HeadLine[] {
  const { start, end } = headOf(note);
  const found: HeadLine[] = [];
  for (const [at, from] of note.lineStarts.entries()) {
    if (from < start || from >= end || isCovered(note, from, at + 1)) continue;
    const line = note.text.slice(from, note.lineStarts[at + 1] ?? note.text.length).replace(/[\r\n]+$/, '');
    const match = KEYED_LINE.exec(line);
    if (match === null || !keys.includes(match[2]!.toLowerCase())) continue;
    const [, bracket = '', , colons, raw = ''] = match;
    if (bracket !== '' && (colons !== '::' || !/[\])]$/.test(raw))) continue;
    const value = bare(bracket === '' ? raw : raw.slice(0, -1).trimEnd());
    const valueStart = from + line.lastIndexOf(raw) + raw.indexOf(value);
    found.push({ value, start: valueStart, end: valueStart + value.length });
  }
  return found;
}

/** Without emphasis, code signs or quotes around it, and without a comment or a block id behind it. */
function bare(raw: string): string {
  const value = raw.replace(/[ \t]+(?:\^[\p{L}\p{N}-]+|<!--.*-->|%%.*%%)$/u, '');
  const inner = /^([*_`"'=]{1,3})(.*?)\1$/.exec(value)?.[2];
  return (inner ?? value).trim();
}

const LINE_KINDS: ReadonlySet<RegionKind> = new Set(['fence', 'indented-code', 'quote', 'table']);

/** Code, math, HTML, comments, quotes and tables are no head of a note. */
function isCovered(note: ScannedNote, offset: number, line: number): boolean {
  return note.regions.some((region) =>
    LINE_KINDS.has(region.kind)
      ? region.line <= line && line <= region.endLine
      : region.start <= offset && offset < region.end,
  );
}

/** Letters alone, whichever way Turkish i is typed. */
function folded(value: string): string {
  return value.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i').trim();
}
