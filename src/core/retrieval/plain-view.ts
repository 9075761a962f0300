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
  ['^', [{ pattern: /(?<=[ \t])\^[\w-]{1,100}(?=[ \t]*(?:\r?\n|$))/y }]],
  ['!', [{ pattern: /!(?=\[)/y }]],
]);

/** Words without any sign, and the single spaces between them. */
const PLAIN = /["-$&-)+-;>-Z\]a-{}]+(?: ["-$&-)+-;>-Z\]a-{}]+)*/y;

export function plainView(source: string): PlainView {
  const view = new ViewWriter(source);
  let at = afterLineStart(source, 0, view);
  while (at < source.length) {
    // Run by run: reading sign by sign took a process that has just started a third of the time of its snippets.
    if (test(PLAIN, source, at)) {
      view.run(at, PLAIN.lastIndex);
      at = PLAIN.lastIndex;
      if (at === source.length) break;
    }
    const sign = source[at]!;
    if (sign === '\n') {
      view.space(at);
      at = afterLineStart(source, at + 1, view);
    } else if (sign === '_') {
      at = afterUnderscores(source, at, view);
    } else {
      const noises = NOISE.get(sign);
      at = noises ? afterNoise(source, at, noises, view) : view.character(at);
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

function afterNoise(source: string, at: number, noises: readonly Noise[], view: ViewWriter): number {
  for (const { pattern, parts } of noises) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match === null) continue;
    if (parts) view.space(at);
    const kept = match.indices?.groups?.['keep'];
    if (kept !== undefined) view.characters(kept[0], kept[1]);
    return at + match[0].length;
  }
  return view.character(at);
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
  if (!opens && !closes) view.run(start, at);
  return at;
}

/** Not a number stands for the borders of the text: neither word nor letter. */
function isWordCode(code: number): boolean {
  return kindOf(code) !== BREAK;
}

function isSpaceCode(code: number): boolean {
  return Number.isNaN(code) || isSpaceOrControl(code);
}

const OFFSETS_KEPT = 4_096;
let keptOffsets = new Int32Array(0);

/** Each offset at its own place, for copying stretches of them; the same for all short texts. */
function offsetsUpTo(length: number): Int32Array {
  if (length <= keptOffsets.length) return keptOffsets;
  const offsets = new Int32Array(length <= OFFSETS_KEPT ? Math.min(OFFSETS_KEPT, 2 * length) : length);
  for (let at = 0; at < offsets.length; at++) offsets[at] = at;
  if (offsets.length <= OFFSETS_KEPT) keptOffsets = offsets;
  return offsets;
}

/** Collects characters with single spaces between words and none at the ends. */
class ViewWriter {
  private readonly parts: string[] = [];
  private length = 0;
  private endsInSpace = true;
  private readonly origins: Int32Array;
  private readonly offsets: Int32Array;

  constructor(private readonly source: string) {
    // At most one space more than characters: a sign that parts two words is at least one character itself.
    this.origins = new Int32Array(source.length + 1);
    this.offsets = offsetsUpTo(source.length);
  }

  space(origin: number): void {
    if (this.endsInSpace) return;
    this.origins[this.length++] = origin;
    this.parts.push(' ');
    this.endsInSpace = true;
  }

  /** Characters of the source that stay as they are, the last of them no space. */
  run(start: number, end: number): void {
    this.origins.set(this.offsets.subarray(start, end), this.length);
    this.parts.push(this.source.slice(start, end));
    this.length += end - start;
    this.endsInSpace = false;
  }

  /** Returns where to go on. */
  character(at: number): number {
    if (isSpaceOrControl(this.source.charCodeAt(at))) this.space(at);
    else this.run(at, at + 1);
    return at + 1;
  }

  characters(start: number, end: number): void {
    for (let at = start; at < end; at++) this.character(at);
  }

  finish(): PlainView {
    const text = this.parts.join('').trimEnd();
    return { text, origins: this.origins.slice(0, text.length) };
  }
}

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
