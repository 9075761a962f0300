/**
 * The property block at the top of a note: found here, read by property-lines.ts (nearly always) or
 * property-tree.ts; broken YAML, template code and keys written twice are read all the same, and reported.
 */

import { skipBlanks, skipWhiteSpace } from './characters.js';
import { lineEnd } from './lines.js';
import { readPropertyLines } from './property-lines.js';
import { readPropertyTree } from './property-tree.js';
import type { PropertyBlock, PropertyEntry, PropertyProblem } from './scanned-note.js';

/** The block, and the line behind it counted from 0. Undefined: the note has none. */
export function readProperties(
  text: string,
  lineStarts: Uint32Array,
  start: number,
): { readonly block: PropertyBlock; readonly nextLine: number } | undefined {
  if (!text.startsWith('---', start)) return undefined;
  if (!isFence(text, start, lineEnd(text, lineStarts, 0))) return undefined;
  const last = closingLine(text, lineStarts);
  if (last < 0) return undefined;
  const from = lineStarts[1]!;
  const to = lineStarts[last]!;
  const isJson =
    text.charCodeAt(skipWhiteSpace(text, from, to)) === 123 &&
    text[skipWhiteSpace(text, from, to) + 1] !== '{';
  const { entries, problems } = readBlock(text, lineStarts, last, from, to, isJson);
  const block: PropertyBlock = {
    start,
    end: lineEnd(text, lineStarts, last),
    kind: isJson ? 'json' : 'yaml',
    entries,
    problems: [...problems, ...findTwins(entries)].sort((one, other) => one.line - other.line),
  };
  return { block, nextLine: last + 1 };
}

function readBlock(
  text: string,
  lineStarts: Uint32Array,
  last: number,
  from: number,
  to: number,
  isJson: boolean,
): { readonly entries: readonly PropertyEntry[]; readonly problems: readonly PropertyProblem[] } {
  const lines = isJson ? undefined : readPropertyLines(text, lineStarts, 1, last, false);
  if (lines !== undefined) return lines;
  const tree = readPropertyTree(text, lineStarts, from, to);
  if (tree.problems.length === 0) return tree;
  const lenient = readPropertyLines(text, lineStarts, 1, last, true)!;
  // Our own words name the line where the trouble starts, YAML's often where it ends.
  return lenient.problems.length > 0 ? lenient : { entries: lenient.entries, problems: tree.problems };
}

function isFence(text: string, start: number, end: number): boolean {
  return text.startsWith('---', start) && skipBlanks(text, start + 3, end) >= end;
}

function closingLine(text: string, lineStarts: Uint32Array): number {
  for (let at = text.indexOf('\n---', 3); at >= 0; at = text.indexOf('\n---', at + 1)) {
    const line = lineAfter(lineStarts, at);
    if (isFence(text, at + 1, lineEnd(text, lineStarts, line))) return line;
  }
  return text.includes('\r') ? closingLineAmongReturns(text, lineStarts) : -1;
}

function lineAfter(lineStarts: Uint32Array, newline: number): number {
  let low = 1;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lineStarts[middle]! > newline) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Lines that end in a lone `\r`. */
function closingLineAmongReturns(text: string, lineStarts: Uint32Array): number {
  for (let line = 1; line < lineStarts.length; line++)
    if (isFence(text, lineStarts[line]!, lineEnd(text, lineStarts, line))) return line;
  return -1;
}

/** Keys written twice. Both values are kept; the first counts where one is wanted. */
function findTwins(entries: readonly PropertyEntry[]): PropertyProblem[] {
  if (entries.length < 2) return [];
  const seen = new Set<string>();
  const twins: PropertyProblem[] = [];
  for (const { key, line } of entries) {
    if (seen.has(key)) twins.push({ line, message: `the key "${key}" is written twice` });
    seen.add(key);
  }
  return twins;
}
