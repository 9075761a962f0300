/** Tests on properties, as in `--where status=open` or `--where due<2026-03-01`. */

import { MemoryError } from '../errors.js';
import { lookupKey } from './lookup-key.js';
import type { PropertyTest } from './stored-note.js';

/** Reads `key=value`, `key!=value`, `key<value`, `key<=value`, `key>value`, `key>=value`; a bare `key` asks that it is set. */
export function parsePropertyTest(text: string): PropertyTest {
  const match = /^\s*([^=!<>]+?)\s*(!=|<=|>=|=|<|>)\s*(.*?)\s*$/su.exec(text);
  if (!match) {
    const key = text.trim();
    if (key === '' || /[=!<>]/.test(key)) {
      throw new MemoryError('invalid_input', `Cannot read the test "${text}"`, {
        hint: 'Write key=value, key!=value, key<value, key>=value, or a bare key; for example --where status=open.',
      });
    }
    return { key: lookupKey(key), operator: '!=', value: '' };
  }
  return { key: lookupKey(match[1]!), operator: match[2] as PropertyTest['operator'], value: match[3]! };
}

/** Whether any of a note's values for the key passes; for `!=` all must differ, and a missing key does, except from nothing. */
export function passesPropertyTest(values: readonly string[], test: PropertyTest): boolean {
  switch (test.operator) {
    case '=':
      return values.some((value) => isSame(value, test.value));
    case '!=':
      if (test.value === '') return values.some((value) => value.trim() !== '');
      return !values.some((value) => isSame(value, test.value));
    default:
      return values.some((value) => {
        const order = compareValues(value, test.value);
        if (order === undefined) return false;
        if (test.operator === '<') return order < 0;
        if (test.operator === '<=') return order <= 0;
        if (test.operator === '>') return order > 0;
        return order >= 0;
      });
  }
}

function isSame(value: string, wanted: string): boolean {
  const key = lookupKey(wanted.trim());
  if (lookupKey(value.trim()) === key) return true;
  const link = /^\[\[([^\]|#]*)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]$/.exec(value.trim());
  if (link) {
    const target = lookupKey(link[1]!.trim()).replace(/\.md$/, '');
    if (target === key || target.endsWith(`/${key}`) || lookupKey((link[2] ?? '').trim()) === key)
      return true;
  }
  const a = asNumber(value);
  return a !== undefined && a === asNumber(wanted);
}

/** Numbers as numbers, dates as dates (a bare day covers the whole day), anything else as text; unlike kinds do not compare. */
function compareValues(value: string, wanted: string): number | undefined {
  const a = asNumber(value);
  const b = asNumber(wanted);
  if (a !== undefined && b !== undefined) return a - b;
  const day = asDate(value);
  const limit = asDate(wanted);
  if (day !== undefined && limit !== undefined) {
    const length = Math.min(day.length, limit.length);
    return compareText(day.slice(0, length), limit.slice(0, length));
  }
  if (a !== undefined || b !== undefined || day !== undefined || limit !== undefined) return undefined;
  return compareText(lookupKey(value.trim()), lookupKey(wanted.trim()));
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function asNumber(text: string): number | undefined {
  const trimmed = text.trim();
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined;
}

function asDate(text: string): string | undefined {
  const match = /^(\d{4})-(\d\d?)(?:-(\d\d?)(?:[T ](\d\d:\d\d(?::\d\d)?))?)?/.exec(text.trim());
  if (!match) return undefined;
  const [, year, month, day, time] = match;
  let date = `${year}-${month!.padStart(2, '0')}`;
  if (day) date += `-${day.padStart(2, '0')}`;
  if (time) date += `T${time}`;
  return date;
}
