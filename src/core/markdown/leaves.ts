/** Opening, extending and closing the open leaf: paragraphs and tables here, verbatim blocks as regions. */

import {
  type BlockState,
  COMMENT,
  endOfLine,
  HTML,
  ITEM,
  NO_LEAF,
  PARAGRAPH,
  startTopBlock,
  TABLE,
} from './block-state.js';
import { skipBlanks, trimEnd } from './characters.js';
import { readDefinitions } from './definitions.js';
import { markHtmlComments } from './html-blocks.js';
import type { BlockKind, RegionKind } from './scanned-note.js';

/** Opens a leaf whose lines are not read as blocks, at `next`. */
export function openVerbatim(state: BlockState, leaf: number, region: RegionKind, block: BlockKind): void {
  if (state.depth === 0) startTopBlock(state, block, state.next, state.line);
  else state.containers[state.depth - 1]!.hasContent = true;
  const line = state.line + 1;
  const start = state.next;
  state.regions.push({ kind: region, start, end: start, line, endLine: line, language: '', closed: false });
  state.leaf = leaf;
  state.leafLine = state.line;
  state.leafFrom = state.segments.length;
  // The region is found again by its number: quotes opened later are none of this leaf's.
  state.leafStart = state.regions.length - 1;
}

/** Closes the open verbatim leaf at `end` on `line`. */
export function closeVerbatim(state: BlockState, line: number, end: number, closed: boolean): void {
  const region = state.regions[state.leafStart]!;
  region.end = Math.max(region.start, end);
  region.endLine = line + 1;
  region.closed = closed;
  if (state.leaf === HTML) markHtmlComments(state, region, state.sign);
  if (state.leaf === COMMENT) pushLeaf(state, 'comment', state.leafLine, state.leafFrom, -1, false);
  state.leaf = NO_LEAF;
}

export function closeLeaf(state: BlockState): void {
  const { leaf } = state;
  if (leaf === NO_LEAF) return;
  if (leaf === PARAGRAPH) closeParagraph(state);
  else if (leaf === TABLE) closeTable(state);
  else closeVerbatim(state, state.lastContent, endOfLine(state, state.lastContent), false);
}

export function openParagraph(state: BlockState): void {
  if (state.depth === 0) startTopBlock(state, 'paragraph', state.next, state.line);
  else state.containers[state.depth - 1]!.hasContent = true;
  state.leaf = PARAGRAPH;
  state.leafLine = state.line;
  state.leafFrom = state.segments.length;
  state.countedTo = state.leafFrom;
  state.commentSigns = 0;
  addLine(state);
}

export function addLine(state: BlockState): void {
  state.segments.push(state.next, state.end);
}

function closeParagraph(state: BlockState): void {
  state.leaf = NO_LEAF;
  if (state.text.charCodeAt(state.segments[state.leafFrom]!) === 91 && !stripDefinitions(state)) return;
  const isText = takeItemText(state);
  pushLeaf(state, 'paragraph', state.leafLine, state.leafFrom, -1, isText);
}

/** Takes link definitions off the start of the open paragraph; false if nothing else was in it. */
export function stripDefinitions(state: BlockState): boolean {
  const lines = readDefinitions(state);
  if (lines === 0) return true;
  state.leafFrom += lines * 2;
  state.leafLine += lines;
  if (state.leafFrom < state.segments.length) return true;
  if (state.depth === 0) state.blocks[state.blocks.length - 1]!.kind = 'definition';
  return false;
}

/** Makes the open leaf the text of the item it is the first paragraph of. */
export function takeItemText(state: BlockState): boolean {
  const container = state.depth > 0 ? state.containers[state.depth - 1]! : undefined;
  if (container === undefined || container.kind !== ITEM) return false;
  const item = state.items[container.index]!;
  if (item.textStart >= 0) return false;
  const { segments, text } = state;
  const end = segments[segments.length - 1]!;
  readTaskMark(state, item);
  item.textStart = segments[state.leafFrom]!;
  item.textEnd = Math.max(item.textStart, trimEnd(text, item.textStart, end));
  item.textLine = state.leafLine + 1;
  item.textEndLine = state.leafLine + (segments.length - state.leafFrom) / 2;
  return true;
}

/** `[x]` with any one character; the paragraph then starts behind it. */
function readTaskMark(state: BlockState, item: { task: string | undefined }): void {
  const { text, segments } = state;
  const start = segments[state.leafFrom]!;
  if (text.charCodeAt(start) !== 91) return;
  const end = segments[state.leafFrom + 1]!;
  const mark = String.fromCodePoint(text.codePointAt(start + 1) ?? 93);
  const close = start + 1 + mark.length;
  if (mark === ']' || mark === '[' || close >= end || text.charCodeAt(close) !== 93) return;
  const after = skipBlanks(text, close + 1, end);
  if (after === close + 1 && after < end) return;
  item.task = mark;
  segments[state.leafFrom] = after;
}

export function pushLeaf(
  state: BlockState,
  kind: 'paragraph' | 'heading' | 'row' | 'comment',
  line: number,
  from: number,
  heading: number,
  isItemText: boolean,
): void {
  const container = state.depth > 0 ? state.containers[state.depth - 1]! : undefined;
  const to = state.segments.length;
  state.leaves.push({
    kind,
    line,
    from,
    to,
    item: container?.item ?? -1,
    isItemText,
    heading,
    quoted: to - from > 2 && container !== undefined && container.quotes > 0,
    block: state.blocks.length - 1,
  });
}

/** The last line of the open paragraph turns out to be a table's head; `next` is at the delimiter row. */
export function openTable(state: BlockState): void {
  const { segments } = state;
  const headEnd = segments.pop()!;
  const headStart = segments.pop()!;
  const headLine = state.line - 1;
  if (segments.length > state.leafFrom) {
    const before = state.lastContent;
    state.lastContent = headLine - 1;
    closeParagraph(state);
    if (state.depth === 0) startTopBlock(state, 'table', headStart, headLine);
    state.lastContent = before;
  } else if (state.depth === 0) state.blocks[state.blocks.length - 1]!.kind = 'table';
  const line = headLine + 1;
  state.regions.push({
    kind: 'table',
    start: headStart,
    end: headStart,
    line,
    endLine: line,
    language: '',
    closed: true,
  });
  state.leaf = TABLE;
  state.leafStart = state.regions.length - 1;
  state.leafLine = headLine;
  state.leafFrom = segments.length;
  segments.push(headStart, headEnd);
  addLine(state);
}

function closeTable(state: BlockState): void {
  const region = state.regions[state.leafStart]!;
  const last = state.leafLine + (state.segments.length - state.leafFrom) / 2 - 1;
  region.endLine = last + 1;
  region.end = endOfLine(state, last);
  state.leaf = NO_LEAF;
  pushLeaf(state, 'row', state.leafLine, state.leafFrom, -1, false);
}
