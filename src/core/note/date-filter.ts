/** Bounds that callers give for dates, as spans of time. */

import { MemoryError } from '../errors.js';
import { parseDate } from './dates.js';
import type { NoteFilter } from './stored-note.js';

export type DateBounds = { readonly after?: string | undefined; readonly before?: string | undefined };

/** `after` is inclusive, `before` exclusive; a bare day, month or year covers all of itself. */
export function dateFilter(by: 'created' | 'updated', { after, before }: DateBounds): NoteFilter['dated'] {
  if (after === undefined && before === undefined) return undefined;
  return {
    by,
    fromMs: after === undefined ? Number.NEGATIVE_INFINITY : boundMs('after', after),
    beforeMs: before === undefined ? Number.POSITIVE_INFINITY : boundMs('before', before),
  };
}

function boundMs(name: string, written: string): number {
  const date = parseDate(written);
  if (date) return date.fromMs;
  throw new MemoryError('invalid_input', `${name}: "${written}" is no date`, {
    hint: 'Write a year, month, day or moment, such as 2026, 2026-01, 2026-01-31 or 2026-01-31T09:00.',
  });
}
