/**
 * Vectors as they are kept and compared, in rows of whole steps of sixteen bytes.
 *
 * Half bytes are for models of which two vectors for a passage, each of half of it, say more than one in whole bytes:
 * on public collections they gain as much as the training code does with whole numbers. Sixteen bytes hold 32
 * dimensions: the first sixteen in their low halves, the others in their high ones. Bytes are kept as they come.
 */

import type { RowFormat } from './evidence.js';

const STEP = 16;
const LARGEST_HALF = 7;
const LARGEST_BYTE = 127;

/** Bytes that a vector takes. */
export function packedBytes(dimensions: number, format: RowFormat = 'half-bytes'): number {
  return Math.ceil(dimensions / (format === 'bytes' ? STEP : 2 * STEP)) * STEP;
}

/** `vectors` are one after another, `dimensions` signed bytes each, scaled so that the largest component is ±127. */
export function packVectors(
  vectors: Int8Array,
  dimensions: number,
  format: RowFormat = 'half-bytes',
): Uint8Array {
  const packed = new Uint8Array((vectors.length / dimensions) * packedBytes(dimensions, format));
  if (format === 'bytes') pad(vectors, dimensions, packed);
  else halve(vectors, dimensions, packed);
  return packed;
}

function pad(vectors: Int8Array, dimensions: number, packed: Uint8Array): void {
  const bytes = packedBytes(dimensions, 'bytes');
  const target = new Int8Array(packed.buffer);
  for (let row = 0; row * dimensions < vectors.length; row++) {
    target.set(vectors.subarray(row * dimensions, (row + 1) * dimensions), row * bytes);
  }
}

function halve(vectors: Int8Array, dimensions: number, packed: Uint8Array): void {
  const bytes = packedBytes(dimensions);
  for (let row = 0; row * dimensions < vectors.length; row++) {
    for (let d = 0; d < dimensions; d++) {
      const half = Math.round((vectors[row * dimensions + d]! * LARGEST_HALF) / LARGEST_BYTE) & 15;
      const inGroup = d % (2 * STEP);
      const at = row * bytes + Math.floor(d / (2 * STEP)) * STEP + (inGroup % STEP);
      packed[at]! |= inGroup < STEP ? half : half << 4;
    }
  }
}
