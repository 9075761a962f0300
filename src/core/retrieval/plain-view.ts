/**
 * Markdown as a reader sees it, in one line, each character knowing where it came from: what snippet.ts cuts from.
 * Meant for show: it drops signs by their looks; the structure of notes is read in core/markdown.
 */

import { BREAK, kindOf } from '../text/characters.js';

export type PlainView = {
  readonly text: string;
  /** For each character of `text` its offset in the source. */
  readonly origins: Int32Array;
};

/** At the start of a line: lines of signs only (fences, rules, table borders, block ids), and what opens a block. */
const LINE_OF_SIGNS =
  /[ \t]*(?:(?:`{3,}|~{3,})[^\n`]*|(?:[-*_=][ \t]*){3,}|\|?(?:[ \t]*:?-+:?[ \t]*\|)+[ \t:-]*|\^[\w-]+)[ \t]*(?=\r?\n|$)/y;
const QUOTE = /[ \t]*>[ \t]*(?:\[![^\]\n]{0,100}\][+-]?[ \t]*)?/y;
const HEADING = /[ \t]*#{1,6}[ \t]+/y;
const LIST_MARKER = /[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]+(?:\[.\][ \t]+)?/y;

type Noise = {
  readonly pattern: RegExp;
  /** Whether words on its two sides stay apart. */
  readonly parts?: boolean;
};

/** By first sign; a group named `keep` stays. Lengths are bounded, so that no text takes quadratic time. */
const NOISE: ReadonlyMap<string, readonly Noise[]> = new Map([
  ['%', [{ pattern: /%%[^%]{0,2000}%%/y }]],
  ['<', [{ pattern: /<!--[^>]{0,2000}-->/y }, { pattern: /<\/?[A-Za-z][^<>\n]{0,300}>/y, parts: true }]],
  [
    '[',
    [
      { pattern: /\[\^[^\]\n]{1,100}\]:?/y },
      { pattern: /\[\[(?:[^\]|\n[]{0,300}\|)?(?<keep>[^\]|\n[]{1,300})\]\]/dy },
      {
        pattern:
          /\[(?<keep>[^\]\n[]{0,500})\]\((?:<[^>\n]{0,500}>|[^()\s]{0,500}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?)(?:[ \t]+(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'))?\)/dy,
      },
    ],
  ],
  ['\\', [{ pattern: /\\(?<keep>[!-/:-@[-`{-~])/dy }]],
  ['*', [{ pattern: /\*{1,3}/y }]],
  ['~', [{ pattern: /~~/y }]],
  ['=', [{ pattern: /==/y }]],
  ['`', [{ pattern: /`+/y }]],
  ['|', [{ pattern: /\|/y, parts: true }]],
  [' ', [{ pattern: /[ \t]+\^[\w-]{1,100}(?=[ \t]*(?:\r?\n|$))/y }]],
  ['!', [{ pattern: /!(?=\[)/y }]],
]);

const isSign = new Uint8Array(128);
for (const sign of [...NOISE.keys(), '_']) isSign[sign.charCodeAt(0)] = 1;

export function plainView(source: string): PlainView {
  const view = new ViewWriter(source);
  let at = afterLineStart(source, 0, view);
  while (at < source.length) {
    const code = source.charCodeAt(at);
    if (code === 10) {
      view.space(at);
      at = afterLineStart(source, at + 1, view);
    } else if (code < 128 && isSign[code] === 1) {
      at = afterSign(source, at, view);
    } else {
      view.character(code, at);
      at++;
    }
  }
  return view.finish();
}

function afterLineStart(source: string, start: number, view: ViewWriter): number {
  let at = start;
  if (test(LINE_OF_SIGNS, source, at)) return LINE_OF_SIGNS.lastIndex;
  while (test(QUOTE, source, at)) at = QUOTE.lastIndex;
  if (at > start && test(LINE_OF_SIGNS, source, at)) return LINE_OF_SIGNS.lastIndex;
  if (test(HEADING, source, at)) at = HEADING.lastIndex;
  else if (test(LIST_MARKER, source, at)) at = LIST_MARKER.lastIndex;
  if (at > start) view.space(start);
  return at;
}

function test(pattern: RegExp, source: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(source);
}

function afterSign(source: string, at: number, view: ViewWriter): number {
  if (source[at] === '_') return afterUnderscores(source, at, view);
  for (const { pattern, parts } of NOISE.get(source[at]!)!) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null) continue;
    if (parts) view.space(at);
    const kept = match.indices?.groups?.['keep'];
    if (kept !== undefined) for (let i = kept[0]; i < kept[1]; i++) view.character(source.charCodeAt(i), i);
    return at + match[0].length;
  }
  view.character(source.charCodeAt(at), at);
  return at + 1;
}

const MOST_UNDERSCORES = 3;

/** They mark emphasis where only one of their sides is a word, or space. */
function afterUnderscores(source: string, start: number, view: ViewWriter): number {
  let at = start + 1;
  while (at < start + MOST_UNDERSCORES && source[at] === '_') at++;
  const before = source.charCodeAt(start - 1);
  const after = source.charCodeAt(at);
  const opens = !isWordCode(before) && !isSpaceCode(after);
  const closes = !isSpaceCode(before) && !isWordCode(after);
  if (!opens && !closes) for (let i = start; i < at; i++) view.character(source.charCodeAt(i), i);
  return at;
}

/** Not a number stands for the borders of the text: neither word nor letter. */
function isWordCode(code: number): boolean {
  return kindOf(code) !== BREAK;
}

function isSpaceCode(code: number): boolean {
  return Number.isNaN(code) || isSpaceOrControl(code);
}

/** Collects characters with single spaces between words and none at the ends. */
class ViewWriter {
  private readonly codes: Uint16Array;
  private readonly origins: Int32Array;
  private length = 0;

  constructor(source: string) {
    // At most one space more than characters: a sign that parts two words is at least one character itself.
    this.codes = new Uint16Array(source.length + 1);
    this.origins = new Int32Array(source.length + 1);
  }

  space(origin: number): void {
    if (this.length === 0 || this.codes[this.length - 1] === 32) return;
    this.codes[this.length] = 32;
    this.origins[this.length++] = origin;
  }

  character(code: number, origin: number): void {
    if (isSpaceOrControl(code)) {
      this.space(origin);
      return;
    }
    this.codes[this.length] = code;
    this.origins[this.length++] = origin;
  }

  finish(): PlainView {
    if (this.length > 0 && this.codes[this.length - 1] === 32) this.length--;
    const parts: string[] = [];
    for (let at = 0; at < this.length; at += CHUNK) {
      parts.push(String.fromCharCode(...this.codes.subarray(at, Math.min(at + CHUNK, this.length))));
    }
    return { text: parts.join(''), origins: this.origins.slice(0, this.length) };
  }
}

/** As many arguments as a call surely takes. */
const CHUNK = 8_192;

/** White space, control signs, and signs that turn the direction of text. */
function isSpaceOrControl(code: number): boolean {
  if (code < 161) return code <= 32 || code >= 127;
  if (code < 0x2000) return code === 0x1680;
  return (
    code <= 0x200a ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x2066 && code <= 0x2069) ||
    code === 0x205f ||
    code === 0x3000 ||
    code === 0xfeff
  );
}
