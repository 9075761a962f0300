/** A 128-bit hash of text, equal on every platform: names passages, protects nothing. Bytes of files are hashed by the vault. */

/** 32 lower-case hexadecimal digits, stirred from two running hashes of 32 bits and the length. */
export function contentHash(text: string): string {
  let a = 0x243f6a88;
  let b = 0x85a308d3 | 0;
  const length = text.length;
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code ^ (a >>> 15), 0x85ebca6b);
  }
  let digits = '';
  let mixed = length;
  for (const part of [a, b, a ^ (b >>> 7), b ^ (a >>> 11)]) {
    mixed = mix(mixed ^ part);
    digits += (mixed >>> 0).toString(16).padStart(8, '0');
  }
  return digits;
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
