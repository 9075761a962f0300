/** The short way of finding what has changed against the long one, over listings in any order. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesBeside } from '../../src/adapters/index-sqlite/settled-marks.js';
import { compareWithVault, differenceFrom, stampsOf } from '../../src/core/memory/compare.js';
import type { FileStamp, KnownNote, VaultListing } from '../../src/core/ports.js';

const SEEN_MS = 1_000_000;

type File = { readonly path: string; readonly version: number; readonly isYoung: boolean };

function stampOf({ path, version, isYoung }: File): FileStamp {
  const mtimeMs = isYoung ? SEEN_MS : version;
  return { path, size: version, mtimeMs, ctimeMs: mtimeMs, inode: 1, birthMs: 0 };
}

/** A number of its own for each path and stamp. */
const markOf = ({ path, version, isYoung }: File) => 100 * Number(path) + 2 * version + Number(isYoung);

function listingOf(files: readonly File[]): VaultListing {
  const stamps = files.map(stampOf);
  return {
    count: files.length,
    stampAt: (index: number) => stamps[index]!,
    marks: Float64Array.from(files, markOf),
    unreadable: [],
  } as unknown as VaultListing;
}

/** An index that holds these files; in the place of a young one stands no mark. */
function indexOf(files: readonly File[]) {
  const known = new Map<string, KnownNote>(
    files.map((file) => [file.path, { ...stampOf(file), seenMs: SEEN_MS } as unknown as KnownNote]),
  );
  const marks = Float64Array.from(files, (file) => (file.isYoung ? NaN : markOf(file)));
  return {
    known: async () => known,
    knownAt: async (paths: readonly string[]) =>
      new Map(paths.flatMap((path) => (known.has(path) ? [[path, known.get(path)!] as const] : []))),
    unsettled: async (listed: Float64Array) => ({
      places: placesBeside(listed, marks),
      notes: files.length,
    }),
  };
}

const file = fc.record({
  path: fc.integer({ min: 0, max: 80 }).map(String),
  version: fc.integer({ min: 1, max: 3 }),
  isYoung: fc.boolean(),
});
const files = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 60 });

test('differenceFrom() finds what comparing all that is known finds', async () => {
  await fc.assert(
    fc.asyncProperty(files, files, fc.boolean(), async (before, others, isSorted) => {
      // Mostly the same files, in the order of the walk or in another one.
      const now = [...others.slice(0, 5), ...before].filter(
        (one, at, all) => all.findIndex(({ path }) => path === one.path) === at,
      );
      if (isSorted) now.sort((a, b) => Number(a.path) - Number(b.path));
      const index = indexOf(before);
      const listing = listingOf(now);
      const { difference } = await differenceFrom(index, listing);
      const whole = compareWithVault(stampsOf(listing), listing, await index.known());
      const paths = (notes: readonly { readonly path: string }[]) => notes.map(({ path }) => path).sort();
      expect(paths(difference.changed)).toEqual(paths(whole.changed));
      expect(paths(difference.doubtful)).toEqual(paths(whole.doubtful));
      expect(paths(difference.gone)).toEqual(paths(whole.gone));
      expect(difference.unchanged).toBe(whole.unchanged);
    }),
    { numRuns: 500 },
  );
});
