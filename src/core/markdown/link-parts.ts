/** The parts of Markdown links and definitions: destination, title, label. Whole links: markdown-links.ts. */

import { isMarkdownSpace } from './characters.js';
import { type Finder, findNext } from './finder.js';

const MAX_PARENTHESES = 32;
export const MAX_LABEL = 999;

/** End of the destination at `at`, `<…>` or bare; -1 if there is none. A bare one in a link balances its parentheses. */
export function destinationEnd(text: string, at: number, to: number): number {
  if (at >= to) return -1;
  if (text.charCodeAt(at) === 60) {
    for (let here = at + 1; here < to; here++) {
      const code = text.charCodeAt(here);
      if (code === 62) return here + 1;
      if (code === 60 || code === 10 || code === 13) return -1;
      if (code === 92 && isEscaped(text.charCodeAt(here + 1), 60, 62)) here++;
    }
    return -1;
  }
  let depth = 0;
  let here = at;
  for (; here < to; here++) {
    const code = text.charCodeAt(here);
    if (isMarkdownSpace(code)) break;
    if (code < 32 || code === 127) return -1;
    if (code === 40) {
      if (++depth > MAX_PARENTHESES) return -1;
    } else if (code === 41) {
      if (depth === 0) break;
      depth--;
    } else if (code === 92 && isEscaped(text.charCodeAt(here + 1), 40, 41)) here++;
  }
  return depth > 0 || here === at ? -1 : here;
}

function isEscaped(code: number, one: number, other: number): boolean {
  return code === one || code === other || code === 92;
}

/** End of the title in quotes or parentheses at `at`, -1 if it is no title or open. */
export function titleEnd(finder: Finder, at: number, to: number): number {
  const code = finder.text.charCodeAt(at);
  if (code !== 34 && code !== 39 && code !== 40) return -1;
  const signs = code === 34 ? '"' : code === 39 ? "'" : ')';
  for (
    let close = findNext(finder, signs, at + 1, to);
    close >= 0;
    close = findNext(finder, signs, close + 1, to)
  )
    if (!isBackslashed(finder.text, at + 1, close)) return close + 1;
  return -1;
}

/** Whether an odd number of backslashes, none of them before `from`, stands before `at`. */
export function isBackslashed(text: string, from: number, at: number): boolean {
  let start = at;
  while (start > from && text.charCodeAt(start - 1) === 92) start--;
  return ((at - start) & 1) === 1;
}

/** End of the label that `[` at `at` opens: no brackets inside, not blank, at most 999 characters; -1 if it is none. */
export function labelEnd(text: string, at: number, to: number): number {
  const limit = Math.min(to, at + MAX_LABEL + 2);
  let seen = false;
  for (let here = at + 1; here < limit; here++) {
    const code = text.charCodeAt(here);
    if (code === 93) return seen ? here + 1 : -1;
    if (code === 91) return -1;
    if (code === 92 && (text.charCodeAt(here + 1) === 92 || isEscaped(text.charCodeAt(here + 1), 91, 93))) {
      here++;
      seen = true;
    } else if (!isMarkdownSpace(code)) seen = true;
  }
  return -1;
}

/** Labels compare without regard to case and runs of white space. */
export function normaliseLabel(label: string): string {
  return label
    .replace(/[\t\n\r ]+/g, ' ')
    .replace(/^ | $/g, '')
    .toLowerCase()
    .toUpperCase();
}

/** The destination without `<>`, backslash escapes and character references resolved. */
export function readDestination(raw: string): string {
  const inner = raw.startsWith('<') ? raw.slice(1, -1) : raw;
  return inner.includes('\\') || inner.includes('&') ? resolveEscapes(inner) : inner;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '\u00a9',
  reg: '\u00ae',
  sol: '/',
  num: '#',
  colon: ':',
};

export function resolveEscapes(text: string): string {
  return text.replace(
    /\\([!-/:-@[-`{-~])|&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,6}));/g,
    (all, sign, decimal, hex, name) => {
      if (sign !== undefined) return sign;
      if (name !== undefined) return NAMED[name] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal, 10);
      return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
        ? '\ufffd'
        : String.fromCodePoint(code);
    },
  );
}
