/** Tags and other HTML inside a line; HTML blocks: html-blocks.ts. */

import { isAlpha, isAlphanumeric, isMarkdownSpace, skipWhiteSpace } from './characters.js';
import { type ClosingSigns, type Finder, findNext } from './finder.js';

/** End of the open or closing tag that starts at `at`, -1 if there is none before `to`. */
export function tagEnd(text: string, at: number, to: number): number {
  let here = at + 1;
  const closing = text.charCodeAt(here) === 47;
  if (closing) here++;
  if (here >= to || !isAlpha(text.charCodeAt(here))) return -1;
  while (here < to && (isAlphanumeric(text.charCodeAt(here)) || text.charCodeAt(here) === 45)) here++;
  if (closing) {
    here = skipWhiteSpace(text, here, to);
    return here < to && text.charCodeAt(here) === 62 ? here + 1 : -1;
  }
  for (;;) {
    const start = here;
    here = skipWhiteSpace(text, here, to);
    if (here >= to) return -1;
    const code = text.charCodeAt(here);
    if (code === 62) return here + 1;
    if (code === 47) return here + 1 < to && text.charCodeAt(here + 1) === 62 ? here + 2 : -1;
    if (here === start || !isNameStart(code)) return -1;
    here = attributeEnd(text, here, to);
    if (here < 0) return -1;
  }
}

function isNameStart(code: number): boolean {
  return isAlpha(code) || code === 95 || code === 58;
}

function attributeEnd(text: string, at: number, to: number): number {
  let here = at + 1;
  while (here < to) {
    const code = text.charCodeAt(here);
    if (!isAlphanumeric(code) && code !== 95 && code !== 58 && code !== 46 && code !== 45) break;
    here++;
  }
  const equals = skipWhiteSpace(text, here, to);
  if (equals >= to || text.charCodeAt(equals) !== 61) return here;
  here = skipWhiteSpace(text, equals + 1, to);
  if (here >= to) return -1;
  const quote = text.charCodeAt(here);
  if (quote === 34 || quote === 39) {
    const close = text.indexOf(quote === 34 ? '"' : "'", here + 1);
    return close < 0 || close >= to ? -1 : close + 1;
  }
  const start = here;
  while (here < to && !endsUnquoted(text.charCodeAt(here))) here++;
  return here === start ? -1 : here;
}

function endsUnquoted(code: number): boolean {
  return (
    isMarkdownSpace(code) ||
    code === 34 ||
    code === 39 ||
    code === 60 ||
    code === 61 ||
    code === 62 ||
    code === 96
  );
}

/** End of `<scheme:…>` or `<name@host>`, -1 if it is neither. */
export function autolinkEnd(text: string, at: number, to: number): number {
  let here = at + 1;
  if (here >= to || !isAlphanumeric(text.charCodeAt(here))) return -1;
  let colon = -1;
  for (; here < to; here++) {
    const code = text.charCodeAt(here);
    if (code === 62) break;
    if (code <= 32 || code === 60) return -1;
    if (code === 58 && colon < 0) colon = here;
  }
  if (here >= to) return -1;
  if (colon > at + 2 && colon <= at + 33 && isScheme(text, at + 1, colon)) return here + 1;
  return isAddress(text, at + 1, here) ? here + 1 : -1;
}

function isScheme(text: string, from: number, to: number): boolean {
  if (!isAlpha(text.charCodeAt(from))) return false;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (!isAlphanumeric(code) && code !== 43 && code !== 46 && code !== 45) return false;
  }
  return true;
}

const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))*$/;

function isAddress(text: string, from: number, to: number): boolean {
  return to - from < 320 && ADDRESS.test(text.slice(from, to));
}

/** End of a comment, instruction, declaration or CDATA section that starts with `<!` or `<?`; -1 if open or none. */
export function markupEnd(finder: Finder, at: number, to: number): number {
  const { text } = finder;
  if (text.charCodeAt(at + 1) === 63) return endBehind(finder, '?>', at + 2, to);
  if (text.startsWith('--', at + 2)) {
    if (text.charCodeAt(at + 4) === 62) return at + 5;
    if (text.startsWith('->', at + 4)) return at + 6;
    return endBehind(finder, '-->', at + 4, to);
  }
  if (text.startsWith('[CDATA[', at + 2)) return endBehind(finder, ']]>', at + 9, to);
  return at + 2 < to && isAlpha(text.charCodeAt(at + 2)) ? endBehind(finder, '>', at + 3, to) : -1;
}

function endBehind(finder: Finder, signs: ClosingSigns, from: number, to: number): number {
  const end = findNext(finder, signs, from, to);
  return end < 0 ? -1 : end + signs.length;
}
