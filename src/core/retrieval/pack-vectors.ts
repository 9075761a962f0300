/**
 * Vectors as they are kept and compared: half a byte for each dimension, so that two vectors for a passage, each of half
 * of it, take the place of one. On public collections they gain as much as the training code does with whole numbers. Sixteen bytes hold 32 dimensions: the first sixteen in their low halves, the others in their high ones.
 */

const GROUP = 32;
const HALF = 16;
const LARGEST = 7;
const LARGEST_BYTE = 127;

/** Bytes that a vector takes. */
export function packedBytes(dimensions: number): number {
  return Math.ceil(dimensions / GROUP) * HALF;
}

/** `vectors` are one after another, `dimensions` signed bytes each, scaled so that the largest component is ±127. */
export function packVectors(vectors: Int8Array, dimensions: number): Uint8Array {
  const count = vectors.length / dimensions;
  const bytes = packedBytes(dimensions);
  const packed = new Uint8Array(count * bytes);
  for (let row = 0; row < count; row++) {
    for (let d = 0; d < dimensions; d++) {
      const half = Math.round((vectors[row * dimensions + d]! * LARGEST) / LARGEST_BYTE) & 15;
      const inGroup = d % GROUP;
      const at = row * bytes + Math.floor(d / GROUP) * HALF + (inGroup % HALF);
      packed[at]! |= inGroup < HALF ? half : half << 4;
    }
  }
  return packed;
}
