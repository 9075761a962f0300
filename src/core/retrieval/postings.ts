/**
 * Where one term occurs, as bytes: what an index stores and hands to core as it is. Per passage a variable-length
 * number: the distance to the passage before, shifted left by two, plus how the counts follow:
 *
 *   0  once in the body          1  twice in the body
 *   2  one byte: times in body   3  one byte: which fields; then one byte of count per field
 *
 * Four of five postings take one or two bytes. Ranking reads them in kernel/ranking.ts.
 */

import { FIELD_COUNT } from './evidence.js';

/** Of its own, since a bundle reaches another module's constants through a call, which inner loops notice. */
const WIDTH = FIELD_COUNT;

const FIRST_BUFFER_BYTES = 8;

/** A stretch of one term's postings in rising passage number; distances count from the number `before`. */
export type PostingsRun = { readonly bytes: Uint8Array; readonly before: number };

/** Collects the postings of one term. Passages must be appended in rising order. */
export class PostingsWriter {
  private bytes: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_BUFFER_BYTES);
  private length = 0;
  private previous = 0;

  reset(): void {
    this.length = 0;
    this.previous = 0;
  }

  /** `counts[offset + field]` holds the occurrences per field. Numbers are relative to the segment's first passage. */
  append(passage: number, counts: Uint8Array, offset: number): void {
    if (this.length + 6 + WIDTH > this.bytes.length) this.grow();
    let mask = 0;
    for (let field = 0; field < WIDTH; field += 1) if (counts[offset + field] !== 0) mask |= 1 << field;
    if (mask === 1) {
      this.appendBody(passage, counts[offset]!);
      return;
    }
    const distance = passage - this.previous;
    this.previous = passage;
    this.writeNumber(distance * 4 + 3);
    this.bytes[this.length++] = mask;
    for (let field = 0; field < WIDTH; field += 1) {
      if ((mask & (1 << field)) !== 0) this.bytes[this.length++] = counts[offset + field]!;
    }
  }

  /** As `append`, for a term that stands in the body alone, as most do. */
  appendBody(passage: number, count: number): void {
    if (this.length + 6 + WIDTH > this.bytes.length) this.grow();
    const distance = passage - this.previous;
    this.previous = passage;
    const code = count === 1 ? 0 : count === 2 ? 1 : 2;
    this.writeNumber(distance * 4 + code);
    if (code === 2) this.bytes[this.length++] = count;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  private writeNumber(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest & 127) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2 + WIDTH);
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

/** Calls `visit` for each posting; `counts` is reused between calls. */
export function readPostings(
  { bytes, before }: PostingsRun,
  visit: (passage: number, counts: Uint8Array) => void,
): void {
  const counts = new Uint8Array(WIDTH);
  let at = 0;
  let passage = before;
  while (at < bytes.length) {
    let value = 0;
    let scale = 1;
    let byte: number;
    do {
      byte = bytes[at++]!;
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte > 127);
    const code = value & 3;
    passage += (value - code) / 4;
    counts.fill(0);
    if (code < 2) counts[0] = code + 1;
    else if (code === 2) counts[0] = bytes[at++]!;
    else {
      const mask = bytes[at++]!;
      for (let field = 0; field < WIDTH; field += 1) {
        if ((mask & (1 << field)) !== 0) counts[field] = bytes[at++]!;
      }
    }
    visit(passage, counts);
  }
}
