/** Joins two edits of one text, if they touch different lines. */

import { diffLines, type LineHunk, splitLines } from './line-diff.js';

/** `base` with the changes of both; undefined where both changed the same lines, and differently. */
export function mergeTexts(base: string, ours: string, theirs: string): string | undefined {
  if (ours === theirs || theirs === base) return ours;
  if (ours === base) return theirs;
  const lines = splitLines(base);
  const ourLines = splitLines(ours);
  const theirLines = splitLines(theirs);
  const taken: { readonly hunk: LineHunk; readonly text: string }[] = [];
  const add = (hunks: readonly LineHunk[], from: readonly string[]) => {
    for (const hunk of hunks) taken.push({ hunk, text: from.slice(hunk.otherStart, hunk.otherEnd).join('') });
  };
  add(diffLines(lines, ourLines), ourLines);
  add(diffLines(lines, theirLines), theirLines);
  taken.sort((a, b) => a.hunk.start - b.hunk.start || a.hunk.end - b.hunk.end);
  let merged = '';
  let at = 0;
  let last: (typeof taken)[number] | undefined;
  for (const next of taken) {
    const { hunk, text } = next;
    if (last !== undefined && touches(last.hunk, hunk)) {
      if (last.hunk.start === hunk.start && last.hunk.end === hunk.end && last.text === text) continue;
      return undefined;
    }
    merged += lines.slice(at, hunk.start).join('') + text;
    at = hunk.end;
    last = next;
  }
  return merged + lines.slice(at).join('');
}

/** `one` does not start behind `other`. Two insertions at one place have no order of their own. */
function touches(one: LineHunk, other: LineHunk): boolean {
  return other.start < one.end || (one.start === other.start && one.end === other.end);
}
