/**
 * Property blocks read line by line: the shapes nearly all notes have, at full speed. Strictly, a block with any
 * other shape is given up (for property-tree.ts to read as YAML); leniently, each line gives what it can.
 */

import { SPACE, skipBlanks, TAB, trimEnd } from './characters.js';
import { lineEnd, lineOf } from './lines.js';
import { type LineValue, readFlowList, readLineValue } from './property-scalars.js';
import type { PropertyEntry, PropertyProblem } from './scanned-note.js';
import { readPropertyLinks } from './wikilinks.js';

const NO_YAML = 'the value is no YAML as it stands; quotes around it make it text';

export type PropertyLines = {
  readonly entries: readonly PropertyEntry[];
  readonly problems: readonly PropertyProblem[];
};

type Reader = {
  readonly text: string;
  readonly lineStarts: Uint32Array;
  readonly lenient: boolean;
  /** The line being read and the one behind the block, counted from 0. */
  line: number;
  readonly last: number;
  readonly entries: PropertyEntry[];
  readonly problems: PropertyProblem[];
};

/** Reads the lines from `first` up to, not including, `last`. Undefined: strict reading has given up. */
export function readPropertyLines(
  text: string,
  lineStarts: Uint32Array,
  first: number,
  last: number,
  lenient: boolean,
): PropertyLines | undefined {
  const reader: Reader = { text, lineStarts, lenient, line: first, last, entries: [], problems: [] };
  while (reader.line < last) if (!readEntry(reader)) return undefined;
  return reader;
}

/** Reads the entry that starts on the line, to its last line. False: given up. */
function readEntry(reader: Reader): boolean {
  const { text, lineStarts } = reader;
  const line = reader.line++;
  const start = lineStarts[line]!;
  const end = lineEnd(text, lineStarts, line);
  const first = skipBlanks(text, start, end);
  if (first >= end || text.charCodeAt(first) === 35) return true;
  const colon = first === start ? keyEnd(text, start, end) : -1;
  if (colon < 0) return misread(reader, line, 'no `key: value` on this line');
  const key = readKey(text, start, colon);
  if (key === undefined && !reader.lenient) return false;
  const name = key ?? text.slice(start, trimEnd(text, start, colon)).replace(/^["']|["']$/g, '');
  let value = readLineValue(text, colon + 1, end);
  if (value === undefined) {
    if (!reader.lenient) return false;
    value = readLongFlowList(reader, colon + 1) ?? rawValue(reader, colon + 1, end);
  }
  if (value.problem !== undefined) reader.problems.push({ line: line + 1, message: value.problem });
  if (value.values.length === 0 && !value.isList) {
    const list = readBlockList(reader);
    if (list === undefined) return false;
    if (list.isList) value = list;
  } else if (isBlockScalar(value) && reader.lenient) value = readIndentedText(reader);
  addEntry(reader, name, value, line);
  return continuesBelow(reader);
}

function misread(reader: Reader, line: number, message: string): boolean {
  if (reader.lenient) reader.problems.push({ line: line + 1, message });
  return reader.lenient;
}

/** Offset of the colon behind the key that starts the line, -1 if there is none. */
function keyEnd(text: string, start: number, end: number): number {
  const quote = text[start];
  let at = start;
  if (quote === '"' || quote === "'") {
    at = text.indexOf(quote, start + 1);
    if (at < 0 || at >= end) return -1;
  }
  for (; at < end; at++) {
    if (text.charCodeAt(at) !== 58) continue;
    const next = at + 1 < end ? text.charCodeAt(at + 1) : SPACE;
    if (next === SPACE || next === TAB) return at > start ? at : -1;
  }
  return -1;
}

function readKey(text: string, start: number, colon: number): string | undefined {
  const key = readLineValue(text, start, colon);
  if (key === undefined || key.isList || key.problem !== undefined || key.end !== trimEnd(text, start, colon))
    return undefined;
  return key.values[0];
}

/** A value that is no YAML, as the text it is. A block scalar's sign is none: its text follows. */
function rawValue(reader: Reader, from: number, to: number): LineValue {
  const { text } = reader;
  const start = skipBlanks(text, from, to);
  const end = trimEnd(text, start, to);
  const raw = text.slice(start, end);
  const quote = raw[0];
  const isQuoted = raw.length > 1 && (quote === '"' || quote === "'") && raw.endsWith(quote);
  const value: LineValue = { values: [isQuoted ? raw.slice(1, -1) : raw], isList: false, start, end };
  return isBlockScalar(value) ? value : { ...value, problem: NO_YAML };
}

/** A flow list over several lines that YAML refused for its indentation. */
function readLongFlowList(reader: Reader, from: number): LineValue | undefined {
  const { text, lineStarts, last } = reader;
  const start = skipBlanks(text, from, lineStarts[last]!);
  if (text.charCodeAt(start) !== 91) return undefined;
  const list = readFlowList(text, start, lineStarts[last]!);
  if (list !== undefined) reader.line = lineOf(lineStarts, list.end) + 1;
  return list;
}

/** The `- item` lines that follow. Undefined: given up. */
function readBlockList(reader: Reader): LineValue | undefined {
  const { text, lineStarts } = reader;
  const values: string[] = [];
  let indent = -1;
  let start = lineEnd(text, lineStarts, reader.line - 1);
  let end = start;
  while (reader.line < reader.last) {
    const lineStart = lineStarts[reader.line]!;
    const stop = lineEnd(text, lineStarts, reader.line);
    const dash = skipBlanks(text, lineStart, stop);
    if (dash >= stop || text.charCodeAt(dash) === 35) {
      reader.line++;
      continue;
    }
    if (text.charCodeAt(dash) !== 45 || (dash + 1 < stop && !isBlank(text.charCodeAt(dash + 1)))) break;
    if (indent >= 0 && dash - lineStart !== indent && !reader.lenient) return undefined;
    if (text.charCodeAt(lineStart) === TAB && !reader.lenient) return undefined;
    const value =
      readLineValue(text, dash + 1, stop) ?? (reader.lenient ? rawValue(reader, dash + 1, stop) : undefined);
    if (value === undefined || (value.isList && !reader.lenient)) return undefined;
    if (value.problem !== undefined) reader.problems.push({ line: reader.line + 1, message: value.problem });
    if (indent < 0) start = dash;
    indent = dash - lineStart;
    end = value.values.length > 0 ? value.end : dash + 1;
    values.push(...value.values);
    reader.line++;
    if (!continuesBelow(reader, indent)) return undefined;
  }
  return { values, isList: indent >= 0, start, end };
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** False if the next line is indented further, so that it goes on with the value: given up, or skipped leniently. */
function continuesBelow(reader: Reader, indent = 0): boolean {
  const { text, lineStarts } = reader;
  while (reader.line < reader.last) {
    const start = lineStarts[reader.line]!;
    const end = lineEnd(text, lineStarts, reader.line);
    const first = skipBlanks(text, start, end);
    if (first < end && text.charCodeAt(first) !== 35) {
      if (first - start <= indent) return true;
      if (!reader.lenient) return false;
      reader.problems.push({ line: reader.line + 1, message: 'this indented line was not understood' });
    } else if (first < end || !isFollowedByIndent(reader)) return true;
    reader.line++;
  }
  return true;
}

/** A blank line inside a value that goes on is part of it. */
function isFollowedByIndent(reader: Reader): boolean {
  const next = reader.line + 1;
  return next < reader.last && isBlank(reader.text.charCodeAt(reader.lineStarts[next]!));
}

function isBlockScalar(value: LineValue): boolean {
  return /^[|>][+-]?\d?$/.test(value.values[0] ?? '');
}

function readIndentedText(reader: Reader): LineValue {
  const { text, lineStarts } = reader;
  const lines: string[] = [];
  const start = lineStarts[reader.line] ?? text.length;
  let end = start;
  for (; reader.line < reader.last; reader.line++) {
    const lineStart = lineStarts[reader.line]!;
    const stop = lineEnd(text, lineStarts, reader.line);
    if (stop > lineStart && !isBlank(text.charCodeAt(lineStart))) break;
    lines.push(text.slice(lineStart, stop).trim());
    end = stop;
  }
  return { values: [lines.join('\n').trim()], isList: false, start: Math.min(start, end), end };
}

function addEntry(reader: Reader, key: string, value: LineValue, line: number): void {
  const { text, lineStarts } = reader;
  const links = readPropertyLinks(text, value.start, value.end, (at) => lineOf(lineStarts, at) + 1);
  reader.entries.push({
    key,
    values: value.values,
    isList: value.isList,
    valueStart: value.start,
    valueEnd: value.end,
    line: line + 1,
    links,
  });
}
