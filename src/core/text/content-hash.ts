/** A 128-bit hash of text, equal on every platform: names passages, protects nothing. Bytes of files are hashed by the vault. */

const SEEDS = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344] as const;
const FACTORS = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

/** 32 lower-case hexadecimal digits. */
export function contentHash(text: string): string {
  let [a, b, c, d] = SEEDS as readonly [number, number, number, number];
  const length = text.length;
  for (let i = 0; i < length; i += 1) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, FACTORS[0]);
    b = Math.imul(b ^ code ^ (a >>> 15), FACTORS[1]);
    c = Math.imul(c ^ code ^ (b >>> 13), FACTORS[2]);
    d = Math.imul(d ^ code ^ (c >>> 16), FACTORS[3]);
  }
  a ^= length;
  for (let round = 0; round < 2; round += 1) {
    a = mix(a ^ d);
    b = mix(b ^ a);
    c = mix(c ^ b);
    d = mix(d ^ c);
  }
  return hex(a) + hex(b) + hex(c) + hex(d);
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
