/**
 * What stands inside paragraphs, headings and table cells: links, tags, fields, block ids, comments. Code, math
 * and HTML are stepped over. One pass from left to right, brackets on a stack; blocks: blocks.ts.
 */

import type { Steps } from '../turns.js';
import { readBlockId } from './block-ids.js';
import type { BlockState, Leaf } from './block-state.js';
import { isPunctuation, skipBlanks } from './characters.js';
import { skipCodeSpan, skipMath } from './code-spans.js';
import { addBracketField, fieldSign, readLineField } from './fields.js';
import { findNext, startFinder } from './finder.js';
import { autolinkEnd, markupEnd, tagEnd } from './inline-html.js';
import { type InlineState, lineAt } from './inline-state.js';
import { paragraphSource } from './leaf-source.js';
import { readMarkdownLink } from './markdown-links.js';
import { plainText } from './plain-text.js';
import { cellEnd } from './tables.js';
import { readTag } from './tags.js';
import { readWikilink } from './wikilinks.js';

const SPECIAL = new Uint8Array(128);
for (const sign of '\\`[]!<#$%') SPECIAL[sign.charCodeAt(0)] = 1;
const SPECIAL_WITH_FIELDS = SPECIAL.slice();
for (const sign of '\n()') SPECIAL_WITH_FIELDS[sign.charCodeAt(0)] = 1;

/** Leaves between two stops. */
const LEAVES_AT_ONCE = 4_096;

/** Reads all leaves that the block scan has found. */
export function* readLeaves(state: InlineState, blocks: BlockState): Steps<void> {
  const { leaves } = blocks;
  for (let from = 0; from < leaves.length; from += LEAVES_AT_ONCE) {
    readRun(state, blocks, from, Math.min(from + LEAVES_AT_ONCE, leaves.length));
    yield;
  }
}

/** The texts of headings, and nothing else. */
export function readHeadings(state: InlineState, blocks: BlockState): void {
  for (const leaf of blocks.leaves) if (leaf.heading >= 0) readLeaf(state, blocks, leaf);
}

function readRun(state: InlineState, blocks: BlockState, from: number, to: number): void {
  for (let at = from; at < to; at++) readLeaf(state, blocks, blocks.leaves[at]!);
}

function readLeaf(state: InlineState, blocks: BlockState, leaf: Leaf): void {
  const { segments } = blocks;
  state.item = leaf.item;
  state.isItemText = leaf.isItemText;
  state.inComment = leaf.kind === 'comment';
  state.readsLines = state.hasFieldSigns && (leaf.kind === 'paragraph' || leaf.kind === 'comment');
  if (leaf.from === leaf.to) return;
  let end = segments[leaf.to - 1]!;
  if (leaf.kind !== 'comment') {
    const idStart = readBlockId(state, blocks, leaf);
    if (idStart >= 0) end = idStart;
  }
  if (leaf.kind === 'row') {
    readRows(state, segments, leaf, end);
    return;
  }
  const source = paragraphSource(state.note, segments, leaf.from, leaf.to, leaf.quoted);
  state.text = source.text;
  state.shift = source.shift;
  state.finder = leaf.quoted ? startFinder(source.text) : state.noteFinder;
  const to = Math.max(source.from, end - source.shift);
  if (leaf.heading >= 0) blocks.headings[leaf.heading]!.text = plainText(source.text.slice(source.from, to));
  readInline(state, source.from, to);
}

function readRows(state: InlineState, segments: readonly number[], leaf: Leaf, idStart: number): void {
  state.text = state.note;
  state.shift = 0;
  state.finder = state.noteFinder;
  for (let at = leaf.from; at < leaf.to; at += 2) {
    const end = Math.min(segments[at + 1]!, idStart);
    let from = segments[at]!;
    while (from < end) {
      const close = cellEnd(state.note, from, end);
      if (close > from) readInline(state, from, close);
      from = close + 1;
    }
  }
}

function readInline(state: InlineState, from: number, to: number): void {
  const { text } = state;
  const special = state.hasFieldSigns ? SPECIAL_WITH_FIELDS : SPECIAL;
  state.to = to;
  state.lineStart = from;
  state.commentEnd = -1;
  state.mathIsOver = false;
  state.ticksSeen = false;
  state.openers.length = 0;
  state.parentheses.length = 0;
  if (state.readsLines) readLineField(state, from, true);
  let at = from;
  while (at < to) {
    const code = text.charCodeAt(at);
    if (code >= 128 || special[code] === 0) at++;
    else at = readSpecial(state, code, at, from);
  }
}

/** Reads what the sign at `at` begins or ends; answers where to go on. */
function readSpecial(state: InlineState, code: number, at: number, from: number): number {
  const { text, to } = state;
  switch (code) {
    case 92:
      return isPunctuation(text.charCodeAt(at + 1)) ? at + 2 : at + 1;
    case 96:
      return skipCodeSpan(state, at);
    case 91:
      return openBracket(state, at, false);
    case 33:
      return at + 1 < to && text.charCodeAt(at + 1) === 91 ? openBracket(state, at + 1, true) : at + 1;
    case 93:
      return closeBracket(state, at);
    case 60:
      return skipHtml(state, at);
    case 35:
      return readTag(state, at, from);
    case 36:
      return skipMath(state, at);
    case 37:
      return readComment(state, at);
    case 10:
      state.lineStart = at + 1;
      state.parentheses.length = 0;
      if (state.readsLines) readLineField(state, at + 1, false);
      return at + 1;
    case 40:
      return openParenthesis(state, at);
    default:
      return closeParenthesis(state, at);
  }
}

function openBracket(state: InlineState, at: number, isImage: boolean): number {
  const { text, to, openers } = state;
  if (text.charCodeAt(at + 1) === 91) {
    const end = readWikilink(state, at, isImage);
    if (end >= 0) return end;
  }
  const outer = openers.at(-1);
  if (outer !== undefined) outer.hasBrackets = true;
  openers.push({
    at: isImage ? at - 1 : at,
    isImage,
    fieldSign: state.hasFieldSigns && !isImage ? fieldSign(text, skipBlanks(text, at + 1, to), to) : -1,
    linksBefore: state.links.length,
    isInactive: false,
    hasBrackets: false,
  });
  return at + 1;
}

function closeBracket(state: InlineState, at: number): number {
  const { openers } = state;
  const opener = openers.pop();
  if (opener === undefined) return at + 1;
  const end = opener.isInactive ? -1 : readMarkdownLink(state, opener, at);
  if (end >= 0) {
    // No links within links. Below an inactive one all are inactive already.
    if (!opener.isImage)
      for (let below = openers.length - 1; below >= 0; below--) {
        const other = openers[below]!;
        if (other.isImage) continue;
        if (other.isInactive) break;
        other.isInactive = true;
      }
    return end;
  }
  if (opener.fieldSign >= 0 && opener.at >= state.lineStart)
    addBracketField(state, 'bracket', opener.at, opener.fieldSign, at);
  return at + 1;
}

function openParenthesis(state: InlineState, at: number): number {
  const { text, to, parentheses } = state;
  const sign = fieldSign(text, skipBlanks(text, at + 1, to), to);
  if (sign >= 0) parentheses.push({ at, fieldSign: sign, depth: 0 });
  else if (parentheses.length > 0) parentheses[parentheses.length - 1]!.depth++;
  return at + 1;
}

function closeParenthesis(state: InlineState, at: number): number {
  const open = state.parentheses.at(-1);
  if (open === undefined) return at + 1;
  if (open.depth > 0) open.depth--;
  else {
    state.parentheses.pop();
    addBracketField(state, 'paren', open.at, open.fieldSign, at);
  }
  return at + 1;
}

function skipHtml(state: InlineState, at: number): number {
  const { text, to, finder } = state;
  const code = text.charCodeAt(at + 1);
  if (code !== 33 && code !== 63) {
    const end = autolinkEnd(text, at, to);
    return end >= 0 ? end : Math.max(at + 1, tagEnd(text, at, to));
  }
  const end = markupEnd(finder, at, to);
  if (end < 0) return at + 1;
  if (text.startsWith('<!--', at)) addRegion(state, 'html-comment', at, end);
  return end;
}

/** `%%…%%`: what stands inside is read on, without its tags. */
function readComment(state: InlineState, at: number): number {
  if (state.text.charCodeAt(at + 1) !== 37 || at + 1 >= state.to) return at + 1;
  if (at === state.commentEnd) {
    state.commentEnd = -1;
    return at + 2;
  }
  const close = findNext(state.finder, '%%', at + 2, state.to);
  if (close < 0) return at + 2;
  state.commentEnd = close;
  addRegion(state, 'comment', at, close + 2);
  return at + 2;
}

function addRegion(state: InlineState, kind: 'comment' | 'html-comment', at: number, stop: number): void {
  const start = at + state.shift;
  const end = stop + state.shift;
  const line = lineAt(state, at);
  state.regions.push({
    kind,
    start,
    end,
    line,
    endLine: lineAt(state, stop - 1),
    language: '',
    closed: true,
  });
}
