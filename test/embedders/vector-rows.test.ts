/** Rows of numbers made into vectors: scale, cut, and rows that are none. */

import { expect, test } from 'vitest';
import { rowToBytes, rowToDirection } from '../../src/adapters/embedders/vector-rows.js';

test('rowToBytes() scales the largest of the leading components to ±127', () => {
  const bytes = new Int8Array(3);
  rowToBytes(Float32Array.of(0.5, -2, 1, 900), bytes, 'text', 0);
  expect([...bytes]).toEqual([32, -127, 64]);
});

test('rowToDirection() cuts before it scales to length 1', () => {
  expect([...rowToDirection(Float32Array.of(3, -4, 100), 2, 'text')]).toEqual([
    Math.fround(0.6),
    Math.fround(-0.8),
  ]);
});

test.each([
  [[0, 0, 0], 'only zeros'],
  [[0, 0, 5], 'only zeros'],
  [[1, Number.NaN, 0], 'NaN'],
  [[1, Number.NEGATIVE_INFINITY, 0], 'an infinite number'],
])('the row %j is refused', (row, fault) => {
  const refusal = {
    code: 'invalid_input',
    message: `The model cannot embed the text "a b": its vector holds ${fault}`,
    hint: expect.stringContaining('memory model use'),
  };
  const numbers = Float32Array.from(row);
  expect(() => rowToBytes(numbers, new Int8Array(2), ' a\n b ', 4)).toThrowError(
    expect.objectContaining({ ...refusal, details: expect.objectContaining({ text: 4 }) }),
  );
  expect(() => rowToDirection(numbers, 2, 'a b')).toThrowError(expect.objectContaining(refusal));
});

test('a refusal shows the first 60 characters, whole ones', () => {
  const text = `${'😀'.repeat(60)}x`;
  expect(() => rowToDirection(new Float32Array(2), 2, text)).toThrowError(`"${'😀'.repeat(60)}…"`);
});
