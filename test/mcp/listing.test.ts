/** Which tools are offered, and that what is listed of them is short and true. */

import { Ajv } from '@modelcontextprotocol/client/validators/ajv';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { estimateTokens } from '../../src/core/text/estimate-tokens.js';
import { loadOperations, operationNames } from '../../src/operations/index.js';
import { coreTools, hiddenInputs, hiddenOutputs } from '../../src/surfaces/mcp/quirks.js';
import { chosenNames, listTools, type ToolListing } from '../../src/surfaces/mcp/tools.js';
import { copyExampleVault, runMemory, sharedFolder } from '../surfaces/run-memory.js';
import { openServer } from './server.js';

const vault = copyExampleVault(sharedFolder());

async function listed(args: readonly string[]): Promise<ToolListing[]> {
  const server = await openServer({ vault, args });
  const { result } = await server.request('tools/list');
  return result!['tools'] as ToolListing[];
}

const namesOf = (tools: readonly ToolListing[]) => tools.map(({ name }) => name);

describe('tools/list', () => {
  test('has the core tools, in at most 3,000 tokens', async () => {
    const tools = await listed([]);
    expect(namesOf(tools)).toEqual(operationNames.filter((name) => coreTools.includes(name)));
    expect(coreTools.length).toBeLessThanOrEqual(12);
    expect(coreTools.filter((name) => !operationNames.includes(name))).toEqual([]);
    expect(estimateTokens(JSON.stringify({ tools }))).toBeLessThanOrEqual(3_000);
  });

  test('of the built program is what the operations are', async () => {
    expect(await listed(['--tools', 'all'])).toEqual(JSON.parse(JSON.stringify(await listTools())));
    expect(namesOf(await listTools())).toEqual(operationNames);
  });

  test('can be narrowed to names, and to what changes no note', async () => {
    expect(namesOf(await listed(['--tools', 'show, search,add']))).toEqual(['search', 'show', 'add']);
    expect(namesOf(await listed(['--tools', 'show,add', '--read-only']))).toEqual(['show']);
    const readers = (await loadOperations()).filter(({ effect }) => effect === 'read');
    expect(namesOf(await listed(['--tools', 'all', '--read-only']))).toEqual(readers.map(({ name }) => name));
  });

  test.each([
    ['serch', 'memory: There is no tool "serch"\nhint: Did you mean search?\n'],
    ['search,,show', `memory: There is no tool ""\nhint: Tools: ${operationNames.join(', ')}.\n`],
  ])('is refused for the choice %j', async (choice, stderr) => {
    expect(() => chosenNames(choice)).toThrow('There is no tool');
    expect(await runMemory(['mcp', '--vault', vault, '--tools', choice])).toEqual({
      code: 2,
      stdout: '',
      stderr,
    });
  });
});

describe.each(await loadOperations())('$name', (operation) => {
  const tool = listTools().then((tools) => tools.find(({ name }) => name === operation.name)!);

  test('takes what the operation takes, and max_tokens and cursor', async () => {
    const own = z.toJSONSchema(operation.input, { io: 'input' });
    const properties = Object.entries(own.properties ?? {}).filter(([name]) => !hiddenInputs.has(name));
    const { inputSchema } = await tool;
    expect(inputSchema).toEqual({
      type: 'object',
      properties: {
        ...Object.fromEntries(properties.map(([name, schema]) => [name, withoutBounds(schema)])),
        max_tokens: { type: 'integer' },
        cursor: { type: 'string' },
      },
      ...(own.required === undefined ? {} : { required: own.required }),
      additionalProperties: false,
    });
  });

  test('gives what the operation gives, and cursor', async () => {
    const { outputSchema } = await tool;
    const own = withoutBounds(z.toJSONSchema(operation.output)) as { readonly properties: object };
    const shown = Object.entries(own.properties).filter(([name]) => !hiddenOutputs.has(name));
    const properties = { ...Object.fromEntries(shown), cursor: { type: 'string' } };
    const expected = { ...own, properties };
    expect(withoutDescriptions(resolved(outputSchema))).toEqual(withoutDescriptions(expected));
  });

  test('has schemas that a strict validator takes', async () => {
    const { inputSchema, outputSchema } = await tool;
    for (const schema of [inputSchema, outputSchema]) {
      expect(() => new Ajv({ strict: true }).compile(schema)).not.toThrow();
    }
  });

  test('says whether it changes notes', async () => {
    const { annotations } = await tool;
    expect(annotations['readOnlyHint'] ?? false).toBe(operation.effect === 'read');
    const destroys = annotations['destructiveHint'] ?? !annotations['readOnlyHint'];
    expect(destroys).toBe(operation.effect === 'destructive');
    expect(annotations['idempotentHint'] ?? false).toBe(operation.effect === 'idempotent-write');
    // `model pull` asks a server elsewhere.
    expect(annotations['openWorldHint'] ?? true).toBe(operation.name === 'model');
  });
});

type Json = Readonly<Record<string, unknown>>;

/** Bounds, patterns, and what goes without saying. */
function withoutBounds(schema: unknown): unknown {
  const left = new Set(['minimum', 'maximum', 'minLength', 'pattern', '$schema']);
  return mapObjects(schema, (json) =>
    Object.fromEntries(
      Object.entries(json).filter(([key, value]) => {
        if (left.has(key) && typeof value !== 'object') return false;
        return !(key === 'default' && value === false) && !(key === 'type' && 'enum' in json);
      }),
    ),
  );
}

function withoutDescriptions(schema: unknown): unknown {
  return mapObjects(schema, (json) =>
    Object.fromEntries(
      Object.entries(json).filter(
        ([key, value]) => !(key === 'description' && typeof value === 'string') && key !== 'required',
      ),
    ),
  );
}

/** References replaced by what they mean. */
function resolved({ $defs = {}, ...schema }: Json): unknown {
  return mapObjects(schema, (json) => {
    const name = typeof json['$ref'] === 'string' ? json['$ref'].replace('#/$defs/', '') : undefined;
    return name === undefined ? json : (resolved({ ...(($defs as Json)[name] as Json), $defs }) as Json);
  });
}

function mapObjects(value: unknown, change: (json: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapObjects(inner, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(change(value as Json)).map(([key, inner]) => [key, mapObjects(inner, change)]),
  );
}
