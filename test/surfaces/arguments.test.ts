/** From words on the command line to the input of an operation. */

import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readFields } from '../../src/operations/input-field.js';
import { type CommandShape, optionFlags, readArguments } from '../../src/surfaces/cli/arguments.js';
import { readGlobalOptions } from '../../src/surfaces/cli/global-options.js';

const fields = readFields(
  z.strictObject({
    note: z.string(),
    limit: z._default(z.int(), 10),
    maxTokens: z.optional(z.int()),
    if_hash: z.optional(z.string()),
    mode: z.optional(z.enum(['loud', 'soft'])),
    tag: z.optional(z.array(z.string())),
    wait: z._default(z.boolean(), true),
    full: z._default(z.boolean(), false),
    refresh: z.optional(z.boolean()),
    items: z.optional(z.array(z.strictObject({ a: z.string() }))),
  }),
);

const command: CommandShape = { name: 'test', fields, positional: ['note'], joinsWords: false };

describe('readArguments()', () => {
  test.each<[string[], Record<string, unknown>]>([
    [[], {}],
    [['a b'], { note: 'a b' }],
    [['a', '--limit', '5'], { note: 'a', limit: 5 }],
    [['--limit=5', 'a'], { note: 'a', limit: 5 }],
    [['--limit', '-5'], { limit: -5 }],
    [['--limit', 'five'], { limit: 'five' }],
    [['--limit', '5', '--limit', '6'], { limit: 6 }],
    [['--max-tokens', '1.5'], { maxTokens: 1.5 }],
    [['--if-hash', 'abc'], { if_hash: 'abc' }],
    [['--if-hash=--x=y'], { if_hash: '--x=y' }],
    [['--if-hash='], { if_hash: '' }],
    [['--mode', 'loud'], { mode: 'loud' }],
    [['--tag', 'a', 'n', '--tag', 'b'], { tag: ['a', 'b'], note: 'n' }],
    [['--no-wait', '--full', '--refresh'], { wait: false, full: true, refresh: true }],
    [['--no-refresh'], { refresh: false }],
    [['--wait=false', '--no-full=false'], { wait: false, full: true }],
    [['--', '--limit'], { note: '--limit' }],
    [['-'], { note: '-' }],
    [['12'], { note: '12' }],
  ])('reads %j', (words, input) => {
    expect(readArguments(command, words)).toEqual({ input, from: undefined });
  });

  test('reads the file of items', () => {
    expect(readArguments(command, ['--from', '-']).from).toBe('-');
    expect(readArguments(command, ['--from=x.jsonl']).from).toBe('x.jsonl');
  });

  test.each<[string[], string, string]>([
    [['--limt', '5'], 'test has no option --limt', 'Did you mean --limit?'],
    [['--items', 'x'], 'test has no option --items', '`memory help test` lists them.'],
    [['-x'], 'test has no option -x', '`memory help test` lists them.'],
    [['--no-limit'], 'test has no option --no-limit', 'Did you mean --limit?'],
    [['--limit'], 'test: --limit needs a value', 'Run `memory help test`.'],
    [
      ['--limit', '--full'],
      'test: --limit needs a value',
      'For a value that starts so, write --limit=--full.',
    ],
    [['--full=maybe'], 'test: --full is on or off and takes no "maybe"', ''],
    [['a', 'b'], 'test takes only note; "b" is left over', 'Put quotes around words that belong together.'],
  ])('refuses %j', (words, message, hint) => {
    expect(() => readArguments(command, words)).toThrow(
      expect.objectContaining({ code: 'invalid_input', message, hint: hint === '' ? undefined : hint }),
    );
  });

  test('says that a command takes no arguments', () => {
    const bare = { ...command, positional: [] };
    expect(() => readArguments(bare, ['b'])).toThrow('test takes no arguments; "b" is left over');
  });

  test('joins loose words where the command does so, dashes too', () => {
    const joining = { ...command, joinsWords: true };
    expect(readArguments(joining, ['why', 'is', '-it', '--limit', '3', 'so']).input).toEqual({
      note: 'why is -it so',
      limit: 3,
    });
  });

  test('gives all loose words to a list', () => {
    const list = { ...command, positional: ['note', 'tag'] };
    expect(readArguments(list, ['a', 'b', 'c']).input).toEqual({ note: 'a', tag: ['b', 'c'] });
  });
});

test('optionFlags() has the form that is worth typing', () => {
  expect(optionFlags(command)).toEqual([
    '--note',
    '--limit',
    '--max-tokens',
    '--if-hash',
    '--mode',
    '--tag',
    '--no-wait',
    '--full',
    '--refresh',
    '--no-refresh',
    '--from',
  ]);
});

describe('readGlobalOptions()', () => {
  const off = { vault: undefined, json: false, quiet: false, verbose: false, debug: false, help: false };

  test.each<[string[], string | undefined, string[], object]>([
    [[], undefined, [], {}],
    [['search', 'a'], 'search', ['a'], {}],
    [['--json', 'search', 'a', '--quiet'], 'search', ['a'], { json: true, quiet: true }],
    [['--vault', 'v', 'search', 'a'], 'search', ['a'], { vault: 'v' }],
    [['search', 'a', '--vault=v w'], 'search', ['a'], { vault: 'v w' }],
    [['search', '--', '--json'], 'search', ['--', '--json'], {}],
    [['search', '-h'], 'search', [], { help: true }],
    [['-V'], undefined, [], { version: true }],
    [['search', '--limit', '3'], 'search', ['--limit', '3'], {}],
  ])('reads %j', (argv, name, rest, on) => {
    expect(readGlobalOptions(argv)).toEqual({
      command: name,
      rest,
      options: { ...off, version: false, ...on },
    });
  });

  test.each([[['--vault']], [['--vault', '--json']], [['--vault', '']]])('refuses %j', (argv) => {
    expect(() => readGlobalOptions(argv)).toThrow('--vault needs a folder');
  });
});
