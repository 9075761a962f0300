/** A word that nobody can foresee: for what a note must not know, and for what is to be told apart. */

/** Twelve hexadecimal digits. From the global `crypto`: importing `node:crypto` would cost every start 6 ms. */
export function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
