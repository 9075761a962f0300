/** What the static embedder computes, written down as plainly as can be: the oracle of its tests. */

import type { QueryVector } from '../../src/core/ports.js';
import type { StaticTables } from './static-model.js';

const ENDINGS = ['s', 'es', 'ed', 'd', 'ing', 'ly', 'er', 'ers'];

export class PlainEmbedder {
  readonly #tables: StaticTables;

  constructor(tables: StaticTables) {
    this.#tables = tables;
  }

  passage(text: string): Int8Array {
    const sum = this.#sum(wordsOf(text));
    const largest = Math.max(...sum.map(Math.abs));
    const scale = largest > 0 ? 127 / largest : 0;
    return Int8Array.from(sum, (value) => roundHalfToEven(value * scale));
  }

  query(text: string): QueryVector {
    const words = wordsOf(text);
    const sum = this.#sum(words);
    let squares = 0;
    for (const value of sum) squares += value * value;
    const length = Math.sqrt(squares);
    const different = [...new Set(words)];
    const known = different.filter((word) => this.#rowOf(word) >= 0);
    return {
      vector: Float32Array.from(sum, (value) => (length > 0 ? value / length : 0)),
      knownShare: different.length === 0 ? 0 : known.length / different.length,
    };
  }

  #sum(words: readonly string[]): number[] {
    const { dimensions, scales, rows } = this.#tables;
    const counts = new Map<number, number>();
    for (const word of words) {
      const row = this.#rowOf(word);
      if (row >= 0) counts.set(row, (counts.get(row) ?? 0) + 1);
    }
    const sum = new Array<number>(dimensions).fill(0);
    for (const [row, count] of counts) {
      const weight = (1 + logarithm(count)) * scales[row]!;
      for (let d = 0; d < dimensions; d++) sum[d] = sum[d]! + weight * rows[row * dimensions + d]!;
    }
    return sum;
  }

  #rowOf(word: string): number {
    const stems = ENDINGS.filter((ending) => word.endsWith(ending) && word.length - ending.length >= 3);
    const forms = [word, ...stems.map((ending) => word.slice(0, -ending.length))];
    for (const form of forms) {
      const row = this.#tables.words.indexOf(form);
      if (row >= 0) return row;
    }
    return -1;
  }
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .match(/[a-z0-9]+/g) ?? []
  );
}

/** Math.log may differ in its last bit from one machine to another; sums, products and quotients may not. */
export function logarithm(count: number): number {
  let exponent = Math.floor(Math.log2(count));
  let rest = count / 2 ** exponent;
  if (rest > Math.SQRT2) {
    rest /= 2;
    exponent++;
  }
  const s = (rest - 1) / (rest + 1);
  let series = 0;
  for (let k = 23; k > 0; k -= 2) series = series * s * s + 1 / k;
  return exponent * Math.LN2 + 2 * s * series;
}

function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}
