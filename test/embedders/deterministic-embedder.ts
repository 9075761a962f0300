/** An embedder without a model, for tests: a word's vector is made of its hash, so equal words are near each other. */

import type { Embedder } from '../../src/core/ports.js';
import { seededRandom } from '../random.js';

const DIMENSIONS = 16;

export const deterministicEmbedder: Embedder = {
  model: { id: 'deterministic', dimensions: DIMENSIONS, fingerprint: 'deterministic-1' },
  embedPassages: async (texts) => {
    const out = new Int8Array(texts.length * DIMENSIONS);
    texts.forEach((text, at) => {
      const sum = sumOf(wordsOf(text));
      const largest = Math.max(...sum.map(Math.abs));
      if (largest > 0)
        out.set(
          sum.map((value) => Math.round((value / largest) * 127)),
          at * DIMENSIONS,
        );
    });
    return out;
  },
  embedQuery: async (text) => {
    const words = wordsOf(text);
    const sum = sumOf(words);
    const length = Math.hypot(...sum);
    const vector = Float32Array.from(sum, (value) => (length > 0 ? value / length : 0));
    return { vector, knownShare: words.length > 0 ? 1 : 0 };
  },
  release: async () => {},
};

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

function sumOf(words: readonly string[]): number[] {
  const sum = new Array<number>(DIMENSIONS).fill(0);
  for (const word of words) {
    let hash = 0;
    for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i)) | 0;
    const random = seededRandom(hash);
    for (let d = 0; d < DIMENSIONS; d++) sum[d] = sum[d]! + random.below(2001) - 1000;
  }
  return sum;
}
