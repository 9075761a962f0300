/**
 * Rows of numbers, as encoders give them for texts, made into the vectors that the port promises: cut, scaled, and
 * refused where they say nothing. Used by row-embedder.ts.
 */

import { MemoryError } from '../../core/errors.js';

const SHOWN_CHARACTERS = 60;

/** The first `bytes.length` components of a row, scaled so that the largest is ±127. */
export function rowToBytes(row: Float32Array, bytes: Int8Array, text: string, at: number): void {
  let largest = 0;
  for (let d = 0; d < bytes.length; d++) largest = Math.max(largest, Math.abs(row[d]!));
  checkSize(largest, text, at);
  for (let d = 0; d < bytes.length; d++) bytes[d] = Math.round((row[d]! / largest) * 127);
}

/** The first `dimensions` components of a row, at length 1. */
export function rowToDirection(row: Float32Array, dimensions: number, text: string): Float32Array {
  const cut = row.subarray(0, dimensions);
  const length = Math.sqrt(cut.reduce((sum, value) => sum + value * value, 0));
  checkSize(length, text, 0);
  return cut.map((value) => value / length);
}

/** Both a maximum and a sum keep NaN, so one number tells of all. */
function checkSize(size: number, text: string, at: number): void {
  if (size > 0 && Number.isFinite(size)) return;
  const fault = size === 0 ? 'only zeros' : Number.isNaN(size) ? 'NaN' : 'an infinite number';
  throw refusedText(text, { why: `its vector holds ${fault}`, at });
}

export type Refusal = {
  readonly why: string;
  /** Of the text in its call; undefined for one that is not of a list. */
  readonly at?: number;
  /** What the model was asked to do with it; embed unless given. */
  readonly deed?: 'embed' | 'score' | 'compare';
  readonly cause?: unknown;
};

/** One of the texts of a call is the trouble; the others can be embedded without it. */
export function refusedText(text: string, { why, at, deed = 'embed', cause }: Refusal): MemoryError {
  const signs = [...text.replace(/\s+/g, ' ').trim()];
  const start = signs.slice(0, SHOWN_CHARACTERS).join('');
  const quoted = signs.length > SHOWN_CHARACTERS ? `${start}…` : start;
  return new MemoryError('invalid_input', `The model cannot ${deed} the text "${quoted}": ${why}`, {
    hint: 'Change this text, or choose another model with `memory model use <id>`.',
    details: { ...(at === undefined ? {} : { text: at }), why },
    cause,
  });
}
