/**
 * Vectors as they are kept and compared, in rows of whole steps of sixteen bytes, each with 1 / its length behind it.
 *
 * Half bytes are for models of which two vectors for a passage, each of half of it, say more than one in whole bytes:
 * on public collections they gain as much as the training code does with whole numbers. Sixteen bytes hold 32
 * dimensions: the first sixteen in their low halves, the others in their high ones. Bytes are kept as they come.
 */

import type { RowFormat } from './evidence.js';

const STEP = 16;
/** A float of 32 bits, low byte first; 0 for a vector of zeros. */
const LENGTH_BYTES = 4;
const LARGEST_HALF = 7;
const LARGEST_BYTE = 127;

/** Bytes that a vector takes. */
export function packedBytes(dimensions: number, format: RowFormat = 'half-bytes'): number {
  return Math.ceil(dimensions / (format === 'bytes' ? STEP : 2 * STEP)) * STEP + LENGTH_BYTES;
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
  const view = new DataView(packed.buffer);
  for (let row = 0; row * dimensions < vectors.length; row++) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    target.set(vector, row * bytes);
    let squares = 0;
    for (const component of vector) squares += component * component;
    writeLength(view, (row + 1) * bytes, squares);
  }
}

function halve(vectors: Int8Array, dimensions: number, packed: Uint8Array): void {
  const bytes = packedBytes(dimensions);
  const view = new DataView(packed.buffer);
  for (let row = 0; row * dimensions < vectors.length; row++) {
    let squares = 0;
    for (let d = 0; d < dimensions; d++) {
      const half = Math.round((vectors[row * dimensions + d]! * LARGEST_HALF) / LARGEST_BYTE);
      squares += half * half;
      const inGroup = d % (2 * STEP);
      const at = row * bytes + Math.floor(d / (2 * STEP)) * STEP + (inGroup % STEP);
      packed[at]! |= inGroup < STEP ? half & 15 : (half & 15) << 4;
    }
    writeLength(view, (row + 1) * bytes, squares);
  }
}

function writeLength(view: DataView, end: number, squares: number): void {
  view.setFloat32(end - LENGTH_BYTES, squares === 0 ? 0 : 1 / Math.sqrt(squares), true);
}
