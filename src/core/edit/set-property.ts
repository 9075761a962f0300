/**
 * Sets and unsets properties, each on its own lines only. Every result is read again: where the reader does not find
 * just what was asked for, the edit is refused rather than made nearly right. Tags: edit-tags.ts.
 */

import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import type { PropertyEntry, ScannedNote } from '../markdown/scanned-note.js';
import { brokenProperties } from './check-writable.js';
import { lineEndingOf } from './line-endings.js';
import { blockListItems, closingLine, findProperty, type PropertyPlace } from './property-lines.js';
import {
  parseGivenValue,
  printFlowItem,
  printFlowList,
  printKey,
  printScalar,
  type Quote,
  quoteOf,
} from './property-values.js';
import { applyChanges, type TextChange } from './text-change.js';

export type PropertyValue = { readonly values: readonly string[]; readonly isList: boolean };

/** `key=value`, as callers give it. */
export function parseSetting(given: string): { readonly key: string; readonly value: PropertyValue } {
  const at = given.indexOf('=');
  const key = given.slice(0, Math.max(at, 0)).trim();
  if (at < 0 || key === '' || /[\r\n]/.test(key)) {
    throw new MemoryError('invalid_input', `Cannot set ${JSON.stringify(given)}`, {
      hint: 'Write key=value; a list as key=[a, b].',
    });
  }
  return { key, value: parseGivenValue(given.slice(at + 1)) };
}

export function setProperty(
  path: string,
  note: ScannedNote,
  key: string,
  wanted: PropertyValue,
): readonly TextChange[] {
  checkBlock(path, note);
  const place = findProperty(note, key);
  // A list stays a list, and in its own form.
  const value = place?.entry.isList && !wanted.isList ? { ...wanted, isList: true } : wanted;
  if (place !== undefined && isSame(place.entry, value)) return [];
  const changes = place === undefined ? addLine(note, key, value) : changeValue(note, place, value);
  checkOutcome(path, note, changes, place?.entry.key ?? key, value);
  return changes;
}

export function unsetProperty(path: string, note: ScannedNote, key: string): readonly TextChange[] {
  if (note.properties === undefined) return [];
  checkBlock(path, note);
  const place = findProperty(note, key);
  if (place === undefined) return [];
  const start = note.lineStarts[place.firstLine]!;
  const changes = [{ start, end: note.lineStarts[place.lastLine]!, text: '' }];
  checkOutcome(path, note, changes, place.entry.key, undefined);
  return changes;
}

function checkBlock(path: string, note: ScannedNote): void {
  if (note.properties === undefined) return;
  if (note.properties.problems.length > 0) throw brokenProperties(path, note);
  if (note.properties.kind === 'yaml') return;
  throw new MemoryError('conflict', `The properties of "${path}" are JSON, which is read but not written`, {
    hint: 'Write them as YAML in an editor first.',
  });
}

function isSame(entry: PropertyEntry, value: PropertyValue): boolean {
  return (
    entry.isList === value.isList &&
    entry.values.length === value.values.length &&
    entry.values.every((written, at) => written === value.values[at])
  );
}

function addLine(note: ScannedNote, key: string, value: PropertyValue): readonly TextChange[] {
  const ending = lineEndingOf(note.text);
  if (note.properties === undefined) {
    const start = note.hasBom ? 1 : 0;
    const line = `${printKey(key)}:${printValue(note, value, ending)}`;
    return [{ start, end: start, text: `---${ending}${line}${ending}---${ending}` }];
  }
  const start = note.lineStarts[closingLine(note)]!;
  return [{ start, end: start, text: `${printKey(key)}:${printValue(note, value, ending)}${ending}` }];
}

/** From behind the colon. A new list takes the form that the note's other lists have. */
function printValue(note: ScannedNote, { values, isList }: PropertyValue, ending: string): string {
  if (!isList) return values.length === 0 ? '' : ` ${printScalar(values[0]!, '')}`;
  const other = note.properties?.entries.find((entry) => entry.isList && entry.values.length > 0);
  const place = other && findProperty(note, other.key);
  const list = place && blockListItems(note, place);
  if (list === undefined || values.length === 0) return ` ${printFlowList(values, '')}`;
  return values.map((value) => `${ending}${list.items[0]!.lead}${printScalar(value, '')}`).join('');
}

function changeValue(note: ScannedNote, place: PropertyPlace, value: PropertyValue): readonly TextChange[] {
  const { text } = note;
  const { entry } = place;
  const start = Math.max(entry.valueStart, place.afterColon);
  const end = Math.max(entry.valueEnd, start);
  const raw = text.slice(start, end);
  const ending = lineEndingOf(text);
  if (value.isList) {
    const list = entry.isList ? blockListItems(note, place) : undefined;
    if (list !== undefined) return changeBlockList(note, place, list, value.values, ending);
    const quotes = /(^|[[,]\s*)(["'])/.exec(raw)?.[2] as Quote | undefined;
    if (entry.isList && raw.startsWith('[') && raw.endsWith(']')) {
      return [{ start, end, text: changedFlowList(raw, entry.values, value.values, quotes ?? '') }];
    }
    if (entry.isList) return [];
    return [{ start, end, text: separated(text, start, end, printFlowList(value.values, quotes ?? '')) }];
  }
  const printed = value.values.length === 0 ? '' : printScalar(value.values[0]!, quoteOf(raw));
  if (printed === '') {
    // The blank before the value goes with it.
    const blank = /[ \t]*$/.exec(text.slice(place.afterColon, start))![0].length;
    const hasComment = /^[ \t]+#/.test(text.slice(end));
    return [{ start: hasComment ? start : start - blank, end, text: '' }];
  }
  return [{ start, end, text: separated(text, start, end, printed) }];
}

/** White space stands between the colon, the value and a comment. */
function separated(text: string, start: number, end: number, value: string): string {
  const before = /[ \t]/.test(text[start - 1] ?? '') ? '' : ' ';
  const after = start === end && text[end] === '#' ? ' ' : '';
  return before + value + after;
}

/** Items that stay keep their line with its quotes and comment. */
function changeBlockList(
  note: ScannedNote,
  place: PropertyPlace,
  list: NonNullable<ReturnType<typeof blockListItems>>,
  values: readonly string[],
  ending: string,
): readonly TextChange[] {
  if (values.length === 0) {
    return [
      { start: place.afterColon, end: place.afterColon, text: ' []' },
      { start: list.start, end: note.lineStarts[place.lastLine]!, text: '' },
    ];
  }
  const left = [...list.items];
  const { lead, quoted } = list.items[list.items.length - 1]!;
  const lines = values.map((value) => {
    const at = left.findIndex((item) => item.value === value);
    if (at >= 0) return left.splice(at, 1)[0]!.raw;
    return lead + printScalar(value, quoteOf(quoted));
  });
  return [{ start: list.start, end: list.end, text: lines.join(ending) }];
}

/** `[a, "b"]`: items that stay at the front keep their bytes, and the brackets their padding. */
function changedFlowList(
  raw: string,
  old: readonly string[],
  values: readonly string[],
  quote: Quote,
): string {
  const parts = flowParts(raw);
  if (parts === undefined || parts.items.length !== old.length || values.length === 0) {
    return printFlowList(values, quote);
  }
  const left = old.map((value, at) => ({ value, raw: parts.items[at]! }));
  const items = values.map((value) => {
    const at = left.findIndex((item) => item.value === value);
    return at >= 0 ? left.splice(at, 1)[0]!.raw : printFlowItem(value, quote);
  });
  return `[${parts.open}${items.join(parts.separator)}${parts.close}]`;
}

/** Undefined for a list of several lines, which is printed anew. */
function flowParts(raw: string) {
  if (/[\r\n]/.test(raw)) return undefined;
  const inner = raw.slice(1, -1);
  const open = /^[ \t]*/.exec(inner)![0];
  const close = inner.trim() === '' ? '' : /[ \t]*$/.exec(inner)![0];
  const items: string[] = [];
  let separator = ', ';
  const pattern = /\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[\[[^\]]*\]\]|[^,]+?)\s*(,[ \t]*|$)/y;
  pattern.lastIndex = open.length;
  const stop = inner.length - close.length;
  while (pattern.lastIndex < stop) {
    const match = pattern.exec(inner.slice(0, stop));
    if (match === null) return undefined;
    items.push(match[1]!);
    if (items.length === 1 && match[2]! !== '') separator = match[2]!;
  }
  return { open, close, items, separator };
}

/** Undefined: the property is gone. All others must be as they were. */
function checkOutcome(
  path: string,
  note: ScannedNote,
  changes: readonly TextChange[],
  key: string,
  value: PropertyValue | undefined,
): void {
  const after = scan(applyChanges(note.text, changes));
  const refuse = () =>
    new MemoryError(
      'conflict',
      `The property "${key}" of "${path}" is written in a way that cannot be changed alone`,
      {
        hint: 'Change it in an editor, or with --replace.',
      },
    );
  const block = after.properties;
  if (block === undefined || block.problems.length > 0) throw refuse();
  if (after.text.slice(after.bodyStart) !== note.text.slice(note.bodyStart)) throw refuse();
  const others = (entries: readonly PropertyEntry[]) =>
    JSON.stringify(
      entries.filter((entry) => entry.key !== key).map((entry) => [entry.key, entry.values, entry.isList]),
    );
  if (others(block.entries) !== others(note.properties?.entries ?? [])) throw refuse();
  const found = block.entries.filter((entry) => entry.key === key);
  if (value === undefined ? found.length > 0 : found.length !== 1 || !isSame(found[0]!, value))
    throw refuse();
}
