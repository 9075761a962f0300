/** What an edit would do, as the diff that everybody knows. */

import { diffLines, type LineHunk, splitLines } from './line-diff.js';

const CONTEXT = 3;

/** Empty where nothing differs. A new or removed file has an empty text and the path `/dev/null`. */
export function unifiedDiff(
  before: { readonly path: string; readonly text: string },
  after: { readonly path: string; readonly text: string },
): string {
  const from = splitLines(before.text);
  const to = splitLines(after.text);
  const hunks = diffLines(from, to);
  const head = `--- ${named('a', before.path)}\n+++ ${named('b', after.path)}\n`;
  if (hunks.length === 0) return before.path === after.path ? '' : head;
  return (
    head +
    groups(hunks)
      .map((group) => printGroup(group, from, to))
      .join('')
  );
}

function named(side: string, path: string): string {
  return path === '/dev/null' ? path : `${side}/${path}`;
}

/** Hunks whose contexts meet are shown together. */
function groups(hunks: readonly LineHunk[]): readonly (readonly LineHunk[])[] {
  const all: LineHunk[][] = [];
  for (const hunk of hunks) {
    const open = all[all.length - 1];
    if (open !== undefined && hunk.start - open[open.length - 1]!.end <= CONTEXT * 2) open.push(hunk);
    else all.push([hunk]);
  }
  return all;
}

function printGroup(group: readonly LineHunk[], from: readonly string[], to: readonly string[]): string {
  const first = group[0]!;
  const last = group[group.length - 1]!;
  const start = Math.max(0, first.start - CONTEXT);
  const end = Math.min(from.length, last.end + CONTEXT);
  const otherStart = first.otherStart - (first.start - start);
  const otherEnd = last.otherEnd + (end - last.end);
  let body = '';
  let at = start;
  for (const hunk of group) {
    for (; at < hunk.start; at += 1) body += printLine(' ', from[at]!);
    for (; at < hunk.end; at += 1) body += printLine('-', from[at]!);
    for (const line of to.slice(hunk.otherStart, hunk.otherEnd)) body += printLine('+', line);
  }
  for (; at < end; at += 1) body += printLine(' ', from[at]!);
  return `@@ -${range(start, end)} +${range(otherStart, otherEnd)} @@\n${body}`;
}

function range(start: number, end: number): string {
  const length = end - start;
  const first = length === 0 ? start : start + 1;
  return length === 1 ? `${first}` : `${first},${length}`;
}

function printLine(sign: string, line: string): string {
  return /[\r\n]$/.test(line)
    ? `${sign}${line.replace(/\r?\n?$/, '')}\n`
    : `${sign}${line}\n\\ No newline at end of file\n`;
}
