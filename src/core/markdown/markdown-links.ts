/** `[text](destination)`, `[text][label]`, `[text]` and their `!` forms, decided at the closing bracket. */

import { skipWhiteSpace } from './characters.js';
import { type InlineState, lineAt, type Opener } from './inline-state.js';
import {
  destinationEnd,
  labelEnd,
  MAX_LABEL,
  normaliseLabel,
  readDestination,
  titleEnd,
} from './link-parts.js';
import { readMarkdownTarget } from './link-target.js';

type Found = { readonly end: number; readonly destination: string; readonly form: 'markdown' | 'reference' };

/** Reads the link that `]` at `at` closes; answers the offset behind it, or -1 if it makes none. */
export function readMarkdownLink(state: InlineState, opener: Opener, at: number): number {
  const found = readInlineLink(state, at) ?? readReference(state, opener, at);
  if (found === undefined) return -1;
  const { links } = state;
  // Nothing inside the text of an image is a link.
  if (opener.isImage) links.length = opener.linksBefore;
  const target = readMarkdownTarget(found.destination);
  if (target !== undefined)
    links.push({
      kind: opener.isImage ? 'embed' : 'link',
      form: found.form,
      target: target.target,
      heading: target.heading,
      block: target.block,
      shown: state.text.slice(opener.at + (opener.isImage ? 2 : 1), at),
      start: opener.at + state.shift,
      end: found.end + state.shift,
      line: lineAt(state, opener.at),
    });
  return found.end;
}

function readInlineLink(state: InlineState, at: number): Found | undefined {
  const { text, to } = state;
  if (at + 1 >= to || text.charCodeAt(at + 1) !== 40) return undefined;
  const start = skipWhiteSpace(text, at + 2, to);
  if (start < to && text.charCodeAt(start) === 41)
    return { end: start + 1, destination: '', form: 'markdown' };
  const stop = destinationEnd(text, start, to);
  if (stop < 0) return undefined;
  let end = skipWhiteSpace(text, stop, to);
  if (end > stop && end < to && text.charCodeAt(end) !== 41) {
    end = titleEnd(state.finder, end, to);
    if (end < 0) return undefined;
    end = skipWhiteSpace(text, end, to);
  }
  if (end >= to || text.charCodeAt(end) !== 41) return undefined;
  return { end: end + 1, destination: readDestination(text.slice(start, stop)), form: 'markdown' };
}

function readReference(state: InlineState, opener: Opener, at: number): Found | undefined {
  const { text, to, definitions } = state;
  if (definitions.size === 0) return undefined;
  if (at + 1 < to && text.charCodeAt(at + 1) === 91 && text.charCodeAt(at + 2) !== 93) {
    const end = labelEnd(text, at + 1, to);
    if (end >= 0) {
      const full = definitions.get(normaliseLabel(text.slice(at + 2, end - 1)));
      return full && { end, destination: full.destination, form: 'reference' };
    }
  }
  const start = opener.at + (opener.isImage ? 2 : 1);
  if (opener.hasBrackets || at - start > MAX_LABEL) return undefined;
  const own = definitions.get(normaliseLabel(text.slice(start, at)));
  if (own === undefined) return undefined;
  const isCollapsed = at + 2 < to && text.charCodeAt(at + 1) === 91 && text.charCodeAt(at + 2) === 93;
  return { end: isCollapsed ? at + 3 : at + 1, destination: own.destination, form: 'reference' };
}
