/** Errors name options as they are typed. What programs get, the names of fields, is rpc.test.ts. */

import { expect, test } from 'vitest';
import { MemoryError } from '../../src/core/errors.js';
import { loadOperation } from '../../src/operations/index.js';
import { readFields } from '../../src/operations/input-field.js';
import { asTyped } from '../../src/surfaces/cli/as-typed.js';

async function shapeOf(name: string) {
  const { input, positional } = (await loadOperation(name))!;
  return { name, fields: readFields(input), positional, joinsWords: false };
}

const CASES: readonly (readonly [
  operation: string,
  message: string,
  details: Record<string, unknown>,
  typed: string,
])[] = [
  [
    'search',
    'search: maxTokens must be at least 1, not 0',
    { argument: 'maxTokens' },
    'search: --max-tokens must be at least 1, not 0',
  ],
  [
    'search',
    'search: after must be a date, not "after"',
    { argument: 'after' },
    'search: --after must be a date, not "after"',
  ],
  ['search', 'search needs query: words', { argument: 'query' }, 'search needs query: words'],
  ['eval', 'eval: add must be a text, not 1', { argument: 'add' }, 'eval: --add must be a text, not 1'],
  [
    'edit',
    'with needs replace: the text',
    { arguments: ['with', 'replace'] },
    '--with needs --replace: the text',
  ],
  ['edit', 'addTag holds a NUL character', { argument: 'addTag' }, '--add-tag holds a NUL character'],
  ['edit', 'the text after it', {}, 'the text after it'],
];

test.each(CASES)('asTyped() of %s: %s', async (operation, message, details, typed) => {
  const cause = new Error('below');
  const error = new MemoryError('invalid_input', message, { hint: 'h', details, cause });
  expect(asTyped(error, await shapeOf(operation))).toMatchObject({
    code: 'invalid_input',
    message: typed,
    hint: 'h',
    details,
    cause,
  });
});

test('asTyped() gives other errors back', async () => {
  const error = new Error('maxTokens');
  expect(asTyped(error, await shapeOf('search'))).toBe(error);
});
