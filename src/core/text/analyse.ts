/**
 * One piece of text without spaces, as scan.ts cuts it, into its terms: a word into its stem; a path, identifier,
 * version, address or date into the whole and its parts, wholes first. A vault has hundreds of thousands of
 * different pieces, so texts are folded once and then cut by offsets. Compounds are cut in compound.ts.
 */

import { splitCompound } from './compound.js';
import { datesOf, monthOf } from './dates.js';
import { fold, isAscii } from './fold.js';
import { stem } from './stem.js';

/** Terms of a piece that has not just one, or that can be part of a date written in words. */
export type DatedTerms = {
  readonly terms: readonly string[];
  /** Value of a number of at most four digits, with or without an ordinal ending; else -1. */
  readonly number: number;
  /** 1-12 for the name of a month, else 0. */
  readonly month: number;
};

export const MAX_TERM_LENGTH = 64;
/** A run with more parts is a hash or encoded data: one term, no parts. */
const MAX_PARTS = 12;

const PLAIN_WORD = /^(?:[a-z]+|[A-Z][a-z]*|[A-Z]+)$/;
const STARTS_WITH_DIGIT = /^[\d\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/;
/** Signs between the segments of paths, URLs, addresses and qualified names; `:` only where no times are. */
const isSeparator = new Uint8Array(128);
for (const sign of '\\/@?&=#;:,%~+!$*') isSeparator[sign.charCodeAt(0)] = 1;

const COLON = 58;
const DOT = 46;

/** The one term of a simple word, else all terms; see DatedTerms. */
export function analysePiece(surface: string): string | DatedTerms {
  if (PLAIN_WORD.test(surface)) {
    const word = surface.toLowerCase();
    const month = monthOf(word);
    const term = ownCopy(cut(stem(word)));
    return month === 0 ? term : { terms: [term], number: -1, month };
  }
  const terms: string[] = [];
  if (holdsSeparator(surface)) addAddress(surface, terms);
  else if (surface.startsWith('--')) addFlag(surface, terms);
  else addDotted(sourceOf(surface), 0, surface.length, terms);
  const month = monthOf(terms[0] ?? '');
  let number = -1;
  if (STARTS_WITH_DIGIT.test(surface)) {
    const text = fold(surface);
    for (const date of datesOf(text)) add(date, terms);
    const digits = /^(\d{1,4})(?:st|nd|rd|th)?$/.exec(text);
    if (digits) number = Number(digits[1]);
  }
  return terms.length === 1 && month === 0 && number < 0
    ? ownCopy(terms[0]!)
    : { terms: terms.map(ownCopy), number, month };
}

/** One or two letters of a script without spaces. */
export function analyseDense(surface: string): string {
  const code = surface.charCodeAt(0);
  const isPlain = (code >= 0x3400 && code <= 0x9fff) || (code >= 0x0e00 && code <= 0x0eff);
  return isPlain ? surface : fold(surface);
}

/**
 * A long slice keeps the whole text it was cut from in memory (V8: from 13 characters on), and terms outlive their
 * notes by far.
 */
function ownCopy(term: string): string {
  return term.length < 13 ? term : ` ${term}`.slice(1);
}

/** Text as written, for changes of case, and folded if that changes no offset, else empty. */
type Source = { readonly text: string; readonly lower: string };

function sourceOf(text: string): Source {
  return { text, lower: isAscii(text) ? text.toLowerCase() : '' };
}

function folded(source: Source, start: number, end: number): string {
  return source.lower === '' ? fold(source.text.slice(start, end)) : source.lower.slice(start, end);
}

function add(term: string, terms: string[]): void {
  if (term.length > 0 && term.length <= MAX_TERM_LENGTH && !terms.includes(term)) terms.push(term);
}

function cut(term: string): string {
  return term.length > MAX_TERM_LENGTH ? term.slice(0, MAX_TERM_LENGTH) : term;
}

/** Parts of identifiers come again and again, their wholes do not; emptied when full. */
const stems = new Map<string, string>();
const MAX_STEMS = 20_000;

function addPart(part: string, terms: string[]): void {
  let stemmed = stems.get(part);
  if (stemmed === undefined) {
    if (stems.size === MAX_STEMS) stems.clear();
    stems.set(part, (stemmed = cut(stem(part))));
  }
  add(stemmed, terms);
}

function holdsSeparator(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isSeparator[text.charCodeAt(i)] === 1) return true;
  return false;
}

/** Paths, URLs, mail addresses, qualified names: the whole, then each segment. */
function addAddress(surface: string, terms: string[]): void {
  let text = surface;
  if (text.includes('\\')) text = text.replace(/\\(?=_)/g, '').replaceAll('\\', '/');
  if (text.includes(',')) text = text.replace(/,(?=\d{3})/g, '');
  const scheme = text.indexOf('://');
  if (scheme >= 0) text = text.slice(scheme + 3).replace(/[./]+$/, '');
  if (text.includes('++') || text.includes('#')) {
    const signed = /^([^/:@]+?)(\+\+|#)(\d*)$/.exec(text);
    if (signed) {
      addSigned(signed[1]!, signed[2]!, signed[3]!, terms);
      return;
    }
  }
  const source = sourceOf(text);
  let start = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !separates(text, at)) continue;
    if (start === 0 && at < text.length) add(folded(source, 0, text.length), terms);
    if (at > start) addDotted(source, start, at, terms);
    start = at + 1;
  }
}

function separates(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isSeparator[code] !== 1) return false;
  return code !== COLON || !isDigit(text.charCodeAt(at - 1)) || !isDigit(text.charCodeAt(at + 1));
}

/** `c++`, `c#`, `c++11`: the sign belongs to the name. */
function addSigned(name: string, sign: string, number: string, terms: string[]): void {
  add(fold(name + sign + number), terms);
  if (number !== '') add(fold(name + sign), terms);
  if (name.length > 1) addDotted(sourceOf(name), 0, name.length, terms);
  add(number, terms);
}

function addFlag(surface: string, terms: string[]): void {
  add(fold(surface), terms);
  addDotted(sourceOf(surface), 2, surface.length, terms);
}

/** File names, host names, versions, abbreviations: the whole, then each part between dots. */
function addDotted(source: Source, from: number, to: number, terms: string[]): void {
  const { text } = source;
  const dot = text.indexOf('.', from);
  if (dot < 0 || dot >= to) {
    addCompound(source, from, to, terms);
    return;
  }
  if (dot === from) add(folded(source, from, to), terms);
  if (isAbbreviation(text, from, to)) {
    add(stem(folded(source, from, to).replaceAll('.', '')), terms);
    return;
  }
  const start = isVersion(text, from) ? from + 1 : from;
  const inner = text.indexOf('.', start + 1);
  if (dot > from && inner > 0 && inner < to - 1) add(folded(source, start, to), terms);
  let at = start;
  while (at < to) {
    let end = text.indexOf('.', at);
    if (end < 0 || end > to) end = to;
    if (end > at) addCompound(source, at, end, terms);
    at = end + 1;
  }
}

/** `U.S.A`, `e.g`: single letters between dots. */
function isAbbreviation(text: string, from: number, to: number): boolean {
  if (to - from < 3 || (to - from) % 2 === 0) return false;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (((at - from) % 2 === 1) !== (code === DOT) || isDigit(code)) return false;
  }
  return true;
}

function isVersion(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === 118 || code === 86) && isDigit(text.charCodeAt(at + 1));
}

const CLITIC = /['’](?:s|ll|re|ve|d|m)$/i;
const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;

/** Names in camelCase, snake_case, kebab-case, with digits or an apostrophe: joined, then each part. */
function addCompound(source: Source, from: number, to: number, terms: string[]): void {
  const raw = source.text.slice(from, to);
  if (PLAIN_WORD.test(raw)) {
    addPart(folded(source, from, to), terms);
    return;
  }
  const hasQuote = raw.includes("'") || raw.includes('’');
  const bare = hasQuote ? raw.replace(CLITIC, '').replace(/n['’]t$/i, 'nt') : raw;
  const name = hasQuote ? sourceOf(bare) : source;
  const offset = hasQuote ? 0 : from;
  const bounds = splitCompound(bare);
  const count = bounds.length / 2;
  if (count < 2 || count > MAX_PARTS) {
    const word =
      count === 1
        ? folded(name, offset + bounds[0]!, offset + bounds[1]!)
        : folded(name, offset, offset + bare.length);
    add(cut(stem(word)), terms);
    return;
  }
  const parts: string[] = [];
  for (let i = 0; i < count; i++)
    parts.push(folded(name, offset + bounds[2 * i]!, offset + bounds[2 * i + 1]!));
  if (!hasQuote || parts[0]!.length === 1 || count > 2) add(cut(stem(joined(parts))), terms);
  const kept = count === 2 && isDigit(bare.charCodeAt(0)) && ORDINAL.test(bare) ? 1 : count;
  for (let i = 0; i < kept; i++) {
    const part = parts[i]!;
    if (part.length > 1 || isDigit(part.charCodeAt(0))) addPart(part, terms);
  }
}

/** The parts as one word; digits stay apart, so that `2024-01-05` and `10-20` are not numbers. */
function joined(parts: readonly string[]): string {
  let out = parts[0]!;
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i]!;
    const isBetweenDigits = isDigit(out.charCodeAt(out.length - 1)) && isDigit(part.charCodeAt(0));
    out += isBetweenDigits ? `-${part}` : part;
  }
  return out;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
