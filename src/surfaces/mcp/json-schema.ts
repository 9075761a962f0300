/**
 * JSON Schema of an operation's input and output, short: agents pay for every word of a listing. What a schema says
 * holds, but bounds, patterns and the descriptions of outputs are left to the reference and to error messages.
 */

import type { InputField } from '../../operations/input-field.js';
import type { Operation } from '../../operations/operation.js';
import { hiddenOutputs } from './quirks.js';

export type JsonSchema = { readonly [key: string]: unknown };

/** The parts of a zod definition that are read here. */
type SchemaNode = {
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly format?: string;
      readonly innerType?: SchemaNode;
      readonly element?: SchemaNode;
      readonly entries?: Readonly<Record<string, string>>;
      readonly shape?: Readonly<Record<string, SchemaNode>>;
    };
  };
};

/** The tool's arguments, each with its description. */
export function inputSchemaOf(operation: Operation, fields: readonly InputField[]): JsonSchema {
  const shape = shapeOf(operation.input);
  const properties = fields.map((field) => {
    const { name, description, defaultValue } = field;
    const node = shape[name];
    const form = node === undefined ? formOf(field) : formOfNode(node, new Map());
    // That a switch is off unless it is set goes without saying.
    const preset = defaultValue === undefined || defaultValue === false ? {} : { default: defaultValue };
    return [name, { ...form, ...preset, ...(description === '' ? {} : { description }) }] as const;
  });
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** The reply's data. Objects that occur more than once are defined once. */
export function outputSchemaOf(operation: Operation, more: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const names = namesOfRepeated(operation.output as unknown as SchemaNode);
  const root = formOfObject(operation.output as unknown as SchemaNode, names);
  const all = Object.entries(root['properties'] as object);
  const shown = Object.fromEntries(all.filter(([name]) => !hiddenOutputs.has(name)));
  const definitions = [...names].map(([node, name]) => [name, formOfObject(node, names)] as const);
  return {
    ...root,
    properties: { ...shown, ...more },
    ...(definitions.length > 0 ? { $defs: Object.fromEntries(definitions) } : {}),
  };
}

function shapeOf(schema: unknown): Readonly<Record<string, SchemaNode>> {
  return (schema as SchemaNode)._zod.def.shape ?? {};
}

function formOf({ kind }: InputField): JsonSchema {
  return { type: kind };
}

type Names = ReadonlyMap<SchemaNode, string>;

function formOfNode(node: SchemaNode, names: Names): JsonSchema {
  const { type, format, innerType, element, entries } = node._zod.def;
  if (innerType !== undefined) return formOfNode(innerType, names);
  if (type === 'array') return { type, items: formOfNode(element!, names) };
  if (type === 'enum') return { enum: Object.values(entries!) };
  if (type === 'number') return { type: format === 'safeint' ? 'integer' : 'number' };
  if (type === 'string' || type === 'boolean') return { type };
  // Named parts without a fixed form.
  if (type === 'record')
    return { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} };
  const name = names.get(node);
  if (type === 'object') return name === undefined ? formOfObject(node, names) : { $ref: `#/$defs/${name}` };
  throw new TypeError(`no JSON Schema for ${type}`);
}

function formOfObject(node: SchemaNode, names: Names): JsonSchema {
  const properties = Object.entries(shapeOf(node)).map(([name, inner]) => [name, formOfNode(inner, names)]);
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

function namesOfRepeated(root: SchemaNode): Names {
  const seen = new Map<SchemaNode, number>();
  const visit = (node: SchemaNode): void => {
    const { type, innerType, element } = node._zod.def;
    if (innerType !== undefined) visit(innerType);
    if (element !== undefined) visit(element);
    if (type !== 'object') return;
    const times = (seen.get(node) ?? 0) + 1;
    seen.set(node, times);
    if (times === 1) for (const inner of Object.values(shapeOf(node))) visit(inner);
  };
  visit(root);
  const repeated = [...seen].filter(([, times]) => times > 1);
  return new Map(repeated.map(([node], at) => [node, `part${at + 1}`]));
}
