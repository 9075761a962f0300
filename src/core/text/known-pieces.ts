/**
 * The terms of pieces met before, found by hash: most pieces of a vault come again and again. Taking a piece apart
 * is analyse.ts.
 */

import { analyseDense, analysePiece, type DatedTerms } from './analyse.js';

/** One term as such, which most pieces have; with parts or a role in dates as an object. */
export type PieceTerms = string | DatedTerms;

/**
 * Two running hashes, 64 bits together, stand for the piece, so that a hit costs no look at its letters: two of
 * 200,000 pieces share both once in a thousand million vaults.
 */
export const FIRST_START = 0x811c9dc5 | 0;
export const FIRST_STEP = 0x01000193;
export const SECOND_STEP = 0x2c1b3c6d;

const SLOTS = 1 << 19;
/** Then the table is emptied: bounded memory and short probes on any vault. */
const MAX_KNOWN = 200_000;
/** Longer pieces hardly come twice. */
const MAX_LENGTH = 40;

const hashes = new Int32Array(SLOTS * 2);
let known: PieceTerms[] = new Array(SLOTS);
let used = 0;

export function lookUpPiece(
  text: string,
  start: number,
  end: number,
  hash: number,
  second: number,
  isDense: boolean,
): PieceTerms {
  let first = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  first = (first ^ (first >>> 13)) | 1;
  let slot = first >>> 13;
  while (hashes[2 * slot] !== 0) {
    if (hashes[2 * slot] === first && hashes[2 * slot + 1] === second) return known[slot]!;
    slot = (slot + 1) & (SLOTS - 1);
  }
  const surface = text.slice(start, end);
  const piece = isDense ? analyseDense(surface) : analysePiece(surface);
  if (end - start > MAX_LENGTH) return piece;
  if (used === MAX_KNOWN) {
    hashes.fill(0);
    known = new Array(SLOTS);
    used = 0;
    slot = first >>> 13;
  }
  used++;
  hashes[2 * slot] = first;
  hashes[2 * slot + 1] = second;
  known[slot] = piece;
  return piece;
}
