/**
 * Cuts a note into passages: the pieces that are indexed, embedded and cited. Passages tile the body: every line
 * that is not blank lies in one of them.
 *
 *   section borders start a passage, unless the one before is still short and the new section lies beside or below it
 *   blocks are packed up to MAX_LENGTH; a fence up to MAX_FENCE is never cut; longer blocks are cut at lines,
 *   sentences or words
 */

import type { Block, Heading, ScannedNote } from '../markdown/scanned-note.js';

export type Passage = {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
  /** Titles of the headings above and at its first section, outermost first. */
  readonly headings: readonly string[];
  /** Level of the last of them, 0 where there is none. */
  readonly level: number;
  /** All headings that it stands under or contains, each once. */
  readonly allHeadings: readonly string[];
};

/** Below this a passage takes in the next section: at 600, a vault of reference pages keeps a third of its sections' number. */
const SHORT_LENGTH = 600;
/** About 350 words: what small embedding models read before they truncate. */
const MAX_LENGTH = 2_000;
/** A fence is one example; cut in two neither half means anything. */
const MAX_FENCE = 8_000;
/** A tail below this joins the passage before it. */
const MIN_LENGTH = 300;

type Piece = {
  start: number;
  end: number;
  /** Index of the heading it stands under, -1 before the first. */
  heading: number;
  /** Last heading inside it. */
  lastHeading: number;
};

export function cutPassages(note: ScannedNote): readonly Passage[] {
  return joinTails(packBlocks(note), note).map((piece) => toPassage(piece, note));
}

function packBlocks(note: ScannedNote): Piece[] {
  const pieces: Piece[] = [];
  let open: Piece | undefined;
  let heading = -1;
  let nextHeading = 0;
  const outline = note.headings;

  for (const block of note.blocks) {
    while (nextHeading < outline.length && outline[nextHeading]!.start <= block.start) {
      if (!outline[nextHeading]!.nested) heading = nextHeading;
      nextHeading += 1;
    }
    const isNewSection = open !== undefined && heading !== open.lastHeading;
    const length = block.end - block.start;
    const joined = open === undefined ? length : block.end - open.start;
    const mayJoin =
      open !== undefined &&
      joined <= MAX_LENGTH &&
      (!isNewSection ||
        (open.end - open.start < SHORT_LENGTH && isBesideOrBelow(outline, open.heading, heading)));
    if (open !== undefined && mayJoin) {
      open.end = block.end;
      open.lastHeading = heading;
      continue;
    }
    // A heading must not be parted from what it heads.
    const carried = open !== undefined && !isNewSection && isOnlyHeadings(open, note) ? open : undefined;
    if (carried && length > (block.kind === 'code' ? MAX_FENCE : MAX_LENGTH)) {
      pieces.pop();
      pieces.push(...cutBlock(block, note, carried.start, heading));
      open = pieces[pieces.length - 1];
      continue;
    }
    if (carried) {
      carried.end = block.end;
      continue;
    }
    pieces.push(...cutBlock(block, note, block.start, heading));
    open = pieces[pieces.length - 1];
  }
  return pieces;
}

function isBesideOrBelow(outline: readonly Heading[], first: number, next: number): boolean {
  if (next < 0 || first < 0) return true;
  return outline[next]!.level >= outline[first]!.level;
}

function isOnlyHeadings(piece: Piece, note: ScannedNote): boolean {
  let at = piece.start;
  // From the first: a note of ten thousand sections is asked this ten thousand times.
  for (let index = Math.max(0, piece.heading); index < note.headings.length; index += 1) {
    const heading = note.headings[index]!;
    if (heading.start >= piece.end) break;
    if (heading.end <= at) continue;
    if (note.text.slice(at, heading.start).trim() !== '') return false;
    at = heading.end;
  }
  return note.text.slice(at, piece.end).trim() === '';
}

/** One piece where the block fits, else several that together cover it from `from` on. */
function cutBlock(block: Block, note: ScannedNote, from: number, heading: number): Piece[] {
  const limit = block.kind === 'code' ? MAX_FENCE : MAX_LENGTH;
  const pieces: Piece[] = [];
  let start = from;
  while (block.end - start > limit) {
    const end = cutPlace(note.text, start, Math.min(start + MAX_LENGTH, block.end));
    pieces.push({ start, end, heading, lastHeading: heading });
    start = end;
    while (start < block.end && /\s/.test(note.text[start]!)) start += 1;
  }
  if (start < block.end) pieces.push({ start, end: block.end, heading, lastHeading: heading });
  return pieces;
}

/** The last line end in the second half, else sentence end, else space, else the limit (never inside a surrogate pair). */
function cutPlace(text: string, start: number, limit: number): number {
  const half = start + (limit - start) / 2;
  const line = text.lastIndexOf('\n', limit - 1);
  if (line > half) return line;
  for (let i = limit - 1; i > half; i -= 1) {
    if ('。！？'.includes(text[i]!)) return i + 1;
    if ('.!?'.includes(text[i]!) && text[i + 1] === ' ') return i + 1;
  }
  const space = text.lastIndexOf(' ', limit - 1);
  if (space > half) return space;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code < 0xdc00 ? limit - 1 : limit;
}

/** A last short piece of a section goes back to the one before where both fit. */
function joinTails(pieces: readonly Piece[], note: ScannedNote): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const before = joined[joined.length - 1];
    if (
      before &&
      piece.end - piece.start < MIN_LENGTH &&
      piece.end - before.start <= MAX_LENGTH &&
      (piece.heading === before.lastHeading || isBesideOrBelow(note.headings, before.heading, piece.heading))
    ) {
      before.end = piece.end;
      before.lastHeading = piece.lastHeading;
    } else joined.push({ ...piece });
  }
  return joined;
}

function toPassage(piece: Piece, note: ScannedNote): Passage {
  const headings = headingPath(note.headings, piece.heading);
  const all = new Set(headings);
  for (let i = Math.max(0, piece.heading); i <= piece.lastHeading; i += 1) {
    const heading = note.headings[i]!;
    if (!heading.nested) all.add(heading.text);
  }
  all.delete('');
  return {
    start: piece.start,
    end: piece.end,
    line: lineAt(note.lineStarts, piece.start),
    endLine: lineAt(note.lineStarts, Math.max(piece.start, piece.end - 1)),
    headings,
    level: note.headings[piece.heading]?.level ?? 0,
    allHeadings: [...all],
  };
}

export function headingPath(outline: readonly Heading[], index: number): readonly string[] {
  const path: string[] = [];
  for (let at = index; at >= 0; at = outline[at]!.parent) path.unshift(outline[at]!.text);
  return path;
}

/** The line, counted from 1, that holds the offset. */
export function lineAt(lineStarts: Uint32Array, offset: number): number {
  let low = 0;
  let high = lineStarts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (lineStarts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
