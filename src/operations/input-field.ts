/** Reads an operation's flat input schema into a list of fields, for surfaces that have flags, help or docs to make. */

import * as z from 'zod/mini';

export type FieldKind = 'string' | 'number' | 'integer' | 'boolean' | 'enum' | 'string[]' | 'items';

export type InputField = {
  readonly name: string;
  readonly kind: FieldKind;
  readonly description: string;
  readonly required: boolean;
  /** What counts when the field is not given. */
  readonly defaultValue: unknown;
  /** Of an enum. */
  readonly values: readonly string[];
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
};

/** The parts of a zod definition that are read here. */
type SchemaNode = {
  readonly _zod: {
    readonly def: {
      readonly type: string;
      readonly format?: string;
      readonly innerType?: SchemaNode;
      readonly element?: SchemaNode;
      readonly defaultValue?: unknown;
      readonly entries?: Readonly<Record<string, string>>;
      readonly shape?: Readonly<Record<string, SchemaNode>>;
      readonly checks?: readonly { readonly _zod: { readonly def: BoundCheck } }[];
    };
  };
};

type BoundCheck = { readonly check: string; readonly value?: unknown; readonly inclusive?: boolean };

const fieldsBySchema = new WeakMap<z.ZodMiniObject, readonly InputField[]>();

/** The fields of an input schema, in the order written. Throws on a shape that is not flat. */
export function readFields(schema: z.ZodMiniObject): readonly InputField[] {
  let fields = fieldsBySchema.get(schema);
  if (fields === undefined) {
    fields = Object.entries(shapeOf(schema)).map(([name, node]) => readField(name, node));
    fieldsBySchema.set(schema, fields);
  }
  return fields;
}

function shapeOf(schema: z.ZodMiniObject): Readonly<Record<string, SchemaNode>> {
  return (schema as unknown as SchemaNode)._zod.def.shape ?? {};
}

function readField(name: string, outer: SchemaNode): InputField {
  let node = outer;
  let required = true;
  let defaultValue: unknown;
  let description = describe(node);
  while (node._zod.def.innerType !== undefined) {
    required = false;
    if (node._zod.def.type === 'default') defaultValue = node._zod.def.defaultValue;
    node = node._zod.def.innerType;
    description ??= describe(node);
  }
  const { checks = [], entries = {} } = node._zod.def;
  const bounds = checks.map((check) => check._zod.def);
  return {
    name,
    kind: kindOf(name, node),
    description: description ?? '',
    required,
    defaultValue,
    values: Object.values(entries),
    minimum: boundOf(bounds, 'greater_than'),
    maximum: boundOf(bounds, 'less_than'),
  };
}

function describe(node: SchemaNode): string | undefined {
  return z.globalRegistry.get(node as unknown as z.ZodMiniType)?.description;
}

function boundOf(bounds: readonly BoundCheck[], kind: string): number | undefined {
  const value = bounds.find((bound) => bound.check === kind && bound.inclusive === true)?.value;
  return typeof value === 'number' ? value : undefined;
}

function kindOf(name: string, node: SchemaNode): FieldKind {
  const { type, format, element } = node._zod.def;
  if (type === 'string' || type === 'boolean' || type === 'enum') return type;
  if (type === 'number') return format === 'safeint' ? 'integer' : 'number';
  if (type === 'array' && element?._zod.def.type === 'string') return 'string[]';
  if (type === 'array' && name === 'items' && element !== undefined && isFlatObject(element)) return 'items';
  throw new TypeError(`input "${name}" is not flat: ${type}`);
}

function isFlatObject(node: SchemaNode): boolean {
  const { type, shape } = node._zod.def;
  if (type !== 'object' || shape === undefined) return false;
  return Object.entries(shape).every(([name, inner]) => {
    const kind = readField(name, inner).kind;
    return kind !== 'items';
  });
}
