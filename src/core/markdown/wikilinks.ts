/** `[[target|shown]]` and `![[…]]`, on one line, without `[[` inside. */

import { indexWithin } from './characters.js';
import { findNext } from './finder.js';
import { type InlineState, lineAt } from './inline-state.js';
import { readWikiTarget } from './link-target.js';
import type { Link } from './scanned-note.js';

/** Reads the wikilink whose brackets open at `at`; answers the offset behind it, or -1. */
export function readWikilink(state: InlineState, at: number, isEmbed: boolean): number {
  const { text } = state;
  const close = findNext(state.finder, ']]', at + 2, state.to);
  if (close < 0) return -1;
  const pipe = findPipe(text, at + 2, close);
  if (pipe === NO_LINK) return -1;
  const start = (isEmbed ? at - 1 : at) + state.shift;
  const link = makeWikilink(text, at + 2, pipe, close, isEmbed, start, lineAt(state, at));
  if (link === undefined) return -1;
  state.links.push(link);
  return close + 2;
}

const NO_LINK = -2;

/** The first pipe, -1 without one; NO_LINK where the text between the brackets cannot be a link. */
function findPipe(text: string, from: number, to: number): number {
  let pipe = -1;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return NO_LINK;
    if (code === 91 && (pipe < 0 || text.charCodeAt(at + 1) === 91)) return NO_LINK;
    if (code === 93 && pipe < 0) return NO_LINK;
    if (code === 124 && pipe < 0) pipe = at;
  }
  return pipe;
}

function makeWikilink(
  text: string,
  from: number,
  pipe: number,
  close: number,
  isEmbed: boolean,
  start: number,
  line: number,
  form: Link['form'] = 'wiki',
): Link | undefined {
  let targetEnd = pipe < 0 ? close : pipe;
  if (pipe > from && text.charCodeAt(pipe - 1) === 92) targetEnd--;
  const target = readWikiTarget(text.slice(from, targetEnd));
  if (target === undefined) return undefined;
  return {
    kind: isEmbed ? 'embed' : 'link',
    form,
    target: target.target,
    heading: target.heading,
    block: target.block,
    shown: pipe < 0 ? '' : text.slice(pipe + 1, close).trim(),
    start,
    end: start + (close + 2 - from) + (isEmbed ? 3 : 2),
    line,
  };
}

const NONE: readonly Link[] = [];

/** All wikilinks of a property's value, at `from` to `to` in the note. */
export function readPropertyLinks(
  text: string,
  from: number,
  to: number,
  lineOf: (offset: number) => number,
): readonly Link[] {
  if (indexWithin(text, '[[', from, to) < 0) return NONE;
  const links: Link[] = [];
  for (let at = text.indexOf('[[', from); at >= 0 && at < to; at = text.indexOf('[[', at + 1)) {
    const close = text.indexOf(']]', at + 2);
    if (close < 0 || close + 2 > to) break;
    const pipe = findPipe(text, at + 2, close);
    if (pipe === NO_LINK) continue;
    const link = makeWikilink(text, at + 2, pipe, close, false, at, lineOf(at), 'property');
    if (link === undefined) continue;
    links.push(link);
    at = close + 1;
  }
  return links;
}
