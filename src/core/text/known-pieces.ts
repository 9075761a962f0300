/**
 * The terms of pieces met before, found by hash: most pieces of a vault come again and again. Taking a piece apart
 * is analyse.ts.
 */

import { analyseDense, analysePiece, type DatedTerms } from './analyse.js';

/** What a piece stands for: its terms, and where these are in the list of whoever counts them (term-places.ts). */
export class KnownPiece {
  readonly terms: readonly string[];
  /** As in DatedTerms. */
  readonly number: number;
  readonly month: number;
  /** One term, and no part of a date. */
  readonly isPlain: boolean;
  /** Whose list `place` and `places` count in. */
  list: object | undefined = undefined;
  /** Of the first term, and of all where there are more. */
  place = 0;
  places: readonly number[] | undefined = undefined;

  constructor(found: string | DatedTerms) {
    this.terms = typeof found === 'string' ? [found] : found.terms;
    this.number = typeof found === 'string' ? -1 : found.number;
    this.month = typeof found === 'string' ? 0 : found.month;
    this.isPlain = typeof found === 'string';
  }
}

/**
 * Two running hashes, 64 bits together, stand for the piece, so that a hit costs no look at its letters: two of
 * 200,000 pieces share both once in a thousand million vaults.
 */
export const FIRST_START = 0x811c9dc5 | 0;
export const FIRST_STEP = 0x01000193;
export const SECOND_STEP = 0x2c1b3c6d;

/** A search meets hundreds of pieces, a reindex hundreds of thousands. */
const FIRST_BITS = 12;
const LAST_BITS = 18;
/** Then the table is emptied: bounded memory and short probes on any vault. */
const MAX_KNOWN = 100_000;
/** Longer pieces hardly come twice. */
const MAX_LENGTH = 40;

let bits = FIRST_BITS;
let hashes = new Int32Array(2 << bits);
let known: KnownPiece[] = new Array(1 << bits);
let used = 0;

export function lookUpPiece(
  text: string,
  start: number,
  end: number,
  hash: number,
  second: number,
  isDense: boolean,
): KnownPiece {
  let first = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  first = (first ^ (first >>> 13)) | 1;
  let slot = first >>> (32 - bits);
  while (hashes[2 * slot] !== 0) {
    if (hashes[2 * slot] === first && hashes[2 * slot + 1] === second) return known[slot]!;
    slot = (slot + 1) & ((1 << bits) - 1);
  }
  const surface = text.slice(start, end);
  const piece = new KnownPiece(isDense ? analyseDense(surface) : analysePiece(surface));
  if (end - start > MAX_LENGTH) return piece;
  if (used === MAX_KNOWN) forgetAll();
  else if (used * 2 > 1 << bits && bits < LAST_BITS) grow();
  place(first, second, piece);
  return piece;
}

/**
 * A term to be kept for long. A long one may be cut from a note's text and would keep all of it alive; a flat copy does
 * not. Short ones come again as the same string, which is found without comparing letters.
 */
export function keepable(term: string): string {
  if (term.length <= MAX_LENGTH) return term;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(term));
}

function place(first: number, second: number, piece: KnownPiece): void {
  let slot = first >>> (32 - bits);
  while (hashes[2 * slot] !== 0) slot = (slot + 1) & ((1 << bits) - 1);
  hashes[2 * slot] = first;
  hashes[2 * slot + 1] = second;
  known[slot] = piece;
  used++;
}

function forgetAll(): void {
  hashes.fill(0);
  known = new Array(1 << bits);
  used = 0;
}

function grow(): void {
  const [oldHashes, oldKnown] = [hashes, known];
  bits = Math.min(LAST_BITS, bits + 3);
  hashes = new Int32Array(2 << bits);
  known = new Array(1 << bits);
  used = 0;
  for (let slot = 0; slot < oldKnown.length; slot++) {
    if (oldHashes[2 * slot] !== 0) place(oldHashes[2 * slot]!, oldHashes[2 * slot + 1]!, oldKnown[slot]!);
  }
}
