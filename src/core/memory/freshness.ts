/** When a search compares the index with the vault before it answers, and what it says when it could not. */

import { MemoryError } from '../errors.js';
import type { Places, UpdateOptions } from './bring-up-to-date.js';
import type { CallOptions, SearchInput } from './memory.js';

/** A comparison as quick as this is made before every search … */
const QUICK_CHECK_MS = 25;
/** … a slower one when the last is older than this. */
const CHECK_AGE_MS = 10_000;
/** More changes than this would keep the asker waiting. */
const MOST_CHANGES = 200;

/** Makes sure there is an index, fresh as asked. Returns when it was last compared with the vault. */
export async function refreshBefore(
  places: Places,
  freshness: NonNullable<SearchInput['freshness']>,
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
  const last = await index.lastCheck();
  const ageMs = last ? clock.nowMs() - last.checkedAtMs : Number.POSITIVE_INFINITY;
  // A negative age means that the clock was set back.
  const isDue = last === undefined || last.checkMs < QUICK_CHECK_MS || ageMs > CHECK_AGE_MS || ageMs < 0;
  if (last !== undefined && (freshness === 'never' || (freshness === 'auto' && !isDue)))
    return last.checkedAtMs;

  const outcome = await bringUpToDate(places, {
    ...options,
    wait: freshness === 'always',
    countIgnored: false,
    ...(freshness === 'auto' ? { mostChanges: MOST_CHANGES } : {}),
  });
  if (outcome.kind === 'done') return outcome.record.checkedAtMs;
  if (outcome.kind === 'behind') {
    options.notice?.(
      `${outcome.changes} notes changed since the index was last brought up to date (${ageInWords(ageMs)}); run \`memory reindex\``,
    );
  } else options.notice?.(`another process is indexing; this answer is ${ageInWords(ageMs)} old`);
  return last?.checkedAtMs ?? 0;
}

async function bringUpToDate(places: Places, options: UpdateOptions) {
  return (await import('./bring-up-to-date.js')).bringUpToDate(places, options);
}

async function buildFirst(places: Places, options: CallOptions): Promise<number> {
  const outcome = await bringUpToDate(places, { ...options, wait: true, countIgnored: true });
  if (outcome.kind !== 'done') return 0;
  if (outcome.record.skipped.length > 0) {
    options.notice?.(`${outcome.record.skipped.length} files were skipped; \`memory status\` names them`);
  }
  return outcome.record.checkedAtMs;
}

export function ageInWords(ms: number): string {
  if (!Number.isFinite(ms)) return 'never checked';
  if (ms < 2_000) return 'just now';
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
