/** Our SHA-256 against node:crypto. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/adapters/vault-fs/sha-256.js';

const expected = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('of every length around the borders of blocks', () => {
  for (let length = 0; length <= 260; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 167 + length) & 255);
    expect(sha256(bytes)).toBe(expected(bytes));
  }
});

test('of any bytes, also where they are a part of others', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.nat(100), (bytes, from) => {
      expect(sha256(bytes)).toBe(expected(bytes));
      expect(sha256(bytes.subarray(from))).toBe(expected(bytes.subarray(from)));
    }),
  );
});

test('of a megabyte', () => {
  const bytes = new Uint8Array(1_000_003).map((_, at) => at % 251);
  expect(sha256(bytes)).toBe(expected(bytes));
});
