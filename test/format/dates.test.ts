/** NOTE-FORMAT section 2, row "dates". */

import { expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { dateInName, localDay, parseDate, readDates } from '../../src/core/note/dates.js';

const TIMES = { birthMs: Date.UTC(2020, 0, 2, 12), modifiedMs: Date.UTC(2021, 5, 7, 12) };
const BIRTH = '2020-01-02T12:00:00.000Z';
const CHANGE = '2021-06-07T12:00:00.000Z';
const block = (...inner: string[]) => ['---', ...inner, '---', ''].join('\n');

const NOTES: readonly (readonly [
  what: string,
  markdown: string,
  path: string,
  created: string,
  updated: string,
])[] = [
  ['`created`', block('created: 2026-08-21'), 'n.md', '2026-08-21', CHANGE],
  ['`date`', block('date: 2026-08-21'), '2020-01-01.md', '2026-08-21', CHANGE],
  ['`created` before `date`', block('date: 2025-01-01', 'created: 2026-08-21'), 'n.md', '2026-08-21', CHANGE],
  ['`updated`', block('updated: 2026-08-22'), 'n.md', BIRTH, '2026-08-22'],
  ['`modified`', block('modified: 2026-08-22T10:00:00Z'), 'n.md', BIRTH, '2026-08-22T10:00:00.000Z'],
  ['a link to a day', block('created: "[[2026-08-21]]"'), 'n.md', '2026-08-21', CHANGE],
  ['the file name', '', 'daily/2026-01-31.md', '2026-01-31', CHANGE],
  ['other file names', '', 'a/20260131 talk.md', '2026-01-31', CHANGE],
  ['underscores', '', '2026_01_31.md', '2026-01-31', CHANGE],
  ['the file, for a template', block('created: {{date}}'), 'n.md', BIRTH, CHANGE],
  ['the file, for a date that never was', block('created: 2026-02-30'), 'n.md', BIRTH, CHANGE],
  ['the file', 'text', 'n.md', BIRTH, CHANGE],
];

test.each(NOTES)('readDates() reads %s', (_, markdown, path, created, updated) => {
  const dates = readDates(scan(markdown), path, TIMES);
  expect([dates.created, dates.updated]).toEqual([created, updated]);
});

test('readDates() falls back to the modification time', () => {
  expect(readDates(scan(''), 'n.md', { modifiedMs: TIMES.modifiedMs }).created).toBe(CHANGE);
});

const DATES: readonly (readonly [written: string, iso?: string, precision?: string])[] = [
  ['2026-08-21', '2026-08-21', 'day'],
  ['2026-8-1', '2026-08-01', 'day'],
  ['2026/08/21', '2026-08-21', 'day'],
  ['2026.08.21', '2026-08-21', 'day'],
  ['20260821', '2026-08-21', 'day'],
  ['2026-08', '2026-08', 'month'],
  ['2026', '2026', 'year'],
  ['2026-08-21T10:00:00Z', '2026-08-21T10:00:00.000Z', 'moment'],
  ['2026-08-21T10:00:00.250+02:00', '2026-08-21T08:00:00.250Z', 'moment'],
  ['2026-08-21 10:00 +0530', '2026-08-21T04:30:00.000Z', 'moment'],
  ['2026-08-21 24:00Z', '2026-08-22T00:00:00.000Z', 'moment'],
  ['[[daily/2026-08-21|Friday]]', '2026-08-21', 'day'],
  ['2024-02-29', '2024-02-29', 'day'],
  ['2026-02-29'],
  ['2026-13-01'],
  ['2026-08-21T25:00'],
  ['11/04/2016'],
  ['2026-08/21'],
  ['soon'],
  [''],
];

for (const [written, iso, precision] of DATES)
  test(`parseDate() reads ${JSON.stringify(written)}`, () => {
    const date = parseDate(written);
    expect(date?.iso).toBe(iso);
    expect(date?.precision).toBe(precision);
  });

test('parseDate() takes a date without a zone for local, and a day for all of itself', () => {
  const day = parseDate('2026-08-21')!;
  expect(day.fromMs).toBe(new Date(2026, 7, 21).getTime());
  expect(day.toMs).toBe(new Date(2026, 7, 22).getTime());
  const moment = parseDate('2026-08-21T10:30')!;
  expect(moment.fromMs).toBe(new Date(2026, 7, 21, 10, 30).getTime());
  expect(moment.toMs - moment.fromMs).toBe(60_000);
  expect(localDay(moment.iso)).toBe('2026-08-21');
  const year = parseDate('2026')!;
  expect([year.fromMs, year.toMs]).toEqual([new Date(2026, 0, 1).getTime(), new Date(2027, 0, 1).getTime()]);
});

const NAMES: readonly (readonly [path: string, iso?: string])[] = [
  ['a/2026-01-31.md', '2026-01-31'],
  ['Talk 2026-01-31 draft.md', '2026-01-31'],
  ['2026-01-31T10-00.md', '2026-01-31'],
  ['202601311530 Slip.md', '2026-01-31'],
  ['20260131.md', '2026-01-31'],
  ['2026_01_31.md', '2026-01-31'],
  ['2026-13-01 and 2026-01-02.md', '2026-01-02'],
  ['2026-01-31/n.md'],
  ['120260131.md'],
  ['99999999.md'],
  ['2026-0131.md'],
  ['2026-01.md'],
  ['v1.2.20260131.md', '2026-01-31'],
];

for (const [path, iso] of NAMES)
  test(`dateInName() reads ${path}`, () => {
    expect(dateInName(path)?.iso).toBe(iso);
  });
