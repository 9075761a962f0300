/** The compiled kernel is that of its source, and keeps its promises where notes and memory run out. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { compileKernel, KERNELS } from '../../scripts/kernel.mjs';
import type { MemoryError } from '../../src/core/errors.js';
import type { CollectionShape } from '../../src/core/retrieval/evidence.js';
import { countNotes, kernelWith, placeRun, readingPostings } from '../../src/core/retrieval/kernel.js';
import { PostingsWriter } from '../../src/core/retrieval/postings.js';

test.each(KERNELS)('$code is what `npm run kernel` makes of $source', async ({ source, code }) => {
  expect(readFileSync(join(root, code), 'utf8')).toBe(await compileKernel(source));
});

/** Three notes of a head and one passage each; the second is gone. */
const shape: CollectionShape = {
  noteCount: 2,
  noteOf: Uint32Array.of(1, 1, 0, 0, 3, 3),
  bodyLength: Uint16Array.of(0, 4, 0, 0, 0, 6),
  otherLength: Uint16Array.of(1, 0, 0, 0, 2, 0),
};

function postings(passages: readonly number[], counts: readonly number[]): Uint8Array {
  const writer = new PostingsWriter();
  for (const passage of passages) writer.append(passage, Uint8Array.from(counts), 0);
  return writer.finish().slice();
}

test('countNotes() counts each note once and none that is gone', () => {
  const bytes = postings([0, 1, 2, 3, 5], [1, 0, 0, 0, 0, 0]);
  expect(countNotes([{ bytes, before: 0 }], shape)).toBe(2);
  expect(countNotes([{ bytes: postings([2, 3], [0, 0, 7, 0, 1, 0]), before: 0 }], shape)).toBe(0);
  expect(countNotes([], shape)).toBe(0);
});

test('countNotes() reads runs of several segments, distances counting from each', () => {
  const first = { bytes: postings([1], [300, 1, 0, 0, 0, 0]), before: 0 };
  const second = { bytes: postings([1], [1, 0, 0, 0, 0, 0]), before: 4 };
  expect(countNotes([first, second], shape)).toBe(2);
});

test('countNotes() of bytes that name passages which do not exist counts none of them', () => {
  const bytes = postings([900_000], [1, 0, 0, 0, 0, 0]);
  expect(countNotes([{ bytes, before: 0 }], shape)).toBe(0);
});

test('kernelWith() takes another collection in, and back', () => {
  const other: CollectionShape = { ...shape, noteOf: Uint32Array.of(1, 1, 2, 2, 3, 3) };
  const run = { bytes: postings([0, 2, 4], [1, 0, 0, 0, 0, 0]), before: 0 };
  expect(countNotes([run], other)).toBe(3);
  expect(countNotes([run], shape)).toBe(2);
  expect(kernelWith(shape).noteLimit.value).toBe(4);
  expect(kernelWith({ ...shape, noteOf: new Uint32Array(0) }).noteLimit.value).toBe(1);
});

test('sweepRun() of a form that counts nothing finds no note', () => {
  const kernel = kernelWith(shape);
  kernel.startQuery();
  kernel.setFieldWeights(1, 1, 1, 1, 1);
  kernel.setSaturation(1.2, 0.75, 0, 0.75, 0, 0);
  kernel.setMeans(5, 1, 5);
  const { start, end, before } = placeRun(kernel, {
    bytes: postings([1, 5], [2, 0, 0, 0, 0, 0]),
    before: 0,
  });
  for (const share of [0, 0, 1]) {
    expect(kernel.foundCount.value).toBe(0);
    kernel.startWord();
    kernel.sweepRun(start, end, before, share, 0, 0);
    kernel.endWord(1);
  }
  expect(kernel.foundCount.value).toBe(2);
});

test('readingPostings() tells a damaged index from a fault of the program', () => {
  const kernel = kernelWith(shape);
  const beyond = kernel.memory.buffer.byteLength;
  expect(() => readingPostings(() => kernel.countNotes(beyond - 1, beyond + 10, 0))).toThrow(
    expect.objectContaining({ code: 'corrupt' }) as MemoryError,
  );
  expect(() =>
    readingPostings(() => {
      throw new RangeError('ours');
    }),
  ).toThrow(RangeError);
});
