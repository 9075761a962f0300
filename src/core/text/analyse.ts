/**
 * One piece of text without spaces, as scan.ts cuts it, into its terms: a word into its stem; a path, identifier,
 * version, address or date into the whole and its parts, wholes first. Compounds are cut in compound.ts.
 */

import { splitCompound } from './compound.js';
import { datesOf, monthOf } from './dates.js';
import { fold } from './fold.js';
import { stem } from './stem.js';

export type Piece = {
  readonly surface: string;
  readonly terms: readonly string[];
  /** Value of a number of at most four digits, with or without an ordinal ending; else -1. For dates. */
  readonly number: number;
  /** 1-12 for the name of a month, else 0. */
  readonly month: number;
};

export const MAX_TERM_LENGTH = 64;
/** A run with more parts is a hash or encoded data: one term, no parts. */
const MAX_PARTS = 12;

const PLAIN_WORD = /^(?:[a-z]+|[A-Z][a-z]*|[A-Z]+)$/;
const STRONG_SIGN = /[\\/@?&=#;:,%~+!$*]/;
const STRONG_SIGNS = /[/@?&=#;,%~+!$*]+|::+|(?<=\D):|:(?=\D)/;
const DIGIT = /[\d\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/;

export function analysePiece(surface: string): Piece {
  if (PLAIN_WORD.test(surface)) {
    const word = surface.toLowerCase();
    return { surface, terms: [cut(stem(word))], number: -1, month: monthOf(word) };
  }
  const terms: string[] = [];
  if (STRONG_SIGN.test(surface)) addAddress(surface, terms);
  else if (surface.charCodeAt(0) === 45) addFlag(surface, terms);
  else addDotted(surface, terms);
  if (!DIGIT.test(surface)) return { surface, terms, number: -1, month: monthOf(terms[0] ?? '') };
  const folded = fold(surface);
  for (const date of datesOf(folded)) add(date, terms);
  const digits = /^(\d{1,4})(?:st|nd|rd|th)?$/.exec(folded);
  return { surface, terms, number: digits ? Number(digits[1]) : -1, month: 0 };
}

/** One or two letters of a script without spaces. */
export function analyseDense(surface: string): Piece {
  const code = surface.charCodeAt(0);
  const isPlain = (code >= 0x3400 && code <= 0x9fff) || (code >= 0x0e00 && code <= 0x0eff);
  return { surface, terms: [isPlain ? surface : fold(surface)], number: -1, month: 0 };
}

function add(term: string, terms: string[]): void {
  if (term.length > 0 && term.length <= MAX_TERM_LENGTH && !terms.includes(term)) terms.push(term);
}

function addWord(foldedWord: string, terms: string[]): void {
  add(cut(stem(foldedWord)), terms);
}

function cut(term: string): string {
  return term.length > MAX_TERM_LENGTH ? term.slice(0, MAX_TERM_LENGTH) : term;
}

/** Paths, URLs, mail addresses, qualified names: the whole, then each segment. */
function addAddress(surface: string, terms: string[]): void {
  let text = surface;
  if (text.includes('\\')) text = text.replace(/\\(?=_)/g, '').replaceAll('\\', '/');
  if (text.includes(',')) text = text.replace(/,(?=\d{3})/g, '');
  const scheme = text.indexOf('://');
  if (scheme >= 0) text = text.slice(scheme + 3).replace(/[./]+$/, '');
  const signed = /^([^/:@]+?)(\+\+|#)(\d*)$/.exec(text);
  if (signed) {
    addSigned(signed[1]!, signed[2]!, signed[3]!, terms);
    return;
  }
  const segments = text.split(STRONG_SIGNS);
  if (segments.length > 1) add(fold(text), terms);
  for (const segment of segments) if (segment !== '') addDotted(segment, terms);
}

/** `c++`, `c#`, `c++11`: the sign belongs to the name. */
function addSigned(name: string, sign: string, number: string, terms: string[]): void {
  add(fold(name + sign + number), terms);
  if (number !== '') add(fold(name + sign), terms);
  if (name.length > 1) addDotted(name, terms);
  add(number, terms);
}

function addFlag(surface: string, terms: string[]): void {
  add(fold(surface), terms);
  addDotted(surface.slice(2), terms);
}

/** File names, host names, versions, abbreviations: the whole, then each part between dots. */
function addDotted(segment: string, terms: string[]): void {
  if (!segment.includes('.')) {
    addCompound(segment, terms);
    return;
  }
  if (segment.startsWith('.')) add(fold(segment), terms);
  const parts = segment.split('.').filter((part) => part !== '');
  if (parts.length > 1) {
    if (parts.every((part) => part.length === 1 && !DIGIT.test(part))) {
      addWord(fold(parts.join('')), terms);
      return;
    }
    if (/^v\d/i.test(parts[0]!)) parts[0] = parts[0]!.slice(1);
    add(fold(parts.join('.')), terms);
  }
  for (const part of parts) addCompound(part, terms);
}

const CLITIC = /['’](?:s|ll|re|ve|d|m)$/i;

/** Names in camelCase, snake_case, kebab-case, with digits or an apostrophe: joined, then each part. */
function addCompound(text: string, terms: string[]): void {
  const hasQuote = text.includes("'") || text.includes('’');
  const bare = hasQuote ? text.replace(CLITIC, '').replace(/n['’]t$/i, 'nt') : text;
  const parts = splitCompound(bare);
  if (parts.length < 2 || parts.length > MAX_PARTS) {
    addWord(fold(parts.length === 1 ? parts[0]! : bare), terms);
    return;
  }
  if (!hasQuote || parts[0]!.length === 1 || parts.length > 2) addWord(joined(parts), terms);
  const isOrdinal = parts.length === 2 && /^\d+(?:st|nd|rd|th)$/i.test(bare);
  for (const part of isOrdinal ? parts.slice(0, 1) : parts) {
    if (part.length > 1 || DIGIT.test(part)) addWord(fold(part), terms);
  }
}

/** The parts as one word; digits stay apart, so that `2024-01-05` and `10-20` are not numbers. */
function joined(parts: readonly string[]): string {
  let out = '';
  for (const part of parts) {
    if (/\d$/.test(out) && /^\d/.test(part)) out += '-';
    out += fold(part);
  }
  return out;
}
