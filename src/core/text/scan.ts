/**
 * Cuts text into pieces with their places: words, identifiers, paths, addresses, pairs of dense-script letters.
 * What a piece means is analyse.ts, remembered in known-pieces.ts. Runs over every character of a vault, hence the
 * loops over codes.
 */

import { BREAK, DENSE, kindOf, kindOfPair, SYMBOL, WORD } from './characters.js';
import { endOfLetter, isHan } from './dense-letters.js';
import { FIRST_START, FIRST_STEP, type KnownPiece, lookUpPiece, SECOND_STEP } from './known-pieces.js';

/** Pieces of the text scanned last; valid until the next scan. */
export type Scan = {
  /** The text that the places count in: its NFC form if it held letters taken apart. */
  text: string;
  count: number;
  readonly pieces: KnownPiece[];
  readonly starts: number[];
  readonly ends: number[];
};

const scan: Scan = { text: '', count: 0, pieces: [], starts: [], ends: [] };

/** Marks that compose with the letter before them, and Hangul written in parts, as some systems write file names. */
const DECOMPOSED = /[\u0300-\u036f\u0653-\u0655\u1100-\u11ff\u3099\u309a]/;

export function scanText(raw: string): Scan {
  const text = DECOMPOSED.test(raw) ? raw.normalize('NFC') : raw;
  scan.text = text;
  scan.count = 0;
  const length = text.length;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === WORD) at = scanPiece(text, at);
    else if (kind === BREAK) at++;
    else if (kind === DENSE) at = scanDense(text, at);
    else at = scanOther(text, at, kind);
  }
  return scan;
}

/** From the first letter or digit of a piece to its end; returns where to go on. */
function scanPiece(text: string, first: number): number {
  const length = text.length;
  const start = first > 0 ? startWithSign(text, first) : first;
  let hash = FIRST_START;
  let second = 0;
  let at = start;
  let code = text.charCodeAt(at);
  for (;;) {
    hash = Math.imul(hash ^ code, FIRST_STEP);
    second = (Math.imul(second, SECOND_STEP) + code) | 0;
    if (++at >= length) break;
    code = text.charCodeAt(at);
    if (at <= first || (code < 128 ? isAsciiWord(code) : kindOf(code) === WORD)) continue;
    if (code === 32 || code === 10) break;
    const next = joinedUntil(text, at, code);
    if (next === at) break;
    if (next < 0) return keepHashed(text, start, endOfUrl(text, at), false);
    for (; at < next; at++) {
      code = text.charCodeAt(at);
      hash = Math.imul(hash ^ code, FIRST_STEP);
      second = (Math.imul(second, SECOND_STEP) + code) | 0;
    }
    if (at >= length) break;
    code = text.charCodeAt(at);
    if (code < 128 ? !isAsciiWord(code) : kindOf(code) !== WORD) break;
  }
  return keep(text, start, at, hash, second, false);
}

function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** `.net` and `--flag` keep their sign where nothing stands before it. */
function startWithSign(text: string, first: number): number {
  const sign = text.charCodeAt(first - 1);
  if (sign !== 46 && sign !== 45) return first;
  if (isDigit(text.charCodeAt(first))) return first;
  const start = sign === 46 ? first - 1 : first - 2;
  if (start < 0 || (sign === 45 && text.charCodeAt(start) !== 45)) return first;
  if (start === 0) return start;
  const before = text.charCodeAt(start - 1);
  if (before === 46 || before === 45 || before === 47) return first;
  return kindOf(before) === BREAK ? start : first;
}

/** Signs that may join a letter or digit to the next: 1 by themselves, 2 on conditions. */
const joints = new Uint8Array(128);
for (const sign of "-./'@") joints[sign.charCodeAt(0)] = 1;
for (const sign of ',_\\:+#') joints[sign.charCodeAt(0)] = 2;
const APOSTROPHE = 0x2019;

/**
 * Where the next letter or digit is if the signs at `at` join it to the piece, or the end of closing signs
 * (`c++`, `c#`); `at` itself if they do not; -1 for a URL's `://`.
 */
function joinedUntil(text: string, at: number, code: number): number {
  const joint = code < 128 ? joints[code]! : code === APOSTROPHE ? 1 : 0;
  if (joint === 0) return at;
  if (joint === 1) return isWordCode(codeAt(text, at + 1)) ? at + 1 : at;
  return joinedOnCondition(text, at, code);
}

function joinedOnCondition(text: string, at: number, code: number): number {
  const next = codeAt(text, at + 1);
  const afterNext = codeAt(text, at + 2);
  if (code === 44) return isThousands(text, at) ? at + 1 : at; // ,
  if (code === 95) return joinedByUnderscores(text, at);
  // Backslash: an escaped underscore or a Windows path.
  if (code === 92) return next === 95 && isWordCode(afterNext) ? at + 2 : isWordCode(next) ? at + 1 : at;
  if (code === 43) return next === 43 && !isLetter(afterNext) ? at + 2 : at; // ++
  if (code === 35) return !isWordCode(next) && isSingleLetter(text, at) ? at + 1 : at; // #
  if (next === 47 && afterNext === 47) return -1; // ://
  if (next === 58 || next === 92) return isWordCode(afterNext) ? at + 2 : at; // :: and C:\
  return isDigit(next) && isDigit(text.charCodeAt(at - 1)) ? at + 1 : at; // 10:30
}

function joinedByUnderscores(text: string, at: number): number {
  let end = at + 1;
  while (codeAt(text, end) === 95) end++;
  return isWordCode(codeAt(text, end)) ? end : at;
}

/** 0 past the end: reading there with charCodeAt makes V8 give up its fastest code. */
function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

function isWordCode(code: number): boolean {
  return code < 128 ? isAsciiWord(code) : kindOf(code) === WORD;
}

function isLetter(code: number): boolean {
  return isWordCode(code) && !isDigit(code);
}

/** A comma between digits with exactly three after it. */
function isThousands(text: string, at: number): boolean {
  if (!isDigit(text.charCodeAt(at - 1))) return false;
  for (let i = 1; i <= 3; i++) if (!isDigit(codeAt(text, at + i))) return false;
  return !isDigit(codeAt(text, at + 4));
}

function isSingleLetter(text: string, at: number): boolean {
  return !isDigit(text.charCodeAt(at - 1)) && (at < 2 || !isWordCode(text.charCodeAt(at - 2)));
}

/** RFC 3986 characters, less what closes a Markdown link or a sentence. */
function endOfUrl(text: string, from: number): number {
  let end = from + 3;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (
      code < 128 ? !isAsciiWord(code) && !"-._~/?#@!$&*+;=%:,'".includes(text[end]!) : kindOf(code) !== WORD
    )
      break;
  }
  while (".,;:!?'*_~/".includes(text[end - 1]!)) end--;
  return Math.max(end, from);
}

/**
 * A run of dense script: every pair of neighbouring letters; every Han letter alone, since it is a word or half of
 * one; and the last letter alone, so that each letter starts a term and can be found by prefix.
 */
function scanDense(text: string, first: number): number {
  let previous = -1;
  let at = first;
  let isHanLetter = false;
  for (;;) {
    const end = endOfLetter(text, at);
    if (end === at) break;
    if (previous >= 0) keepHashed(text, previous, end, true);
    isHanLetter = isHan(text.charCodeAt(at));
    if (isHanLetter) keepHashed(text, at, end, true);
    previous = at;
    at = end;
  }
  if (!isHanLetter) keepHashed(text, previous, at, true);
  return at;
}

function scanOther(text: string, at: number, kind: number): number {
  if (kind === SYMBOL) return keepHashed(text, at, at + 1, false);
  const codePoint = text.codePointAt(at)!;
  if (codePoint < 0x10000) return at + 1;
  const pairKind = kindOfPair(codePoint);
  if (pairKind === DENSE) return scanDense(text, at);
  if (pairKind === BREAK) return at + 2;
  return keepHashed(text, at, at + 2, false);
}

function keepHashed(text: string, start: number, end: number, isDense: boolean): number {
  let hash = FIRST_START;
  let second = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    hash = Math.imul(hash ^ code, FIRST_STEP);
    second = (Math.imul(second, SECOND_STEP) + code) | 0;
  }
  return keep(text, start, end, hash, second, isDense);
}

function keep(
  text: string,
  start: number,
  end: number,
  hash: number,
  second: number,
  isDense: boolean,
): number {
  const index = scan.count++;
  scan.pieces[index] = lookUpPiece(text, start, end, hash, second, isDense);
  scan.starts[index] = start;
  scan.ends[index] = end;
  return end;
}
