/**
 * Dates as people write them in properties, file names and facts, and the two dates of a note. Dates without a
 * zone are local to this machine; a bare day, month or year covers all of itself.
 */

import type { ScannedNote } from '../markdown/scanned-note.js';
import { stemOf } from './lookup-key.js';
import { findEntry } from './title.js';

export type WrittenDate = {
  /** `2026`, `2026-08`, `2026-08-21` as such; a moment in UTC, `2026-08-21T09:00:00.000Z`. */
  readonly iso: string;
  readonly precision: 'year' | 'month' | 'day' | 'moment';
  /** First millisecond, and the first behind it. */
  readonly fromMs: number;
  readonly toMs: number;
};

export type NoteDates = {
  /** A year, month or day as such, or a moment in UTC. */
  readonly created: string;
  readonly updated: string;
  readonly createdSource: 'property' | 'name' | 'file';
  readonly updatedSource: 'property' | 'file';
};

export type FileTimes = { readonly birthMs?: number | undefined; readonly modifiedMs: number };

/** `created` or `date`, else a date in the file's name, else its times; `updated` or `modified`, else its time. */
export function readDates(note: ScannedNote, path: string, times: FileTimes): NoteDates {
  const created = propertyDate(note, ['created', 'date']);
  const updated = propertyDate(note, ['updated', 'modified']);
  const named = created === undefined ? dateInName(path) : undefined;
  return {
    created: (created ?? named)?.iso ?? new Date(times.birthMs ?? times.modifiedMs).toISOString(),
    updated: updated?.iso ?? new Date(times.modifiedMs).toISOString(),
    createdSource: created ? 'property' : named ? 'name' : 'file',
    updatedSource: updated ? 'property' : 'file',
  };
}

function propertyDate(note: ScannedNote, keys: readonly string[]): WrittenDate | undefined {
  for (const key of keys) {
    const entry = findEntry(note, key);
    const date = entry && parseDate(entry.values[0] ?? '');
    if (date) return date;
  }
  return undefined;
}

const DATE =
  /^(\d{4})(?:([-/._])(\d{1,2})(?:\2(\d{1,2})(?:(?:[T_]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

/** Year, month, day or moment; a link to a daily note counts as its day. Undefined: no date, or one that never was. */
export function parseDate(written: string): WrittenDate | undefined {
  const text = written.trim().replace(/^\[\[(?:[^\]|]*\/)?([^\]|/]*)(?:\|[^\]]*)?\]\]$/, '$1');
  const match = DATE.exec(text) ?? COMPACT.exec(text)?.toSpliced(2, 0, '-');
  if (!match) return undefined;
  const [, yearText, , monthText, dayText, hour, minute, second, fraction, zone] = match as (
    | string
    | undefined
  )[];
  const year = Number(yearText);
  const month = monthText === undefined ? 1 : Number(monthText);
  const day = dayText === undefined ? 1 : Number(dayText);
  if (year < 1 || !isDay(year, month, day)) return undefined;
  if (monthText === undefined) return span(yearText!, 'year', localMs(year, 1, 1), localMs(year + 1, 1, 1));
  const monthIso = `${yearText}-${pad(month)}`;
  if (dayText === undefined)
    return span(monthIso, 'month', localMs(year, month, 1), localMs(year, month + 1, 1));
  if (hour === undefined)
    return span(`${monthIso}-${pad(day)}`, 'day', localMs(year, month, day), localMs(year, month, day + 1));
  const [h, m, s] = [Number(hour), Number(minute), Number(second ?? 0)];
  if (h > 24 || m > 59 || s > 60 || (h === 24 && (m > 0 || s > 0))) return undefined;
  const ms = fraction === undefined ? 0 : Math.floor(Number(`0.${fraction}`) * 1000);
  const at =
    zone === undefined
      ? localMs(year, month, day, h, m, s, ms)
      : utcMs(year, month, day, h, m, s, ms) - offsetMs(zone);
  const length = fraction !== undefined ? 1 : second !== undefined ? 1000 : 60_000;
  return span(new Date(at).toISOString(), 'moment', at, at + length);
}

function span(iso: string, precision: WrittenDate['precision'], fromMs: number, toMs: number): WrittenDate {
  return { iso, precision, fromMs, toMs };
}

function pad(part: number): string {
  return String(part).padStart(2, '0');
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(utcMs(year, month + 1, 0, 0, 0, 0, 0)).getUTCDate();
}

/** Years below 100 are not the 1900s here. */
function utcMs(
  year: number,
  month: number,
  day: number,
  h: number,
  m: number,
  s: number,
  ms: number,
): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(h, m, s, ms);
}

function localMs(year: number, month: number, day: number, h = 0, m = 0, s = 0, ms = 0): number {
  const date = new Date(2000, 0, 1);
  date.setFullYear(year, month - 1, day);
  return date.setHours(h, m, s, ms);
}

function offsetMs(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

const IN_NAME = /(?<!\d)(\d{4})([-_]?)(\d{2})\2(\d{2})(?!\d)/g;
/** `202601311530 Title`, as note boxes number their slips. */
const TIMED_NAME = /(?<!\d)(\d{4})(\d{2})(\d{2})(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?!\d)/;

/** The first day written in the file's name: `2026-01-31`, `20260131`, `2026_01_31`. */
export function dateInName(path: string): WrittenDate | undefined {
  const stem = stemOf(path);
  for (const [, year, , month, day] of stem.matchAll(IN_NAME)) {
    const date = nameDate(year!, month!, day!);
    if (date) return date;
  }
  const timed = TIMED_NAME.exec(stem);
  return timed ? nameDate(timed[1]!, timed[2]!, timed[3]!) : undefined;
}

function nameDate(year: string, month: string, day: string): WrittenDate | undefined {
  return Number(year) >= 1900 && Number(year) < 2200 ? parseDate(`${year}-${month}-${day}`) : undefined;
}

/** The local day of a date as `readDates` gives it, for people. */
export function localDay(iso: string): string {
  if (!iso.includes('T')) return iso;
  const date = new Date(iso);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
