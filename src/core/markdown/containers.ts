/** Quotes, list items and footnotes: what continues one on the next line, what opens and closes one. */

import {
  type BlockState,
  type Container,
  endOfLine,
  FOOTNOTE,
  ITEM,
  lookAhead,
  QUOTE,
  skipColumns,
  skipSigns,
  startTopBlock,
} from './block-state.js';
import { readCallout } from './callouts.js';
import { isDigit, isMarkdownSpace, SPACE, skipBlanks, TAB } from './characters.js';
import { closeLeaf } from './leaves.js';

const MAX_ORDINAL_DIGITS = 9;
const FOOTNOTE_WIDTH = 4;
const MAX_LABEL = 999;

/** Whether the line goes on inside the container; if so the cursor stands behind its prefix. */
export function continues(state: BlockState, container: Container): boolean {
  if (container.kind === QUOTE) {
    if (state.indent > 3 || state.text.charCodeAt(state.next) !== 62 || state.blank) return false;
    enterQuote(state);
    return true;
  }
  if (state.blank)
    return container.hasContent || state.line === container.line || container.kind === FOOTNOTE;
  if (state.indent < container.width) return false;
  // What comes next stays in its column; looking ahead again would cost the square of a deep indentation.
  const nextColumn = state.column + state.indent;
  skipColumns(state, container.width);
  state.indent = nextColumn - state.column;
  return true;
}

export function enterQuote(state: BlockState): void {
  skipSigns(state, 1);
  const code = state.at < state.end ? state.text.charCodeAt(state.at) : 0;
  if (code === SPACE || code === TAB) skipColumns(state, 1);
  lookAhead(state);
}

function top(state: BlockState): Container | undefined {
  return state.depth > 0 ? state.containers[state.depth - 1] : undefined;
}

function push(
  state: BlockState,
  kind: Container['kind'],
  width: number,
  index: number,
  sign: number,
  callout: number,
): void {
  const outer = top(state);
  if (outer !== undefined) outer.hasContent = true;
  state.containers[state.depth] = {
    kind,
    width,
    index,
    callout,
    sign,
    line: state.line,
    lastQuote: kind === QUOTE ? state.depth : (outer?.lastQuote ?? -1),
    item: kind === ITEM ? index : (outer?.item ?? -1),
    quotes: (outer?.quotes ?? 0) + (kind === QUOTE ? 1 : 0),
    hasContent: false,
  };
  state.depth++;
}

export function openQuote(state: BlockState): void {
  const start = state.next;
  if (state.depth === 0) startTopBlock(state, 'quote', start, state.line);
  const line = state.line + 1;
  state.regions.push({ kind: 'quote', start, end: start, line, endLine: line, language: '', closed: true });
  enterQuote(state);
  const callout = readCallout(state, start);
  push(state, QUOTE, 0, state.regions.length - 1, 0, callout);
}

export type ListMarker = { readonly end: number; readonly sign: number; readonly ordinal: boolean };

/**
 * The list marker at `next`, if there is one. Interrupting a paragraph takes text behind it, and the number 1.
 * One reused object: the marker is read before the next line is.
 */
const marker = { end: 0, sign: 0, ordinal: false };

export function readListMarker(state: BlockState, interrupts: boolean): ListMarker | undefined {
  const { text, next, end } = state;
  let at = next;
  let sign = text.charCodeAt(at);
  if (isDigit(sign)) {
    while (at < end && isDigit(text.charCodeAt(at))) at++;
    if (at - next > MAX_ORDINAL_DIGITS || at >= end) return undefined;
    sign = text.charCodeAt(at);
    if (sign !== 46 && sign !== 41) return undefined;
    if (interrupts && (at - next > 1 || text.charCodeAt(next) !== 49)) return undefined;
    marker.ordinal = true;
  } else marker.ordinal = false;
  at++;
  if (at < end && text.charCodeAt(at) !== SPACE && text.charCodeAt(at) !== TAB) return undefined;
  if (interrupts && skipBlanks(text, at, end) >= end) return undefined;
  marker.end = at;
  marker.sign = sign;
  return marker;
}

/** Opens the item whose marker was read; leaves the cursor at its text. */
export function openItem(state: BlockState, { end, sign }: ListMarker): void {
  const { text } = state;
  const start = state.next;
  const outer = top(state);
  const indentColumn = state.column + state.indent;
  const markerWidth = end - start;
  const offset = state.indent + markerWidth;
  if (state.depth === 0 && !(state.blocks.at(-1)?.kind === 'list' && state.listSign === sign)) {
    startTopBlock(state, 'list', start, state.line);
    state.listSign = sign;
  }
  skipSigns(state, markerWidth);
  lookAhead(state);
  let padding = state.indent;
  if (state.blank || padding > 4) padding = 1;
  skipColumns(state, padding);
  lookAhead(state);
  const parent = outer?.item ?? -1;
  const line = state.line + 1;
  state.items.push({
    start,
    end,
    line,
    endLine: line,
    marker: text.slice(start, end),
    indent: indentColumn,
    contentIndent: indentColumn + markerWidth + padding,
    depth: parent < 0 ? 0 : state.items[parent]!.depth + 1,
    parent,
    quotes: outer?.quotes ?? 0,
    heading: state.heading,
    textStart: -1,
    textEnd: -1,
    textLine: line,
    textEndLine: line,
    task: undefined,
    blockId: undefined,
  });
  push(state, ITEM, offset + padding, state.items.length - 1, sign, -1);
}

/** Opens a footnote's definition, `[^label]:`, if one stands at `next`. */
export function openFootnote(state: BlockState): boolean {
  const { text, next } = state;
  const limit = Math.min(state.end, next + MAX_LABEL);
  if (text.charCodeAt(next + 1) !== 94) return false;
  let at = next + 2;
  for (; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === 93) break;
    if (code === 91 || isMarkdownSpace(code)) return false;
    if (code === 92) at++;
  }
  if (at === next + 2 || at >= limit || text.charCodeAt(at + 1) !== 58) return false;
  makeRoom(state);
  if (state.depth === 0) startTopBlock(state, 'footnote', next, state.line);
  skipSigns(state, at + 2 - next);
  lookAhead(state);
  skipColumns(state, state.indent);
  lookAhead(state);
  push(state, FOOTNOTE, FOOTNOTE_WIDTH, -1, 0, -1);
  return true;
}

/** A block is about to open on this line: closes the open leaf, and the containers that a lazy line left open. */
export function makeRoom(state: BlockState): void {
  if (state.lazy) closeContainers(state, state.matched);
  else closeLeaf(state);
  state.lazy = false;
}

/** Closes the open leaf and all containers beyond the first `kept`. */
export function closeContainers(state: BlockState, kept: number): void {
  closeLeaf(state);
  while (state.depth > kept) {
    const container = state.containers[--state.depth]!;
    const line = Math.max(state.lastContent, container.line);
    if (container.kind === FOOTNOTE) continue;
    const open = container.kind === ITEM ? state.items[container.index]! : state.regions[container.index]!;
    open.endLine = line + 1;
    open.end = Math.max(open.end, endOfLine(state, line));
    if (container.callout < 0) continue;
    const callout = state.callouts[container.callout]!;
    callout.end = open.end;
    callout.endLine = open.endLine;
  }
}
