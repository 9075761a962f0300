/** The list of objects an operation may take, read as JSON lines. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readItems } from '../../src/surfaces/cli/items.js';
import { temporaryFolder } from './run-memory.js';

const stdin = (text: string) => () => Promise.resolve(text);

test('readItems() reads a JSON value a line, from stdin or a file, blank lines left out', async () => {
  const text = '{"a":1}\n\n  \r\n{"b":"\\n"}';
  const path = join(temporaryFolder(), 'items.jsonl');
  writeFileSync(path, text);
  const items = [{ a: 1 }, { b: '\n' }];
  expect(await readItems('-', stdin(text))).toEqual(items);
  expect(await readItems(path, stdin(''))).toEqual(items);
  expect(await readItems('-', stdin(''))).toEqual([]);
});

test('readItems() names the line that is no JSON, and the file that is not there', async () => {
  await expect(readItems('-', stdin('{}\n{"a":\n'))).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'No JSON in line 2 of stdin',
  });
  await expect(readItems('none.jsonl', stdin(''))).rejects.toMatchObject({
    code: 'not_found',
    message: 'Cannot read "none.jsonl"',
  });
});
