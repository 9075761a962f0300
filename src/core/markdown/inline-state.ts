/** The working state of the inline scan (inline.ts): the leaf being read, open brackets, and what has been found. */

import type { BlockState, Draft, LinkDefinition } from './block-state.js';
import { type Finder, startFinder } from './finder.js';
import { lineOf } from './lines.js';
import type { BlockId, Field, Item, Link, Region, Tag } from './scanned-note.js';

/** An open `[` or `![`. */
export type Opener = {
  readonly at: number;
  readonly isImage: boolean;
  /** Offset of `::` where the bracket opens an inline field, else -1. */
  readonly fieldSign: number;
  /** Number of links found before it. */
  readonly linksBefore: number;
  /** A link lies inside: it cannot be a link itself. */
  isInactive: boolean;
  hasBrackets: boolean;
};

/** An open `(` that starts an inline field, and how many plain parentheses are open inside. */
export type FieldParenthesis = { readonly at: number; readonly fieldSign: number; depth: number };

export type InlineState = {
  readonly note: string;
  readonly lineStarts: Uint32Array;
  readonly bodyLine: number;
  readonly definitions: ReadonlyMap<string, LinkDefinition>;
  /** `::` occurs in the note at all. */
  readonly hasFieldSigns: boolean;
  readonly noteFinder: Finder;

  /** The text read from: the note's, or a leaf's copy of which `shift` leads back to the note. */
  text: string;
  finder: Finder;
  shift: number;
  to: number;
  item: number;
  isItemText: boolean;
  /** Lines can be fields of their own. */
  readsLines: boolean;
  /** Everything is in a comment: no tags. */
  inComment: boolean;
  /** Offset of the `%%` that ends the comment being read, -1 outside one. */
  commentEnd: number;
  lineStart: number;
  /** No `$` can close inline math any more. */
  mathIsOver: boolean;
  /** Code spans: the last place where a run of so many backticks was seen, and whether all runs were. */
  readonly tickRuns: Int32Array;
  ticksSeen: boolean;

  readonly openers: Opener[];
  readonly parentheses: FieldParenthesis[];
  readonly links: Link[];
  readonly tags: Tag[];
  readonly fields: Field[];
  readonly blockIds: BlockId[];
  readonly regions: Draft<Region>[];
  readonly items: Draft<Item>[];
};

export const MAX_TICKS = 80;

export function startInlineState(blocks: BlockState, bodyLine: number): InlineState {
  const noteFinder = startFinder(blocks.text);
  return {
    note: blocks.text,
    lineStarts: blocks.lineStarts,
    bodyLine,
    definitions: blocks.definitions,
    hasFieldSigns: blocks.text.includes('::'),
    noteFinder,
    text: blocks.text,
    finder: noteFinder,
    shift: 0,
    to: 0,
    item: -1,
    isItemText: false,
    readsLines: false,
    inComment: false,
    commentEnd: -1,
    lineStart: 0,
    mathIsOver: false,
    tickRuns: new Int32Array(MAX_TICKS + 1),
    ticksSeen: false,
    openers: [],
    parentheses: [],
    links: [],
    tags: [],
    fields: [],
    blockIds: [],
    regions: blocks.regions,
    items: blocks.items,
  };
}

/** Line of an offset in the text being read, counted from 1. */
export function lineAt(state: InlineState, at: number): number {
  return lineOf(state.lineStarts, at + state.shift) + 1;
}
