/** What a walk reads of files against lstatSync, also where Node does not give its numbers, or gives others. */

import { lstatSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { COLUMNS, statsReader } from '../../src/adapters/vault-fs/read-stats.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-stats-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

function expected(path: string): readonly number[] {
  const { size, mtimeMs, ctimeMs, ino, birthtimeMs } = lstatSync(path);
  return [size, mtimeMs, ctimeMs, ino, birthtimeMs];
}

function readFrom(path: string): readonly number[] {
  const into = new Float64Array(3 * COLUMNS);
  statsReader(folder)(path, into, COLUMNS);
  expect([...into.subarray(0, COLUMNS), ...into.subarray(2 * COLUMNS)]).toEqual(Array(2 * COLUMNS).fill(0));
  return [...into.subarray(COLUMNS, 2 * COLUMNS)];
}

function filesIn(): readonly string[] {
  const paths = ['plain.md', 'größe 小猫.md', 'old.md', 'link.md', 'broken.md'].map((name) =>
    join(folder, name),
  );
  const [plain, other, old, link, broken] = paths as [string, string, string, string, string];
  writeFileSync(plain, 'text');
  writeFileSync(other, 'x'.repeat(70_000));
  writeFileSync(old, '');
  utimesSync(old, 1, -1_000_000.5);
  symlinkSync(plain, link);
  symlinkSync(join(folder, 'nothing'), broken);
  return [folder, ...paths];
}

/** As Node hands out what is inside it. */
function bindingGives(lstat: () => Float64Array | undefined): void {
  vi.spyOn(process as unknown as { binding: (name: string) => unknown }, 'binding').mockReturnValue({
    lstat,
  });
}

test('the columns are those of lstatSync, to the last fraction', () => {
  for (const path of filesIn()) expect(readFrom(path), path).toEqual(expected(path));
});

test('what is not there is an error, and the next file is read', () => {
  const [, plain] = filesIn();
  const read = statsReader(folder);
  const into = new Float64Array(COLUMNS);
  expect(() => read(join(folder, 'nothing.md'), into, 0)).toThrow(/ENOENT/);
  expect(() => read(join(plain!, 'below.md'), into, 0)).toThrow(/ENOTDIR/);
  read(plain!, into, 0);
  expect([...into]).toEqual(expected(plain!));
});

test.each<[string, () => Float64Array | undefined]>([
  ['nothing', () => undefined],
  ['other numbers', () => new Float64Array(18).fill(7)],
  ['fewer numbers', () => new Float64Array(4)],
  [
    'an error',
    () => {
      throw new Error('no access');
    },
  ],
])('where Node gives %s, lstatSync is asked', (_, lstat) => {
  bindingGives(lstat);
  for (const path of filesIn()) expect(readFrom(path), path).toEqual(expected(path));
});

test('where Node refuses, lstatSync is asked; its warnings are as they were', () => {
  vi.spyOn(process as unknown as { binding: () => unknown }, 'binding').mockImplementation(() => {
    throw new Error('access denied');
  });
  const before = process.noDeprecation;
  for (const path of filesIn()) expect(readFrom(path), path).toEqual(expected(path));
  expect(process.noDeprecation ?? false).toBe(before ?? false);
});
