/**
 * Values on one line of a property block: plain and quoted scalars, flow lists of them, wikilinks. Anything else
 * is UNUSUAL and left to property-tree.ts or, where the block is broken, taken as text by property-lines.ts.
 */

import { CR, LF, SPACE, skipBlanks, skipWhiteSpace, TAB, trimEnd } from './characters.js';

export type LineValue = {
  readonly values: readonly string[];
  readonly isList: boolean;
  readonly start: number;
  readonly end: number;
  readonly problem?: string;
};

export const TEMPLATE_CODE = 'template code stands where a value should be';
export const BARE_LINKS = 'several unquoted links: YAML needs a list, each link in quotes';

type Scalar = { readonly value: string; readonly end: number };

/** Reads the value between `from` and `to`, the rest of its line; undefined if it is unusual. */
export function readLineValue(text: string, from: number, to: number): LineValue | undefined {
  const start = skipBlanks(text, from, to);
  const end = trimEnd(text, start, to);
  if (start >= end || text.charCodeAt(start) === 35) return { values: [], isList: false, start, end: start };
  const code = text.charCodeAt(start);
  if (code === 123 && text.charCodeAt(start + 1) === 123) return templateValue(text, start, end);
  if (code === 60 && text.charCodeAt(start + 1) === 37) return templateValue(text, start, end);
  if (code === 91) {
    const links = readBareLinks(text, start, end);
    if (links !== undefined) return links;
    return readFlowList(text, start, end);
  }
  const scalar = code === 34 || code === 39 ? readQuoted(text, start, end) : readPlain(text, start, end);
  if (scalar === undefined || !isRestBlank(text, scalar.end, end)) return undefined;
  return { values: [scalar.value], isList: false, start, end: scalar.end };
}

function templateValue(text: string, start: number, end: number): LineValue {
  return { values: [text.slice(start, end)], isList: false, start, end, problem: TEMPLATE_CODE };
}

/** Nothing but white space and a comment is left. */
function isRestBlank(text: string, from: number, to: number): boolean {
  const at = skipBlanks(text, from, to);
  const code = text.charCodeAt(at);
  return at >= to || code === LF || code === CR || (at > from && code === 35);
}

/** `[[A]]`, or `[[A]], [[B]]`, which is no YAML but what people write. */
function readBareLinks(text: string, start: number, end: number): LineValue | undefined {
  const values: string[] = [];
  let at = start;
  let last = start;
  while (at < end) {
    const close = bareLinkEnd(text, at, end);
    if (close < 0) return undefined;
    values.push(text.slice(at, close));
    last = close;
    at = skipBlanks(text, close, end);
    if (at >= end || (at > close && text.charCodeAt(at) === 35)) break;
    if (text.charCodeAt(at) !== 44) return undefined;
    at = skipBlanks(text, at + 1, end);
  }
  const isList = values.length > 1;
  return { values, isList, start, end: last, ...(isList ? { problem: BARE_LINKS } : {}) };
}

/** End of the wikilink that opens at `at`, -1 if none does. */
export function bareLinkEnd(text: string, at: number, to: number): number {
  if (text.charCodeAt(at) !== 91 || text.charCodeAt(at + 1) !== 91) return -1;
  for (let here = at + 2; here < to; here++) {
    const code = text.charCodeAt(here);
    if (code === 91) return -1;
    if (code === 93)
      return here > at + 2 && text.charCodeAt(here + 1) === 93 && here + 1 < to ? here + 2 : -1;
  }
  return -1;
}

/** A flow list of scalars that opens at `start`; the text up to `end` may hold several lines. */
export function readFlowList(text: string, start: number, end: number): LineValue | undefined {
  const values: string[] = [];
  let at = skipWhiteSpace(text, start + 1, end);
  while (at < end && text.charCodeAt(at) !== 93) {
    const scalar = readFlowScalar(text, at, end);
    if (scalar === undefined) return undefined;
    values.push(scalar.value);
    at = skipWhiteSpace(text, scalar.end, end);
    if (text.charCodeAt(at) === 44) at = skipWhiteSpace(text, at + 1, end);
    else if (text.charCodeAt(at) !== 93) return undefined;
  }
  if (at >= end || !isRestBlank(text, at + 1, end)) return undefined;
  return { values, isList: true, start, end: at + 1 };
}

function readFlowScalar(text: string, at: number, end: number): Scalar | undefined {
  const code = text.charCodeAt(at);
  if (code === 34 || code === 39) return readQuoted(text, at, end);
  if (code === 91) {
    const close = bareLinkEnd(text, at, end);
    return close < 0 ? undefined : { value: text.slice(at, close), end: close };
  }
  if (!startsPlain(text, at)) return undefined;
  let here = at;
  for (; here < end; here++) {
    const sign = text.charCodeAt(here);
    if (sign === 44 || sign === 93) break;
    if (sign === 91 || sign === 123 || sign === 125 || sign === LF) return undefined;
    if (isColonOrComment(text, here, end)) return undefined;
  }
  const stop = trimEnd(text, at, here);
  // A colon before a comma or bracket makes a pair.
  return text.charCodeAt(stop - 1) === 58 ? undefined : { value: text.slice(at, stop), end: here };
}

/** `: ` or ` #`, which end a plain scalar. */
function isColonOrComment(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 58) {
    const next = at + 1 < end ? text.charCodeAt(at + 1) : SPACE;
    return next === SPACE || next === TAB;
  }
  if (code !== 35) return false;
  const before = text.charCodeAt(at - 1);
  return before === SPACE || before === TAB;
}

/** Whether a plain scalar can start here: no indicator, and none of `- ? :` before white space. */
export function startsPlain(text: string, at: number): boolean {
  const sign = text[at]!;
  if ('[]{},#&*!|>\'"%@`'.includes(sign)) return false;
  if (sign !== '-' && sign !== '?' && sign !== ':') return true;
  const next = text.charCodeAt(at + 1);
  return next > SPACE && !(sign !== '-' && ',[]{}'.includes(text[at + 1]!));
}

function readPlain(text: string, start: number, end: number): Scalar | undefined {
  if (!startsPlain(text, start)) return undefined;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== 58 && code !== 35) continue;
    if (!isColonOrComment(text, at, end)) continue;
    if (code === 58) return undefined;
    const stop = trimEnd(text, start, at);
    return { value: text.slice(start, stop), end: stop };
  }
  return { value: text.slice(start, end), end };
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', n: '\n', t: '\t' };

function readQuoted(text: string, start: number, end: number): Scalar | undefined {
  const quote = text[start]!;
  let value = '';
  let from = start + 1;
  for (let at = from; at < end; at++) {
    const sign = text[at]!;
    if (sign === '\\' && quote === '"') {
      const escaped = ESCAPES[text[at + 1] ?? ''];
      if (escaped === undefined) return undefined;
      value += text.slice(from, at) + escaped;
      from = ++at + 1;
    } else if (sign === quote) {
      if (quote === '"' || text[at + 1] !== quote)
        return { value: value + text.slice(from, at), end: at + 1 };
      value += text.slice(from, ++at);
      from = at + 1;
    }
  }
  return undefined;
}
