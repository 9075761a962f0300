/**
 * The working state of the block scan (blocks.ts): a cursor on the current line, the stack of open containers,
 * the open leaf, and what has been found. Lines are counted from 0 in here.
 */

import { SPACE, TAB } from './characters.js';
import { type Finder, startFinder } from './finder.js';
import { lineEnd } from './lines.js';
import type { Block, BlockKind, Callout, Heading, Item, Region } from './scanned-note.js';

export type Draft<T> = { -readonly [K in keyof T]: T[K] };

export const QUOTE = 1;
export const ITEM = 2;
export const FOOTNOTE = 3;

export type Container = {
  readonly kind: typeof QUOTE | typeof ITEM | typeof FOOTNOTE;
  /** Columns of indentation that continue it. */
  readonly width: number;
  /** Into `items` or `regions`, -1 for a footnote. */
  readonly index: number;
  /** Into `callouts`, -1 for other containers. */
  readonly callout: number;
  /** Of an item: the sign that all items of its list share. */
  readonly sign: number;
  readonly line: number;
  /** Position in the stack of the deepest quote at or above it, -1 without one. */
  readonly lastQuote: number;
  /** Innermost item at or above it. */
  readonly item: number;
  readonly quotes: number;
  hasContent: boolean;
};

export const NO_LEAF = 0;
export const PARAGRAPH = 1;
export const TABLE = 2;
export const FENCE = 3;
export const INDENTED = 4;
export const HTML = 5;
export const MATH = 6;
export const COMMENT = 7;

/** A run of inline content: its lines' spans lie in `segments`, from `from` to `to`, two numbers a line. */
export type Leaf = {
  readonly kind: 'paragraph' | 'heading' | 'row' | 'comment';
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** Innermost item around it, -1 outside lists. */
  readonly item: number;
  /** It is that item's text. */
  readonly isItemText: boolean;
  /** Index into `headings`, -1 for others. */
  readonly heading: number;
  /** Line starts hold quote signs, so the lines cannot be read in place. */
  readonly quoted: boolean;
  /** Index of the top-level block it lies in. */
  readonly block: number;
};

export type LinkDefinition = { readonly destination: string };

export type BlockState = {
  readonly text: string;
  readonly lineStarts: Uint32Array;
  readonly markerLines: ReadonlySet<number>;

  line: number;
  at: number;
  column: number;
  end: number;
  /** The next character that is no space or tab, its column, and its distance from `column`. */
  next: number;
  indent: number;
  blank: boolean;

  readonly containers: Container[];
  depth: number;
  /** How many open containers the line goes on in. */
  matched: number;
  /** The line can only go on in a paragraph whose containers it does not continue. */
  lazy: boolean;
  leaf: number;
  leafLine: number;
  leafStart: number;
  leafFrom: number;
  /** Of the open fence: sign, length; of HTML: kind 1-7. */
  sign: number;
  length: number;
  language: string;
  /** Segment up to which `%%` were counted in the open paragraph, and how many there were. */
  countedTo: number;
  commentSigns: number;
  /** The last line that was not blank. */
  lastContent: number;
  /** Open headings of the outline by level. */
  readonly path: number[];
  heading: number;
  readonly finder: Finder;
  readonly definitionFinder: Finder;

  readonly segments: number[];
  readonly leaves: Leaf[];
  readonly headings: Draft<Heading>[];
  readonly blocks: Draft<Block>[];
  readonly regions: Draft<Region>[];
  readonly items: Draft<Item>[];
  readonly callouts: Draft<Callout>[];
  readonly definitions: Map<string, LinkDefinition>;
  listSign: number;
};

export function startBlockState(
  text: string,
  lineStarts: Uint32Array,
  markerLines: ReadonlySet<number>,
): BlockState {
  return {
    text,
    lineStarts,
    markerLines,
    line: 0,
    at: 0,
    column: 0,
    end: 0,
    next: 0,
    indent: 0,
    blank: false,
    containers: [],
    depth: 0,
    matched: 0,
    lazy: false,
    leaf: NO_LEAF,
    leafLine: 0,
    leafStart: 0,
    leafFrom: 0,
    sign: 0,
    length: 0,
    language: '',
    countedTo: 0,
    commentSigns: 0,
    lastContent: 0,
    path: [],
    heading: -1,
    finder: startFinder(text),
    definitionFinder: startFinder(text),
    segments: [],
    leaves: [],
    headings: [],
    blocks: [],
    regions: [],
    items: [],
    callouts: [],
    definitions: new Map(),
    listSign: 0,
  };
}

/** Looks ahead to the next character that is no space or tab. */
export function lookAhead(state: BlockState): void {
  const { text, end } = state;
  let at = state.at;
  let column = state.column;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === SPACE) column++;
    else if (code === TAB) column += 4 - (column & 3);
    else break;
    at++;
  }
  state.next = at;
  state.indent = column - state.column;
  state.blank = at >= end;
}

/** Moves the cursor over `columns` of indentation; a tab may be left half used. */
export function skipColumns(state: BlockState, columns: number): void {
  let left = columns;
  while (left > 0 && state.at < state.end) {
    const code = state.text.charCodeAt(state.at);
    if (code === TAB) {
      const width = 4 - (state.column & 3);
      if (width > left) {
        state.column += left;
        return;
      }
      state.column += width;
      left -= width;
    } else if (code === SPACE) {
      state.column++;
      left--;
    } else return;
    state.at++;
  }
}

/** Moves the cursor to `next` and then over `length` characters that are no tabs. */
export function skipSigns(state: BlockState, length: number): void {
  state.column += state.indent + length;
  state.at = state.next + length;
}

export function endOfLine(state: BlockState, line: number): number {
  return lineEnd(state.text, state.lineStarts, line);
}

/** Ends the open top-level block and begins the next. */
export function startTopBlock(state: BlockState, kind: BlockKind, start: number, line: number): void {
  endTopBlock(state, state.lastContent);
  state.blocks.push({ kind, start, end: start, line: line + 1, endLine: line + 1 });
  state.listSign = 0;
}

/** Ends it with the line, unless its end is known already. */
export function endTopBlock(state: BlockState, line: number): void {
  const last = state.blocks.at(-1);
  if (last === undefined || last.end !== last.start) return;
  const endLine = Math.max(line, last.line - 1);
  endTopBlockAt(state, endOfLine(state, endLine), endLine);
}

export function endTopBlockAt(state: BlockState, end: number, line: number): void {
  const last = state.blocks[state.blocks.length - 1]!;
  last.end = end;
  last.endLine = line + 1;
}
