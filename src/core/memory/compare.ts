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

/** `known`: how many notes the index held. */
export type Comparison = { readonly difference: Difference; readonly known: number };

/** File systems tick as slowly as every two seconds. */
const TICK_MS = 2_000;

/** What changed after this, so shortly before it was seen, may change once more and bear the same times. */
export function youngFromMs(seenMs: number): number {
  return seenMs - TICK_MS;
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
  index: Pick<NoteIndex, 'known' | 'knownAt' | 'unsettled'>,
  listing: VaultListing,
): Promise<Comparison> {
  const unsettled = await index.unsettled(listing.marks);
  if (unsettled && unsettled.places.length <= MOST_LOOKED_UP) {
    const stamps = unsettled.places.map((index) => listing.stampAt(index));
    const same = listing.count - stamps.length;
    const known = await index.knownAt(stamps.map(({ path }) => path));
    if (same + known.size === unsettled.notes) {
      const { unchanged, ...others } = compareWithVault(stamps, listing, known);
      return { difference: { ...others, unchanged: same + unchanged }, known: unsettled.notes };
    }
  }
  const known = await index.known();
  return { difference: compareWithVault(stampsOf(listing), listing, known), known: known.size };
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
    else if (Math.max(stamp.mtimeMs, stamp.ctimeMs) > youngFromMs(note.seenMs)) doubtful.push(stamp);
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
