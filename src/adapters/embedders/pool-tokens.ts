/** The vectors of a text's tokens made into one. Used by encoder.ts. */

import type { Pooling } from './model-facts.js';
import { halfToNumber } from './safetensors.js';
import type { Tensor } from './transformers-library.js';

/** `values` are those of a text's own tokens, without padding. */
export function poolTokens(values: Float32Array, row: Float32Array, pooling: Pooling): void {
  const width = row.length;
  const count = values.length / width;
  if (count === 0) return;
  if (pooling !== 'mean') {
    const at = pooling === 'cls' ? 0 : count - 1;
    row.set(values.subarray(at * width, (at + 1) * width));
    return;
  }
  for (let d = 0; d < width; d++) {
    let sum = 0;
    for (let at = d; at < values.length; at += width) sum += values[at]!;
    row[d] = sum / count;
  }
}

export function numbersOf({ data, type }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  // Halves, where Node has no numbers of that size.
  if (type === 'float16' && data instanceof Uint16Array) return Float32Array.from(data, halfToNumber);
  return Float32Array.from(data as ArrayLike<number>);
}
