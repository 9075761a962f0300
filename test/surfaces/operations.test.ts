/** What holds for every operation in the registry, and for calling one. */

import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { MemoryError } from '../../src/core/errors.js';
import { described } from '../../src/operations/described.js';
import { loadOperations, operationList, operationNames } from '../../src/operations/index.js';
import { readFields } from '../../src/operations/input-field.js';
import { nearestName } from '../../src/operations/nearest-name.js';
import { defineOperation, invoke, type OperationContext } from '../../src/operations/operation.js';
import { plainPage } from '../../src/operations/plain-page.js';
import { readArguments } from '../../src/surfaces/cli/arguments.js';
import { examples } from '../../src/surfaces/cli/examples.js';
import { globalOptionNames, readGlobalOptions } from '../../src/surfaces/cli/global-options.js';
import { joinsWords } from '../../src/surfaces/cli/quirks.js';
import { splitShellWords } from './shell-words.js';

const operations = await loadOperations();

const FIELDS = ['name', 'summary', 'effect', 'input', 'output', 'positional', 'run', 'toText'];

const context: OperationContext = {
  openMemory: () => Promise.reject(new Error('this test opens no vault')),
  createVault: () => Promise.reject(new Error('this test makes no vault')),
  connectClient: () => Promise.reject(new Error('this test connects nothing')),
  evaluateCollection: () => Promise.reject(new Error('this test measures nothing')),
  manageModels: () => Promise.reject(new Error('this test manages no models')),
  signal: new AbortController().signal,
  report: () => undefined,
  notice: () => undefined,
};

describe.each(operations)('operation $name', (operation) => {
  const fields = readFields(operation.input);

  test('has the eight fields and no other', () => {
    expect(Object.keys(operation).sort()).toEqual([...FIELDS].sort());
  });

  test('stands in the list under its own name', () => {
    expect(operationNames[operations.indexOf(operation)]).toBe(operation.name);
  });

  test('has a summary of one short line', () => {
    expect(operation.summary).toMatch(/^[A-Z][^\n]{10,78}[^.\n]$/);
  });

  test('describes each input and each field of the answer', () => {
    const schema = z.toJSONSchema(operation.output) as JsonSchema;
    expect(fields.filter((field) => field.description === '').map((field) => field.name)).toEqual([]);
    expect(undescribed(schema, '')).toEqual([]);
  });

  test('names no input like an option of every command', () => {
    expect(fields.filter((field) => globalOptionNames.includes(field.name))).toEqual([]);
  });

  test('has positionals that are inputs, the required ones first', () => {
    const named = operation.positional.map((name) => fields.find((field) => field.name === name));
    expect(named).not.toContain(undefined);
    const required = named.map((field) => field!.required);
    expect(required).toEqual([...required].sort((a, b) => Number(b) - Number(a)));
  });

  test('has examples that the command line reads', () => {
    const lines = examples[operation.name] ?? [];
    expect(lines.length).toBeGreaterThan(0);
    for (const { command } of lines) {
      const [program, ...argv] = splitShellWords(command.split(' | ')[0]!);
      expect(program).toBe('memory');
      const line = readGlobalOptions(argv);
      expect(line.command).toBe(operation.name);
      const shape = { ...operation, fields, joinsWords: joinsWords.has(operation.name) };
      const { input } = readArguments(shape, line.rest);
      expect(z.safeParse(operation.input, input)).toMatchObject({ success: true });
    }
  });
});

test('operationList has no name twice', () => {
  expect(new Set(operationNames).size).toBe(operationList.length);
});

test('examples are for operations that exist', () => {
  expect(Object.keys(examples).filter((name) => !operationNames.includes(name))).toEqual([]);
});

type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
};

function undescribed(schema: JsonSchema, path: string): string[] {
  const inner = schema.items ?? schema;
  return Object.entries(inner.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description === undefined ? [`${path}${name}`] : []),
    ...undescribed(property, `${path}${name}.`),
  ]);
}

const echo = defineOperation({
  name: 'echo',
  summary: 'Give back what was given',
  effect: 'read',
  input: z.strictObject({
    text: described('Text to give back', z.string()),
    times: z._default(described('How often', z.int().check(z.minimum(1), z.maximum(3))), 1),
    mode: z.optional(described('How', z.enum(['loud', 'soft']))),
    words: z.optional(described('Words', z.array(z.string()))),
    day: z.optional(described('A day', z.string().check(z.regex(/^\d{4}$/, 'must be a year')))),
    broken: z._default(described('Break the contract', z.boolean()), false),
  }),
  output: () => z.strictObject({ text: z.string() }),
  positional: ['text'],
  run: async (_context, { text, times, broken }) =>
    broken ? ({ text: 1, more: 2 } as unknown as { text: string }) : { text: text.repeat(times) },
  toText: ({ text }) => text,
});

describe('invoke()', () => {
  test('fills in defaults and answers', async () => {
    expect(await invoke(context, echo, { text: 'a' })).toEqual({ text: 'a' });
    expect(await invoke(context, echo, { text: 'a', times: 3 })).toEqual({ text: 'aaa' });
    expect(echo.toText({ text: 'a' }, plainPage)).toBe('a');
  });

  test('checks the reply, and does not even make its schema where it is to be a text', async () => {
    let made = 0;
    const counted = defineOperation({
      ...echo,
      output: () => {
        made += 1;
        return z.strictObject({ text: z.string() });
      },
    } as unknown as Parameters<typeof defineOperation>[0]);
    expect(await invoke(context, counted, { text: 'a' }, { asText: true })).toEqual({ text: 'a' });
    expect(made).toBe(0);
    for (let call = 0; call < 2; call += 1)
      expect(await invoke(context, counted, { text: 'a' })).toEqual({ text: 'a' });
    expect(made).toBe(1);
  });

  test.each([
    [undefined, 'echo needs its arguments as an object, not undefined', undefined],
    [['a'], 'echo needs its arguments as an object, not ["a"]', undefined],
    [{}, 'echo needs text: Text to give back', undefined],
    [{ text: 'a', tmies: 2 }, 'echo has no argument "tmies"', 'Did you mean times?'],
    [{ text: 'a', x: 2 }, 'echo has no argument "x"', 'It takes text, times, mode, words, day, broken.'],
    [JSON.parse('{"text":"a","__proto__":1}'), 'echo has no argument "__proto__"', expect.any(String)],
    [{ text: 1 }, 'echo: text must be a text, not 1', undefined],
    [{ text: null }, 'echo: text must be a text, not null', undefined],
    [{ text: 'a', times: 1.5 }, 'echo: times must be a whole number, not 1.5', undefined],
    [{ text: 'a', times: 'x' }, 'echo: times must be a whole number, not "x"', undefined],
    [{ text: 'a', times: 0 }, 'echo: times must be at least 1, not 0', undefined],
    [{ text: 'a', times: 4 }, 'echo: times must be at most 3, not 4', undefined],
    [{ text: 'a', mode: 'x' }, 'echo: mode must be one of loud, soft, not "x"', undefined],
    [{ text: 'a', words: 'x' }, 'echo: words must be a list of texts, not "x"', undefined],
    [{ text: 'a', words: ['x', 1] }, 'echo: words must be a list of texts, not ["x",1] (at 1)', undefined],
    [{ text: 'a', day: 'x' }, 'echo: day must be a year, not "x"', undefined],
  ])('refuses %j', async (input, message, hint) => {
    const error = await invoke(context, echo, input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MemoryError);
    expect(error).toMatchObject({ code: 'invalid_input', message, hint });
  });

  test('refuses a reply that breaks the contract, as a fault of the program', async () => {
    await expect(invoke(context, echo, { text: 'a', broken: true })).rejects.toMatchObject({
      code: 'internal',
      message: 'echo made a reply that breaks its contract at text',
    });
  });
});

describe('readFields()', () => {
  test('reads kinds, bounds, defaults and descriptions through the wrappers', () => {
    const fields = readFields(echo.input);
    expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['text', 'string', true],
      ['times', 'integer', false],
      ['mode', 'enum', false],
      ['words', 'string[]', false],
      ['day', 'string', false],
      ['broken', 'boolean', false],
    ]);
    expect(fields[1]).toMatchObject({ minimum: 1, maximum: 3, defaultValue: 1, description: 'How often' });
    expect(fields[2]!.values).toEqual(['loud', 'soft']);
  });

  test.each([
    ['an object', z.strictObject({ a: z.strictObject({ b: z.string() }) })],
    [
      'a list of objects under another name',
      z.strictObject({ a: z.array(z.strictObject({ b: z.string() })) }),
    ],
    ['a list of numbers', z.strictObject({ a: z.array(z.number()) })],
    ['a union', z.strictObject({ a: z.union([z.string(), z.number()]) })],
    ['nested items', z.strictObject({ items: z.array(z.strictObject({ b: z.strictObject({}) })) })],
  ])('throws on %s: inputs are flat', (_, schema) => {
    expect(() => readFields(schema)).toThrow(/not flat/);
  });

  test('takes one list of flat objects, named items', () => {
    const schema = z.strictObject({ items: z.array(z.strictObject({ b: z.string() })) });
    expect(readFields(schema)[0]).toMatchObject({ name: 'items', kind: 'items' });
  });
});

describe('nearestName()', () => {
  test.each([
    ['serch', 'search'],
    ['seacrh', 'search'],
    ['stat', 'status'],
    ['SHOW', 'show'],
    ['reidnex', 'reindex'],
    ['ini', 'init'],
    ['x', undefined],
    ['discard', undefined],
    ['', undefined],
  ])('%j is meant as %j', (mistyped, meant) => {
    expect(nearestName(mistyped, operationNames)).toBe(meant);
  });
});
