/** One look at the vault: its listing, and the record of it that is kept with the index. */

import type { CheckRecord, SkippedFile, VaultListing } from '../ports.js';
import { youngFromMs } from './compare.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';

type LookOptions = Pick<CallOptions, 'signal'> & {
  /** Walk ignored folders too, to count the notes in them. */
  readonly countIgnored: boolean;
};

export type TimedListing = { readonly listing: VaultListing; readonly startMs: number; readonly ms: number };

export async function listVault(
  places: Pick<Places, 'vault' | 'clock'>,
  options: LookOptions,
): Promise<TimedListing> {
  const startMs = places.clock.nowMs();
  const listing = await places.vault.list({
    countIgnored: options.countIgnored,
    youngFromMs: youngFromMs(startMs),
    signal: options.signal,
  });
  return { listing, startMs, ms: places.clock.nowMs() - startMs };
}

export function checkRecord(
  timed: TimedListing,
  unread: readonly SkippedFile[],
  last: CheckRecord | undefined,
  options: LookOptions,
): CheckRecord {
  return {
    checkedAtMs: timed.startMs,
    checkMs: timed.ms,
    files: timed.listing.count,
    fingerprint: unread.length === 0 && isSettled(timed.listing) ? timed.listing.fingerprint : '',
    ignored: options.countIgnored ? timed.listing.ignored : (last?.ignored ?? timed.listing.ignored),
    skipped: [...timed.listing.skipped, ...unread],
    embeddedBy: '',
  };
}

/** The marks of the files that the index then holds as they are, and that have no second look to come. */
export function settledMarks(
  { listing }: TimedListing,
  unsettled: ReadonlySet<string> = new Set(),
): Float64Array {
  if (unsettled.size === 0 && isSettled(listing)) return listing.marks;
  const marks = listing.marks.slice();
  for (const place of listing.young) marks[place] = NO_MARK;
  if (unsettled.size > 0) {
    marks.forEach((_, place) => {
      if (unsettled.has(listing.stampAt(place).path)) marks[place] = NO_MARK;
    });
  }
  return marks;
}

/** Equal to no mark, not even to itself. */
const NO_MARK = NaN;

/** No file changed so shortly before the look that a second change would not show. */
function isSettled({ young }: VaultListing): boolean {
  return young.length === 0;
}

export function isSameReport(a: CheckRecord, b: CheckRecord): boolean {
  return (
    a.fingerprint === b.fingerprint &&
    a.ignored === b.ignored &&
    JSON.stringify(a.skipped) === JSON.stringify(b.skipped)
  );
}
