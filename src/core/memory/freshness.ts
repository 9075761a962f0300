/** When a search compares the index with the vault before it answers, and what it says when it could not. */

import { MemoryError } from '../errors.js';
import type { UpdateOptions, UpdateOutcome } from './bring-up-to-date.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import type { SearchInput } from './search-types.js';

/** A comparison as quick as this is made before every search … */
const QUICK_CHECK_MS = 25;
/** … as that of so few files is, 5 µs each, even when a busy moment made the last one slow … */
const QUICK_CHECK_FILES = 2_500;
/** … a slower one when the last is older than this. */
const CHECK_AGE_MS = 10_000;
/** More changes than this would keep the asker waiting. */
const MOST_CHANGES = 200;

type Freshness = NonNullable<SearchInput['freshness']>;

/** Makes sure there is an index, fresh as asked. Returns when it was last compared with the vault. */
export async function refreshBefore(
  places: Places,
  freshness: Freshness,
  options: CallOptions,
): Promise<number> {
  const { index, clock } = places;
  const state = await index.state();
  if (state === 'none') return buildFirst(places, options);
  if (state === 'suspect' && freshness !== 'never') {
    options.notice?.('the last reindex was interrupted; building the index anew');
    try {
      return await buildFirst(places, options);
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'unavailable') throw error;
      options.notice?.(`${error.message}; this answer is from the interrupted index`);
    }
  }
  if (freshness !== 'never') await places.catchUp?.();
  const last = await index.lastCheck();
  const ageMs = last ? clock.nowMs() - last.checkedAtMs : Number.POSITIVE_INFINITY;
  const isQuick = last !== undefined && (last.files <= QUICK_CHECK_FILES || last.checkMs < QUICK_CHECK_MS);
  // A negative age means that the clock was set back.
  const isDue = isQuick || ageMs > CHECK_AGE_MS || ageMs < 0;
  if (last !== undefined && (freshness === 'never' || (freshness === 'auto' && !isDue)))
    return last.checkedAtMs;

  const { outcome, isOwn } = await sharedCheck(places, freshness, {
    ...options,
    wait: freshness === 'always' ? true : 'briefly',
    countIgnored: false,
    ...(freshness === 'auto' ? { mostChanges: MOST_CHANGES } : {}),
  });
  if (outcome.kind === 'done') return outcome.record.checkedAtMs;
  const since = last
    ? `was last brought up to date ${ageInWords(ageMs)} ago`
    : 'was never brought up to date';
  if (isOwn && outcome.kind === 'behind') {
    const { changes } = outcome;
    const changed = `${changes} ${changes === 1 ? 'note' : 'notes'} changed`;
    options.notice?.(`${changed} since the index ${since}; run \`memory reindex\``);
  } else if (isOwn) {
    options.notice?.(`another process is indexing; the index this answer is from ${since}`);
  }
  return last?.checkedAtMs ?? 0;
}

async function buildFirst(places: Places, options: CallOptions): Promise<number> {
  const { outcome, isOwn } = await sharedCheck(places, 'first', {
    ...options,
    wait: true,
    countIgnored: true,
  });
  if (outcome.kind !== 'done') return 0;
  const skipped = outcome.record.skipped.length;
  // Where another call has just built it, that call has said so.
  if (isOwn && skipped > 0 && outcome.counts.unchanged === 0) {
    const [files, them] = skipped === 1 ? ['file was', 'it'] : ['files were', 'them'];
    options.notice?.(`${skipped} ${files} skipped; \`memory status\` names ${them}`);
  }
  return outcome.record.checkedAtMs;
}

type Purpose = Freshness | 'first';

type Check = { readonly outcome: Promise<UpdateOutcome>; readonly options: UpdateOptions };

type Queue = {
  /** Ends when all checks asked for have ended. */
  tail: Promise<unknown>;
  /** The one that has not begun. */
  waiting: Check | undefined;
};

const queuesOf = new WeakMap<Places, Map<Purpose, Queue>>();

/**
 * Checks of one memory for one purpose run one after another, and calls that come while one waits for its turn share
 * it. One that has begun is not joined: it may have passed a note that the caller wrote since.
 */
async function sharedCheck(
  places: Places,
  purpose: Purpose,
  options: UpdateOptions,
): Promise<{ readonly outcome: UpdateOutcome; readonly isOwn: boolean }> {
  const queue = queueOf(places, purpose);
  for (;;) {
    const check = (queue.waiting ??= nextCheck(queue, places, options));
    const isOwn = check.options === options;
    try {
      return { outcome: await check.outcome, isOwn };
    } catch (error) {
      // Who asked for the check gave it up; those who joined it still want their answer.
      if (isOwn || !check.options.signal?.aborted) throw error;
    }
  }
}

function queueOf(places: Places, purpose: Purpose): Queue {
  let queues = queuesOf.get(places);
  if (!queues) queuesOf.set(places, (queues = new Map()));
  let queue = queues.get(purpose);
  if (!queue) queues.set(purpose, (queue = { tail: Promise.resolve(), waiting: undefined }));
  return queue;
}

function nextCheck(queue: Queue, places: Places, options: UpdateOptions): Check {
  const outcome = queue.tail.then(async () => {
    queue.waiting = undefined;
    const { bringUpToDate } = await import('./bring-up-to-date.js');
    return bringUpToDate(places, options);
  });
  queue.tail = outcome.catch(() => undefined);
  return { outcome, options };
}

/** `12 seconds`, `3 hours`. */
export function ageInWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
