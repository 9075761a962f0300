/** Inline Markdown reduced to what a reader sees: for headings and titles. Structure is read by inline.ts. */

import { isAlphanumeric, isPunctuation, isWhiteSpace } from './characters.js';
import { startFinder } from './finder.js';
import { autolinkEnd, markupEnd, tagEnd } from './inline-html.js';
import { destinationEnd, resolveEscapes } from './link-parts.js';

const MARKED = /[\\`*_~=<[\]!&%$]/;
/** Longer texts are nobody's heading and stay as they are: pairing signs is not worth its price. */
const MAX_LENGTH = 1000;

/** Signs of emphasis, code, links, HTML, comments and escapes taken away. */
export function plainText(raw: string): string {
  if (raw.length > MAX_LENGTH || !MARKED.test(raw)) return fold(raw);
  const pieces: Piece[] = [];
  reduce(raw, pieces);
  dropEmphasis(pieces);
  return fold(pieces.map((piece) => piece.text).join(''));
}

function fold(text: string): string {
  if (!text.includes('\n')) return text.trim();
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

/** Text, or a run of one sign that may be emphasis. */
type Piece = { text: string; readonly sign: string; readonly opens: boolean; readonly closes: boolean };

function plain(text: string): Piece {
  return { text, sign: '', opens: false, closes: false };
}

function reduce(raw: string, pieces: Piece[]): void {
  const finder = startFinder(raw);
  const end = raw.length;
  let at = 0;
  let start = 0;
  const flush = (to: number) => {
    if (to > start) pieces.push(plain(resolveEntities(raw.slice(start, to))));
  };
  const replace = (to: number, text: string) => {
    flush(at);
    if (text !== '') pieces.push(plain(text));
    at = start = to;
  };
  while (at < end) {
    const sign = raw[at]!;
    if (sign === '\\' && isPunctuation(raw.charCodeAt(at + 1))) replace(at + 2, raw[at + 1]!);
    else if (sign === '`') {
      const run = runLength(raw, at);
      const close = closingTicks(raw, at + run, run);
      if (close < 0) at += run;
      else replace(close + run, raw.slice(at + run, close).trim());
    } else if (sign === '<') {
      const auto = autolinkEnd(raw, at, end);
      const next = raw[at + 1];
      const close =
        auto >= 0 ? auto : next === '!' || next === '?' ? markupEnd(finder, at, end) : tagEnd(raw, at, end);
      if (close < 0) at++;
      else replace(close, auto >= 0 ? raw.slice(at + 1, close - 1) : '');
    } else if (sign === '[' || (sign === '!' && raw[at + 1] === '[')) {
      const link = readLink(raw, sign === '!' ? at + 1 : at);
      if (link === undefined) at++;
      else {
        flush(at);
        reduce(link.text, pieces);
        at = start = link.end;
      }
    } else if (sign === '%' && raw[at + 1] === '%' && raw.indexOf('%%', at + 2) >= 0)
      replace(raw.indexOf('%%', at + 2) + 2, '');
    else if (sign === '*' || sign === '_' || sign === '~' || sign === '=') {
      const run = runLength(raw, at);
      flush(at);
      pieces.push(emphasisRun(raw, at, run));
      at = start = at + run;
    } else at++;
  }
  flush(end);
}

function runLength(raw: string, at: number): number {
  let to = at + 1;
  while (to < raw.length && raw[to] === raw[at]) to++;
  return to - at;
}

function closingTicks(raw: string, from: number, run: number): number {
  for (let at = raw.indexOf('`', from); at >= 0; at = raw.indexOf('`', at)) {
    const length = runLength(raw, at);
    if (length === run) return at;
    at += length;
  }
  return -1;
}

/** The link or wikilink whose bracket opens at `at`: its visible text and its end. */
function readLink(raw: string, at: number): { readonly text: string; readonly end: number } | undefined {
  if (raw[at + 1] === '[') {
    const close = raw.indexOf(']]', at + 2);
    if (close < 0) return undefined;
    const inner = raw.slice(at + 2, close);
    if (inner.includes('[[')) return undefined;
    const pipe = inner.indexOf('|');
    return { text: pipe < 0 ? inner : inner.slice(pipe + 1), end: close + 2 };
  }
  let depth = 0;
  for (let here = at; here < raw.length; here++) {
    const sign = raw[here];
    if (sign === '\\') here++;
    else if (sign === '[') {
      if (++depth > 8) return undefined;
    } else if (sign === ']' && --depth === 0) {
      if (raw[here + 1] !== '(') return undefined;
      const close = resourceEnd(raw, here + 2);
      return close < 0 ? undefined : { text: raw.slice(at + 1, here), end: close };
    }
  }
  return undefined;
}

function resourceEnd(raw: string, from: number): number {
  if (raw[from] === ')') return from + 1;
  let at = destinationEnd(raw, from, raw.length);
  if (at < 0) return -1;
  while (raw[at] === ' ') at++;
  const quote = raw[at];
  if (quote === '"' || quote === "'") {
    at = raw.indexOf(quote, at + 1) + 1;
    if (at === 0) return -1;
    while (raw[at] === ' ') at++;
  }
  return raw[at] === ')' ? at + 1 : -1;
}

function resolveEntities(text: string): string {
  return text.includes('&') ? resolveEscapes(text.replaceAll('\\', '\\\\')) : text;
}

function emphasisRun(raw: string, at: number, run: number): Piece {
  const before = at === 0 ? 32 : raw.charCodeAt(at - 1);
  const after = at + run >= raw.length ? 32 : raw.charCodeAt(at + run);
  const leftFlanking = !isWhiteSpace(after) && (!isSign(after) || isWhiteSpace(before) || isSign(before));
  const rightFlanking = !isWhiteSpace(before) && (!isSign(before) || isWhiteSpace(after) || isSign(after));
  const sign = raw[at]!;
  const text = raw.slice(at, at + run);
  const pairs = sign === '*' || sign === '_' || run === 2;
  return {
    text,
    sign: pairs ? sign : '',
    opens: leftFlanking && (sign !== '_' || !rightFlanking || isSign(before)),
    closes: rightFlanking && (sign !== '_' || !leftFlanking || isSign(after)),
  };
}

function isSign(code: number): boolean {
  return code < 128
    ? isPunctuation(code)
    : !isAlphanumeric(code) && /[\p{P}\p{S}]/u.test(String.fromCharCode(code));
}

/** Takes paired runs away, innermost first. */
function dropEmphasis(pieces: Piece[]): void {
  const open: Piece[] = [];
  for (const piece of pieces) {
    if (piece.sign === '') continue;
    if (piece.closes)
      for (let at = open.length - 1; at >= 0 && piece.text !== ''; at--) {
        const other = open[at]!;
        if (other.sign !== piece.sign) continue;
        const taken = Math.min(other.text.length, piece.text.length);
        other.text = other.text.slice(taken);
        piece.text = piece.text.slice(taken);
        open.length = other.text === '' ? at : at + 1;
      }
    if (piece.opens && piece.text !== '') open.push(piece);
  }
}
