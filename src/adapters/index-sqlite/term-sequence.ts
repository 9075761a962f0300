/** A passage's terms in the order of its text, as variable-length term numbers; 0 stands between two fields. */

import type { PlacedTerm } from '../../core/retrieval/evidence.js';

export function encodeTermSequence(fields: readonly Uint32Array[]): Uint8Array {
  let size = fields.length;
  for (const field of fields) size += field.length * 5;
  const bytes = new Uint8Array(size);
  let at = 0;
  fields.forEach((field, index) => {
    if (index > 0) bytes[at++] = 0;
    for (let i = 0; i < field.length; i += 1) {
      let rest = field[i]!;
      while (rest > 127) {
        bytes[at++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      bytes[at++] = rest;
    }
  });
  return bytes.slice(0, at);
}

/** Calls `visit` with each term number in order, 0 for a border between fields. */
export function readTermSequence(bytes: Uint8Array, visit: (termId: number) => void): void {
  let at = 0;
  while (at < bytes.length) {
    let value = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte > 127);
    visit(value >>> 0);
  }
}

/** Where the terms of `nameOf` stand, by field. */
export function placedTerms(bytes: Uint8Array, nameOf: ReadonlyMap<number, string>): PlacedTerm[][] {
  let field: PlacedTerm[] = [];
  const fields = [field];
  const length = bytes.length;
  let place = 0;
  let at = 0;
  while (at < length) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    if (value === 0) {
      fields.push((field = []));
      place = 0;
      continue;
    }
    const term = nameOf.get(value);
    if (term !== undefined) field.push({ term, at: place });
    place += 1;
  }
  return fields;
}

/** The term numbers of each field, as they were encoded. */
export function decodeTermSequence(bytes: Uint8Array): Uint32Array[] {
  const all = new Uint32Array(bytes.length);
  const fields: Uint32Array[] = [];
  let start = 0;
  let end = 0;
  readTermSequence(bytes, (termId) => {
    if (termId !== 0) all[end++] = termId;
    else {
      fields.push(all.subarray(start, end));
      start = end;
    }
  });
  fields.push(all.subarray(start, end));
  return fields;
}
