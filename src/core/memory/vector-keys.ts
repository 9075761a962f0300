/** Keys of passages, as text in notes and as bytes beside vectors. */

import type { IndexedPassage } from '../note/indexed-note.js';
import { KEY_BYTES } from '../retrieval/evidence.js';

export function keysOf(owners: readonly Pick<IndexedPassage, 'vectorKey'>[]): Uint8Array {
  return bytesOfKeys(owners.map(({ vectorKey }) => vectorKey));
}

export function bytesOfKeys(texts: readonly string[]): Uint8Array {
  const keys = new Uint8Array(texts.length * KEY_BYTES);
  texts.forEach((text, at) => {
    for (let byte = 0; byte < KEY_BYTES; byte++) {
      keys[at * KEY_BYTES + byte] = Number.parseInt(text.slice(2 * byte, 2 * byte + 2), 16);
    }
  });
  return keys;
}

/** Lower-case hex. */
export function keyAt(keys: Uint8Array, place: number): string {
  let text = '';
  for (const byte of keys.subarray(place * KEY_BYTES, (place + 1) * KEY_BYTES)) {
    text += byte.toString(16).padStart(2, '0');
  }
  return text;
}

/** Heads have none, and numbers that no passage has. */
export function hasNoKey(keys: Uint8Array, place: number): boolean {
  for (let byte = 0; byte < KEY_BYTES; byte++) if (keys[place * KEY_BYTES + byte] !== 0) return false;
  return true;
}
