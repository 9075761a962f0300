/** Which segments are merged: the newest small ones, and larger ones only once those weigh something against them. */

import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { TABLES } from '../../src/adapters/index-sqlite/schema.js';
import { mergeSmallSegments } from '../../src/adapters/index-sqlite/segments.js';

/** Merges once; oldest first, both before and after. */
function mergedOf(counts: readonly number[]): number[] {
  const database = new Sqlite(':memory:');
  onTestFinished(() => void database.close());
  database.exec(TABLES);
  const insert = database.prepare('INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?)');
  let first = 0;
  counts.forEach((count, at) => {
    const [words, shorts] = [new Uint8Array(4 * count), new Uint8Array(2 * count)];
    insert.run(at + 1, first, count, words, shorts, shorts, new Uint8Array(8 * count));
    first += count;
  });
  mergeSmallSegments(database);
  return database
    .prepare('SELECT passage_count FROM segments ORDER BY first_passage')
    .pluck()
    .all() as number[];
}

const small = (count: number) => Array<number>(count).fill(6);

test.each([
  ['seven are left', [541, ...small(7)], [541, ...small(7)]],
  ['eight become one, beside a large one', [541, ...small(8)], [541, 48]],
  ['one that is little larger goes along', [100, ...small(7)], [142]],
  ['those of a long note that is changed again and again too', [541, ...Array<number>(8).fill(200)], [2_141]],
  ['many take a large one along', [541, ...Array<number>(8).fill(40)], [861]],
  [
    'none becomes larger than merging may take time for',
    [4_000, ...Array<number>(8).fill(300)],
    [4_000, 2_400],
  ],
])('%s', (_, before, after) => {
  expect(mergedOf(before)).toEqual(after);
});
