/** Which tools a server offers, and how each is listed. Calling one is call-tool.ts. */

import { MemoryError } from '../../core/errors.js';
import { loadOperations, operationNames } from '../../operations/index.js';
import { type InputField, readFields } from '../../operations/input-field.js';
import { nearestName } from '../../operations/nearest-name.js';
import type { Operation } from '../../operations/operation.js';
import { inputSchemaOf, type JsonSchema, outputSchemaOf } from './json-schema.js';
import { coreTools, hiddenInputs, reachesOutside } from './quirks.js';

export type ToolChoice = {
  /** `core`, `all`, or names with commas between them. */
  readonly tools: string;
  /** Only tools that change no note. */
  readonly readOnly: boolean;
};

/** Put in by the build as JSON: those of all operations, which need not be loaded then to be listed. */
declare const TOOL_LISTINGS: string | undefined;

export type ToolListing = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema: JsonSchema & { readonly type: 'object' };
  readonly annotations: Readonly<Record<string, boolean>>;
};

const PAGE_FIELD = { defaultValue: undefined, required: false, values: [], maximum: undefined } as const;

/** What these are for stands in the server's instructions, once for all tools. */
const PAGE_FIELDS: readonly InputField[] = [
  { ...PAGE_FIELD, name: 'max_tokens', kind: 'integer', description: '', minimum: 1 },
  { ...PAGE_FIELD, name: 'cursor', kind: 'string', description: '', minimum: undefined },
];

/** The names that are asked for. Throws `invalid_input` for one that no operation has. */
export function chosenNames(tools: string): readonly string[] {
  if (tools === 'all') return operationNames;
  if (tools === 'core') return operationNames.filter((name) => coreTools.includes(name));
  const asked = tools.split(',').map((name) => name.trim());
  for (const name of asked) {
    if (operationNames.includes(name)) continue;
    const near = nearestName(name, operationNames);
    throw new MemoryError('invalid_input', `There is no tool "${name}"`, {
      hint: near === undefined ? `Tools: ${operationNames.join(', ')}.` : `Did you mean ${near}?`,
    });
  }
  return operationNames.filter((name) => asked.includes(name));
}

/** Listings by the tools' names, in the order of the operations. */
export async function chooseTools({
  tools,
  readOnly,
}: ToolChoice): Promise<ReadonlyMap<string, ToolListing>> {
  const names = new Set(chosenNames(tools));
  const all =
    typeof TOOL_LISTINGS === 'string' ? (JSON.parse(TOOL_LISTINGS) as ToolListing[]) : await listTools();
  const offered = all.filter((tool) => names.has(tool.name) && (!readOnly || changesNothing(tool)));
  return new Map(offered.map((tool) => [tool.name, tool]));
}

/** Made from the operations themselves. */
export async function listTools(): Promise<ToolListing[]> {
  return (await loadOperations()).map(toolOf);
}

export function changesNothing({ annotations }: ToolListing): boolean {
  return annotations['readOnlyHint'] === true;
}

/** All arguments of a tool: inputs of the operation, `max_tokens` and `cursor`. */
export function argumentsOf(operation: Operation): readonly InputField[] {
  return [...readFields(operation.input).filter(({ name }) => !hiddenInputs.has(name)), ...PAGE_FIELDS];
}

function toolOf(operation: Operation): ToolListing {
  return {
    name: operation.name,
    description: operation.summary,
    inputSchema: { ...inputSchemaOf(operation, argumentsOf(operation)), type: 'object' },
    outputSchema: { ...outputSchemaOf(operation, { cursor: { type: 'string' } }), type: 'object' },
    annotations: annotationsOf(operation),
  };
}

/** Only what differs from what the protocol takes for granted: a tool may write, destroy, and not be repeated. */
function annotationsOf({ name, effect }: Operation): Readonly<Record<string, boolean>> {
  const closed: Readonly<Record<string, boolean>> = reachesOutside.has(name) ? {} : { openWorldHint: false };
  if (effect === 'read') return { readOnlyHint: true, ...closed };
  if (effect === 'destructive') return closed;
  if (effect === 'write') return { destructiveHint: false, ...closed };
  return { destructiveHint: false, idempotentHint: true, ...closed };
}
