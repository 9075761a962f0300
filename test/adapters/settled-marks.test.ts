/** Marks of a listing against settled ones: block by block as bytes, and around what was added, removed or changed. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesBeside } from '../../src/adapters/index-sqlite/settled-marks.js';

const change = fc.record({
  kind: fc.constantFrom('add', 'remove', 'change', 'unsettle'),
  at: fc.nat(),
});

test('placesBeside() finds the places of just those marks that the others lack', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2_000 }),
      fc.array(change, { maxLength: 60 }),
      fc.boolean(),
      (count, changes, isTurned) => {
        const others = Array.from({ length: count }, (_, at) => 10 * at + 1);
        const marks = [...others];
        changes.forEach(({ kind, at }, number) => {
          const place = at % (marks.length + 1);
          if (kind === 'add') marks.splice(place, 0, 100_000 + number);
          if (kind === 'remove') marks.splice(place, 1);
          if (kind === 'change' && place < marks.length) marks[place] = 200_000 + number;
          if (kind === 'unsettle' && count > 0) others[at % count] = NaN;
        });
        if (isTurned) marks.reverse();
        const known = new Set(others);
        const expected = marks.flatMap((mark, place) => (known.has(mark) ? [] : [place]));
        expect(placesBeside(Float64Array.from(marks), Float64Array.from(others))).toEqual(expected);
      },
    ),
    { numRuns: 300 },
  );
});

test('a view in the middle of a buffer is compared as such', () => {
  const marks = Float64Array.from({ length: 600 }, (_, at) => at + 1);
  expect(placesBeside(marks.subarray(100), marks.subarray(100))).toEqual([]);
  expect(placesBeside(marks.subarray(100), marks.subarray(101, 599))).toEqual([0, 499]);
});
