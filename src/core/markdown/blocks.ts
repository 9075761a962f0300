/**
 * The block structure of a note, line by line: which containers a line goes on in, what it opens, what it is
 * part of. Containers: containers.ts; leaves: leaves.ts, headings.ts, fences.ts, tables.ts, html-blocks.ts.
 */

import type { Steps } from '../turns.js';
import {
  type BlockState,
  COMMENT,
  endOfLine,
  endTopBlock,
  endTopBlockAt,
  FENCE,
  HTML,
  INDENTED,
  lookAhead,
  MATH,
  NO_LEAF,
  PARAGRAPH,
  startTopBlock,
  TABLE,
} from './block-state.js';
import {
  closeContainers,
  continues,
  makeRoom,
  openFootnote,
  openItem,
  openQuote,
  readListMarker,
} from './containers.js';
import { continueFence, openFence } from './fences.js';
import { findNext } from './finder.js';
import { openAtxHeading, openSetextHeading } from './headings.js';
import { htmlBlockEnd, htmlBlockKind } from './html-blocks.js';
import { addLine, closeLeaf, closeVerbatim, openParagraph, openTable, openVerbatim } from './leaves.js';
import { countCells, delimiterColumns } from './tables.js';

/** What a line can open by its first sign; all other lines are text. */
const OPENS = new Uint8Array(128);
for (const sign of '>#`~<=-*_+$%[0123456789') OPENS[sign.charCodeAt(0)] = 1;

/** Lines between two stops. */
const LINES_AT_ONCE = 8_192;

/** Reads all lines from `first` on, counted from 0, starting at offset `bodyStart`. */
export function* readBlocks(state: BlockState, first: number, bodyStart: number): Steps<void> {
  const count = state.lineStarts.length;
  state.lastContent = first;
  for (let from = first; from < count; from += LINES_AT_ONCE) {
    readLines(state, from, Math.min(from + LINES_AT_ONCE, count), first, bodyStart);
    yield;
  }
  closeContainers(state, 0);
  endTopBlock(state, state.lastContent);
}

function readLines(state: BlockState, from: number, to: number, first: number, bodyStart: number): void {
  for (let line = from; line < to; line++) {
    state.line = line;
    state.at = line === first ? bodyStart : state.lineStarts[line]!;
    state.column = 0;
    state.end = endOfLine(state, line);
    if (state.markerLines.size > 0 && state.markerLines.has(line)) {
      if (state.leaf === PARAGRAPH || state.leaf === TABLE) closeLeaf(state);
      continue;
    }
    lookAhead(state);
    const hasContent = !state.blank;
    readLine(state);
    if (hasContent) state.lastContent = line;
  }
}

function readLine(state: BlockState): void {
  const matched = state.depth > 0 ? matchContainers(state) : 0;
  const all = matched === state.depth;
  if (!all && state.leaf !== PARAGRAPH) closeContainers(state, matched);
  if (all && state.leaf >= FENCE && continueVerbatim(state)) return;
  if (state.blank) {
    if (state.leaf === PARAGRAPH || state.leaf === TABLE) closeContainers(state, matched);
    return;
  }
  state.matched = matched;
  state.lazy = state.leaf === PARAGRAPH && matched < state.depth;
  if (openBlocks(state)) return;
  if (state.leaf === PARAGRAPH) {
    if (state.lazy || !becomesTable(state)) addLine(state);
  } else if (state.leaf === TABLE) addLine(state);
  else openParagraph(state);
}

function matchContainers(state: BlockState): number {
  let matched = 0;
  while (matched < state.depth) {
    const container = state.containers[matched]!;
    const top = state.containers[state.depth - 1]!;
    // A blank line goes on in all items at once: only the innermost can be without content.
    if (state.blank && top.lastQuote < matched) return continues(state, top) ? state.depth : state.depth - 1;
    if (!continues(state, container)) break;
    matched++;
  }
  return matched;
}

/** True if the line was used up. Containers that it opens stay open, with the cursor at what follows. */
function openBlocks(state: BlockState): boolean {
  const { text } = state;
  while (!state.blank) {
    if (state.indent > 3) {
      if (state.leaf === PARAGRAPH) return false;
      makeRoom(state);
      openVerbatim(state, INDENTED, 'indented-code', 'code');
      return true;
    }
    const code = text.charCodeAt(state.next);
    if (code >= 128 || OPENS[code] === 0) return false;
    const inParagraph = state.leaf === PARAGRAPH && !state.lazy;
    if (code === 62) {
      makeRoom(state);
      openQuote(state);
      continue;
    }
    if (openLeaf(state, code, inParagraph)) return true;
    if (code === 91) {
      if (!openFootnote(state)) return false;
      continue;
    }
    const marker = isMarkerSign(code) ? readListMarker(state, inParagraph) : undefined;
    if (marker === undefined) return false;
    makeRoom(state);
    openItem(state, marker);
  }
  return true;
}

function isMarkerSign(code: number): boolean {
  return code === 45 || code === 42 || code === 43 || (code >= 48 && code <= 57);
}

function openLeaf(state: BlockState, code: number, inParagraph: boolean): boolean {
  switch (code) {
    case 35:
      return openAtxHeading(state);
    case 96:
    case 126:
      return openFence(state);
    case 60:
      return openHtml(state);
    case 36:
      return openPaired(state, '$$', MATH);
    case 37:
      return openPaired(state, '%%', COMMENT);
    case 61:
      return inParagraph && openSetextHeading(state, 1);
    case 45:
      return (inParagraph && openSetextHeading(state, 2)) || openBreak(state, code);
    case 42:
    case 95:
      return openBreak(state, code);
    default:
      return false;
  }
}

function openBreak(state: BlockState, sign: number): boolean {
  let count = 0;
  for (let at = state.next; at < state.end; at++) {
    const code = state.text.charCodeAt(at);
    if (code === sign) count++;
    else if (code !== 32 && code !== 9) return false;
  }
  if (count < 3) return false;
  makeRoom(state);
  if (state.depth === 0) startTopBlock(state, 'break', state.next, state.line);
  else state.containers[state.depth - 1]!.hasContent = true;
  return true;
}

function openHtml(state: BlockState): boolean {
  const kind = htmlBlockKind(state, state.leaf === PARAGRAPH);
  if (kind === 0) return false;
  makeRoom(state);
  openVerbatim(state, HTML, 'html', 'html');
  state.sign = kind;
  const opening = kind === 2 ? 2 : 1;
  const end = htmlBlockEnd(state.text, kind, state.next + opening, state.end);
  if (end >= 0) closeVerbatim(state, state.line, state.end, true);
  return true;
}

/** `$$` or `%%` at the start of a line, closed on a later one. Both on one line is a matter of inline.ts. */
function openPaired(state: BlockState, signs: '$$' | '%%', leaf: number): boolean {
  const { text, next, finder } = state;
  if (text.charCodeAt(next + 1) !== text.charCodeAt(next)) return false;
  if (signs === '%%' && state.leaf === PARAGRAPH && hasOpenComment(state)) return false;
  const close = findNext(finder, signs, next + 2, text.length);
  if (close < state.end) return false;
  makeRoom(state);
  openVerbatim(state, leaf, leaf === MATH ? 'math' : 'comment', leaf === MATH ? 'math' : 'comment');
  if (leaf === COMMENT && next + 2 < state.end) state.segments.push(next + 2, state.end);
  else if (leaf === COMMENT) state.leafLine++;
  return true;
}

/** Whether the open paragraph has opened a `%%` that it has not closed. */
function hasOpenComment(state: BlockState): boolean {
  const { segments, text } = state;
  for (; state.countedTo < segments.length; state.countedTo += 2) {
    const end = segments[state.countedTo + 1]!;
    for (let at = segments[state.countedTo]!; at + 1 < end; at++) {
      if (text.charCodeAt(at) !== 37 || text.charCodeAt(at + 1) !== 37) continue;
      state.commentSigns++;
      at++;
    }
  }
  return (state.commentSigns & 1) === 1;
}

/** True if the line belongs to the open verbatim leaf. */
function continueVerbatim(state: BlockState): boolean {
  switch (state.leaf) {
    case FENCE:
      return continueFence(state);
    case INDENTED:
      if (state.blank || state.indent > 3) return true;
      closeLeaf(state);
      return false;
    case HTML:
      return continueHtml(state);
    default:
      return continuePaired(state);
  }
}

function continueHtml(state: BlockState): boolean {
  if (state.sign >= 6) {
    if (!state.blank) return true;
    closeLeaf(state);
    return false;
  }
  const end = htmlBlockEnd(state.text, state.sign, state.next, state.end);
  if (end >= 0) closeVerbatim(state, state.line, state.end, true);
  return true;
}

function continuePaired(state: BlockState): boolean {
  const isComment = state.leaf === COMMENT;
  const close = findNext(state.finder, isComment ? '%%' : '$$', state.next, state.end);
  if (close < 0) {
    if (isComment) addLine(state);
    return true;
  }
  if (isComment && close > state.next) state.segments.push(state.next, close);
  closeVerbatim(state, state.line, close + 2, true);
  if (!isComment) return true;
  // What stands behind a comment's end is text of its own.
  state.column += state.indent + close + 2 - state.next;
  state.at = close + 2;
  lookAhead(state);
  if (state.blank) return true;
  if (state.depth === 0) endTopBlockAt(state, close + 2, state.line);
  openParagraph(state);
  return true;
}

/** Whether the line is the delimiter row under a head of as many cells. */
function becomesTable(state: BlockState): boolean {
  const { text, next, end, segments } = state;
  const code = text.charCodeAt(next);
  if ((code !== 124 && code !== 45 && code !== 58) || state.leaf === NO_LEAF) return false;
  const columns = delimiterColumns(text, next, end);
  if (columns === 0) return false;
  const headEnd = segments[segments.length - 1]!;
  if (countCells(text, segments[segments.length - 2]!, headEnd) !== columns) return false;
  openTable(state);
  return true;
}
