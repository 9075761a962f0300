/** One look at the vault: its listing, and the record of it that is kept with the index. */

import type { CheckRecord, SkippedFile, VaultListing } from '../ports.js';
import { isYoung } from './compare.js';
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
  const listing = await places.vault.list({ countIgnored: options.countIgnored, signal: options.signal });
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
    fingerprint: unread.length === 0 && isSettled(timed) ? timed.listing.fingerprint : '',
    ignored: options.countIgnored ? timed.listing.ignored : (last?.ignored ?? timed.listing.ignored),
    skipped: [...timed.listing.skipped, ...unread],
    embeddedBy: '',
  };
}

/** The marks of the files that the index then holds as they are, and that have no second look to come. */
export function settledMarks(
  { listing, startMs }: TimedListing,
  unsettled: ReadonlySet<string> = new Set(),
): Float64Array {
  if (unsettled.size === 0 && isSettled({ listing, startMs })) return listing.marks;
  const isUnsettled = (at: number) => unsettled.size > 0 && unsettled.has(listing.stampAt(at).path);
  return listing.marks.filter((_, at) => !isYoung(listing.changedMs(at), startMs) && !isUnsettled(at));
}

/** No file changed so shortly before the look that a second change would not show. */
function isSettled({ listing, startMs }: Pick<TimedListing, 'listing' | 'startMs'>): boolean {
  return !isYoung(listing.latestChangeMs, startMs);
}

export function isSameReport(a: CheckRecord, b: CheckRecord): boolean {
  return (
    a.fingerprint === b.fingerprint &&
    a.ignored === b.ignored &&
    JSON.stringify(a.skipped) === JSON.stringify(b.skipped)
  );
}
