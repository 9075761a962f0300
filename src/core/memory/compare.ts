/** Compares the vault's files with what the index knows of them. Taking the difference in is bring-up-to-date.ts. */

import { isSameStamp } from '../note/same-stamp.js';
import type { FileStamp, KnownNote, NoteIndex, VaultListing } from '../ports.js';

export type Difference = {
  /** New files and files whose stamp differs. */
  readonly changed: readonly FileStamp[];
  /** Same stamp, but changed so shortly before they were read that a second change would not show: to be hashed again. */
  readonly doubtful: readonly FileStamp[];
  readonly gone: readonly KnownNote[];
  readonly unchanged: number;
};

/** File systems tick as slowly as every two seconds. */
const TICK_MS = 2_000;

/** Changed so shortly before it was seen that a second change may bear the same times. */
export function isYoung(changedMs: number, seenMs: number): boolean {
  return changedMs > seenMs - TICK_MS;
}

export function stampsOf({ count, stampAt }: Pick<VaultListing, 'count' | 'stampAt'>): readonly FileStamp[] {
  return Array.from({ length: count }, (_, index) => stampAt(index));
}

/** More unsettled files than this are compared with all that is known at once. */
const MOST_LOOKED_UP = 500;

/**
 * The difference, where possible without reading all that is known: files whose marks are settled are in the index as
 * they are. Only where these and the others that are known make up all of it has none gone.
 */
export async function differenceFrom(
  index: Pick<NoteIndex, 'known' | 'knownAt' | 'settled'>,
  listing: VaultListing,
): Promise<{ readonly difference: Difference; readonly known: number }> {
  const settled = await index.settled();
  if (settled) {
    const unsettled = placesBeside(listing.marks, settled.marks);
    if (unsettled.length <= MOST_LOOKED_UP) {
      const stamps = unsettled.map((index) => listing.stampAt(index));
      const same = listing.count - stamps.length;
      const known = await index.knownAt(stamps.map(({ path }) => path));
      if (same + known.size === settled.notes) {
        const { unchanged, ...others } = compareWithVault(stamps, listing, known);
        return { difference: { ...others, unchanged: same + unchanged }, known: settled.notes };
      }
    }
  }
  const known = await index.known();
  return { difference: compareWithVault(stampsOf(listing), listing, known), known: known.size };
}

/** How far a file is looked for behind the last one found: one that is gone, or changed, stands between them. */
const LOOK_AHEAD = 4;
/** More files than this are looked for by a table. */
const FEW_MARKS = 32;

/**
 * Places of the marks that are not among the others. Both mostly come in one order, that of the walk: making a table of
 * them takes a process that has just started some milliseconds.
 */
function placesBeside(marks: Float64Array, others: Float64Array): readonly number[] {
  const beside: number[] = [];
  let next = 0;
  for (let place = 0; place < marks.length; place += 1) {
    const mark = marks[place]!;
    let at = next;
    const end = Math.min(others.length, next + LOOK_AHEAD);
    while (at < end && others[at] !== mark) at += 1;
    if (at < end) next = at + 1;
    else beside.push(place);
  }
  if (beside.length <= FEW_MARKS) return beside.filter((place) => !others.includes(marks[place]!));
  const known = new Set(others);
  return beside.filter((place) => !known.has(marks[place]!));
}

export function compareWithVault(
  stamps: readonly FileStamp[],
  { unreadable }: Pick<VaultListing, 'unreadable'>,
  known: ReadonlyMap<string, KnownNote>,
): Difference {
  const changed: FileStamp[] = [];
  const doubtful: FileStamp[] = [];
  let met = 0;
  for (const stamp of stamps) {
    const note = known.get(stamp.path);
    if (note === undefined) {
      changed.push(stamp);
      continue;
    }
    met += 1;
    if (!isSameStamp(stamp, note)) changed.push(stamp);
    else if (isYoung(Math.max(stamp.mtimeMs, stamp.ctimeMs), note.seenMs)) doubtful.push(stamp);
  }
  const gone: KnownNote[] = [];
  if (met < known.size) {
    const listed = new Set(stamps.map((stamp) => stamp.path));
    for (const note of known.values()) {
      if (listed.has(note.path)) continue;
      if (!unreadable.some((folder) => note.path.startsWith(folder))) gone.push(note);
    }
  }
  return { changed, doubtful, gone, unchanged: stamps.length - changed.length - doubtful.length };
}
