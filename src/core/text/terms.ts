/**
 * The terms of a text, the same for notes and queries. Terms are plain lower-case strings in one namespace:
 * stems; wholes of identifiers with their joints dropped (`getuserbyid`) or, where they tell things apart, kept
 * (`src/foo/bar.ts`, `1.0.21`, `c++`, `.net`, `--flag`); their parts; dates as `2024-01-05`; pairs of letters in
 * scripts without spaces. Wholes come before parts; a date's term stands beside its month or year.
 */

import { dateTerm } from './dates.js';
import { type Scan, scanText } from './scan.js';

export function termsOf(text: string): string[] {
  const scan = scanText(text);
  const out: string[] = [];
  for (let i = 0; i < scan.count; i++) {
    const { terms } = scan.pieces[i]!;
    for (let j = 0; j < terms.length; j++) out.push(terms[j]!);
    const date = dateAt(scan, i);
    if (date !== undefined) out.push(date);
  }
  return out;
}

/** A piece of text without spaces, its place, and its terms. */
export type PlacedTerms = { readonly start: number; readonly end: number; readonly terms: readonly string[] };

/** The terms of a text with their places; `start` and `end` count in the NFC form of the text. */
export function placedTermsOf(text: string): PlacedTerms[] {
  const scan = scanText(text);
  const out: PlacedTerms[] = [];
  for (let i = 0; i < scan.count; i++) {
    const piece = scan.pieces[i]!;
    const date = dateAt(scan, i);
    const terms = date === undefined ? piece.terms : [...piece.terms, date];
    if (terms.length > 0) out.push({ start: scan.starts[i]!, end: scan.ends[i]!, terms });
  }
  return out;
}

/** The date that piece `at`, a month's name or a year, stands in. */
export function dateAt(scan: Scan, at: number): string | undefined {
  const piece = scan.pieces[at]!;
  if (piece.month > 0) return dateAroundMonth(scan, at, piece.month);
  return piece.number >= 1000 ? cjkDate(scan.text, scan.ends[at]!, piece.number) : undefined;
}

/** `5 January 2024`, `January 5th, 2024`, `5th of January 2024`, `January 2024`. */
function dateAroundMonth(scan: Scan, at: number, month: number): string | undefined {
  const next = numberBeside(scan, at + 1, at);
  if (next >= 1000) {
    let day = numberBeside(scan, at - 1, at);
    if (day < 0 && at >= 2 && isWord(scan, at - 1, 'of')) day = numberBeside(scan, at - 2, at - 1);
    return dateTerm(next, month, day >= 1 && day <= 31 ? day : 0);
  }
  if (next < 1 || next > 31) return undefined;
  return dateTerm(numberBeside(scan, at + 2, at + 1), month, next);
}

/** The number in piece `index` if it stands next to piece `neighbour` in the text, else -1. */
function numberBeside(scan: Scan, index: number, neighbour: number): number {
  if (index < 0 || index >= scan.count) return -1;
  const piece = scan.pieces[index]!;
  const from = scan.ends[Math.min(index, neighbour)]!;
  const to = scan.starts[Math.max(index, neighbour)]!;
  return to - from > 3 || scan.text.slice(from, to).includes('\n') ? -1 : piece.number;
}

function isWord(scan: Scan, at: number, word: string): boolean {
  const { terms } = scan.pieces[at]!;
  return terms.length === 1 && terms[0] === word;
}

/** `2024年1月5日`, `2024년 1월 5일`, `2024年1月`. */
function cjkDate(text: string, end: number, year: number): string | undefined {
  const sign = text.charCodeAt(end);
  if (sign !== 0x5e74 && sign !== 0xb144) return undefined;
  const rest = /^[年년]\s?(\d{1,2})[月월](?:\s?(\d{1,2})[日일号])?/.exec(text.slice(end, end + 12));
  return rest ? dateTerm(year, Number(rest[1]), Number(rest[2] ?? 0)) : undefined;
}
