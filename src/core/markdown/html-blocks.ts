/** HTML blocks, in the seven kinds of CommonMark; HTML inside a line: inline-html.ts. */

import type { BlockState, Draft } from './block-state.js';
import { indexWithin, isAlpha, isAlphanumeric, SPACE, skipBlanks, TAB } from './characters.js';
import { tagEnd } from './inline-html.js';
import { lineOf } from './lines.js';
import type { Region } from './scanned-note.js';

const RAW_NAMES = new Set(['pre', 'script', 'style', 'textarea']);
const BLOCK_NAMES = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div ' +
    'dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe ' +
    'legend li link main menu menuitem nav noframes ol optgroup option p param search section summary table ' +
    'tbody td tfoot th thead title tr track ul'
  ).split(' '),
);
const LONGEST_NAME = 10;

export const HTML_COMMENT = 2;

/** The kind of the HTML block that starts at `next`, 0 if none does. Kind 7 interrupts no paragraph. */
export function htmlBlockKind(state: BlockState, interrupts: boolean): number {
  const { text, next, end } = state;
  const code = text.charCodeAt(next + 1);
  if (code === 33) {
    if (text.startsWith('--', next + 2)) return HTML_COMMENT;
    if (text.startsWith('[CDATA[', next + 2)) return 5;
    return next + 2 < end && isAlpha(text.charCodeAt(next + 2)) ? 4 : 0;
  }
  if (code === 63) return 3;
  const closing = code === 47;
  const nameStart = next + (closing ? 2 : 1);
  if (nameStart >= end || !isAlpha(text.charCodeAt(nameStart))) return 0;
  let at = nameStart;
  while (at < end && (isAlphanumeric(text.charCodeAt(at)) || text.charCodeAt(at) === 45)) at++;
  const after = at < end ? text.charCodeAt(at) : SPACE;
  if (after !== SPACE && after !== TAB && after !== 62 && after !== 47) return 0;
  if (at - nameStart <= LONGEST_NAME) {
    const name = text.slice(nameStart, at).toLowerCase();
    if (!closing && after !== 47 && RAW_NAMES.has(name)) return 1;
    if (BLOCK_NAMES.has(name)) return after !== 47 || text.charCodeAt(at + 1) === 62 ? 6 : 0;
  }
  if (interrupts) return 0;
  const close = tagEnd(text, next, end);
  return close > 0 && skipBlanks(text, close, end) >= end ? 7 : 0;
}

/** Where the block of this kind ends within the line, offset behind the closing signs; -1 if it goes on. */
export function htmlBlockEnd(text: string, kind: number, from: number, to: number): number {
  if (kind >= 6) return -1;
  if (kind === 1) return rawTagEnd(text, from, to);
  const signs = kind === 2 ? '-->' : kind === 3 ? '?>' : kind === 4 ? '>' : ']]>';
  const at = indexWithin(text, signs, from, to);
  return at < 0 ? -1 : at + signs.length;
}

function rawTagEnd(text: string, from: number, to: number): number {
  for (let at = indexWithin(text, '</', from, to); at >= 0; at = indexWithin(text, '</', at + 2, to)) {
    const close = text.indexOf('>', at);
    if (close < 0 || close >= to) return -1;
    if (close - at <= LONGEST_NAME + 2 && RAW_NAMES.has(text.slice(at + 2, close).toLowerCase()))
      return close + 1;
  }
  return -1;
}

/** A closed comment block becomes a comment up to its closing signs; comments in other HTML become regions. */
export function markHtmlComments(state: BlockState, region: Draft<Region>, kind: number): void {
  const { text, lineStarts } = state;
  let at = kind === HTML_COMMENT ? region.start : indexWithin(text, '<!--', region.start, region.end);
  while (at >= 0) {
    const close = indexWithin(text, '-->', at + 2, region.end);
    if (close < 0) return;
    const end = close + 3;
    const line = lineOf(lineStarts, at) + 1;
    const endLine = lineOf(lineStarts, close) + 1;
    if (at === region.start && end === region.end) region.kind = 'html-comment';
    else
      state.regions.push({ kind: 'html-comment', start: at, end, line, endLine, language: '', closed: true });
    at = indexWithin(text, '<!--', end, region.end);
  }
}
