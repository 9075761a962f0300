/** What a note gains by being new. Its date is looked up by memory/lift-recent.ts. */

import type { NoteDate } from '../note/indexed-note.js';
import type { RankingProfile } from './profile.js';

const DAY_MS = 86_400_000;

/**
 * The later of the dates that the note itself tells, in its properties or name. The times of its file change by a clone
 * or a copy, and stand in only where it tells none.
 */
export function dateForAge(created: NoteDate, updated: NoteDate): NoteDate {
  if (updated.source === 'file') return created.source === 'file' ? updated : created;
  return created.source !== 'file' && created.toMs > updated.toMs ? created : updated;
}

/**
 * The share of its score that a note of that date gains: `recencyWeight` today, half of that after the half-life. Counted
 * in whole days, so that a search that is repeated gives the same scores.
 */
export function recencyShare(
  date: NoteDate,
  nowMs: number,
  { recencyWeight, recencyHalfLifeDays }: Pick<RankingProfile, 'recencyWeight' | 'recencyHalfLifeDays'>,
): number {
  const ageDays = Math.floor(Math.max(0, nowMs - date.toMs) / DAY_MS);
  return recencyWeight * 0.5 ** (ageDays / recencyHalfLifeDays);
}
