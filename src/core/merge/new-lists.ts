/**
 * Lists that both sides made and the base has not: the merged one stands where ours stood, in all three versions. The
 * rest of what is settled before the merge by lines: merge-notes.ts.
 */

import { diffLines, splitLines } from '../edit/line-diff.js';
import { endsLine, lineEndingOf } from '../edit/line-endings.js';
import type { TextChange } from '../edit/text-change.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { hasList, type ListSection, type Section } from './statement-lists.js';
import type { Span, Versions } from './versions.js';

type Sections = Versions<Section | undefined>;

/** `merged`: the items, without the last line ending. Undefined where the lists cannot be brought to one place. */
export function placeNewList(
  notes: Versions<ScannedNote>,
  sections: Sections,
  merged: string,
): Versions<readonly TextChange[]> | undefined {
  const { base, ours, theirs } = sections;
  const hasHeading = base !== undefined;
  // A heading that one side took out is the lines' affair.
  if (hasHeading && (ours === undefined || theirs === undefined)) return undefined;
  const canMove = (section: Section | undefined) => section === undefined || hasHeading || section.isPlain;
  if (hasList(ours) && canMove(theirs)) {
    const { inBase, kept, moved } = placeAs(
      notes.base,
      notes.ours,
      ours,
      notes.theirs,
      theirs,
      merged,
      hasHeading,
    );
    return { base: inBase, ours: kept, theirs: moved };
  }
  if (!hasList(theirs) || !canMove(ours)) return undefined;
  const { inBase, kept, moved } = placeAs(
    notes.base,
    notes.theirs,
    theirs,
    notes.ours,
    ours,
    merged,
    hasHeading,
  );
  return { base: inBase, ours: moved, theirs: kept };
}

function placeAs(
  base: ScannedNote,
  kept: ScannedNote,
  keptSection: ListSection,
  moved: ScannedNote,
  movedSection: Section | undefined,
  merged: string,
  hasHeading: boolean,
) {
  const own = wholeOf(kept, keptSection, hasHeading);
  const { start, end } = keptSection.list;
  const part = kept.text.slice(own.start, start) + merged + kept.text.slice(end, own.end);
  const line = mapLine(kept.text, base.text, lineAt(kept, own.start));
  return {
    inBase: [insertion(base.text, line, part)],
    kept: [{ start, end, text: merged }],
    moved:
      movedSection === undefined || (hasHeading && !hasList(movedSection))
        ? [insertion(moved.text, mapLine(base.text, moved.text, line), part)]
        : movePart(moved, wholeOf(moved, movedSection, hasHeading), { base, line }, part),
  };
}

function movePart(
  moved: ScannedNote,
  from: Span,
  { base, line }: { readonly base: ScannedNote; readonly line: number },
  part: string,
): readonly TextChange[] {
  if (line === mapLine(moved.text, base.text, lineAt(moved, from.start))) return [{ ...from, text: part }];
  const insert = insertion(moved.text, mapLine(base.text, moved.text, line), part);
  const isInside = insert.start >= from.start && insert.start <= from.end;
  return isInside ? [{ ...from, text: part }] : [{ ...from, text: '' }, insert];
}

/** The section with its heading, or the list alone where the base has the heading; with the blank lines before. */
export function wholeOf({ text, lineStarts }: ScannedNote, section: Section, hasHeading: boolean): Span {
  const { list, headingLine, headingEndLine } = section;
  let first = hasHeading || headingLine === 0 ? (list?.line ?? 1) : headingLine;
  const isBlank = (line: number) => text.slice(lineStarts[line - 1], lineStarts[line]).trim() === '';
  while (first > 1 && isBlank(first - 1)) first -= 1;
  return { start: lineStarts[first - 1]!, end: lineStarts[list?.endLine ?? headingEndLine] ?? text.length };
}

/** Counted from 0. */
export function lineAt({ text }: ScannedNote, offset: number): number {
  return splitLines(text.slice(0, offset)).length;
}

/** Where the line of one text would stand in the other. */
export function mapLine(from: string, to: string, line: number): number {
  let shift = 0;
  for (const hunk of diffLines(splitLines(from), splitLines(to))) {
    if (line < hunk.start) break;
    if (line < hunk.end) return hunk.otherStart;
    shift = hunk.otherEnd - hunk.end;
  }
  return line + shift;
}

export function insertion(text: string, line: number, part: string): TextChange {
  const start = splitLines(text)
    .slice(0, line)
    .reduce((sum, { length }) => sum + length, 0);
  if (start < text.length || endsLine(text)) return { start, end: start, text: part };
  return { start, end: start, text: lineEndingOf(text) + part.replace(/(?:\r\n|\n|\r)$/, '') };
}
