/**
 * The contract between operations and surfaces: what an operation is, and the one way of calling it.
 * The operations themselves are files beside this one; index.ts lists them in order.
 */

import * as z from 'zod/mini';
import type { ConnectInput, ConnectOutput } from '../core/connection.js';
import type { CallOptions, Memory, Progress } from '../core/memory/memory.js';
import type { EvalInput, EvalOutput } from '../core/memory/search-types.js';
import type { ModelInput, ModelOutput } from '../core/models.js';
import { inputError, outputError, refuseUnknownNames } from './input-error.js';
import { readFields } from './input-field.js';

/** What an operation does to notes; the index is not counted. */
export type Effect = 'read' | 'write' | 'idempotent-write' | 'destructive';

/** What `createVault` made and what it found and left alone: paths relative to the vault. */
export type CreatedVault = {
  readonly vault: string;
  readonly created: readonly string[];
  readonly kept: readonly string[];
};

/** All that an operation may use. It never learns which surface called it. */
export type OperationContext = {
  /** Opens the vault in question, once; `init` and the like never call it. */
  readonly openMemory: () => Promise<Memory>;
  /** Makes the folder a vault; a relative path counts from the working directory. */
  readonly createVault: (folder: string) => Promise<CreatedVault>;
  /** Changes or lists the configuration of clients; see core/connection.ts. */
  readonly connectClient: (input: ConnectInput) => Promise<ConnectOutput>;
  /** Measures a ranking on a retrieval collection in a folder, which needs no vault. */
  readonly evaluateCollection: (
    folder: string,
    input: EvalInput,
    options: CallOptions,
  ) => Promise<EvalOutput>;
  /** Lists, downloads and chooses models of meaning; see core/models.ts. */
  readonly manageModels: (input: ModelInput, options: CallOptions) => Promise<ModelOutput>;
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
  /** One line for people about something out of the ordinary. */
  readonly notice: (text: string) => void;
  /** Asks a person for a yes; undefined where nobody can be asked. */
  readonly confirm?: CallOptions['confirm'];
};

/** How a text is dressed for where it goes. The plain one (plain-page.ts) leaves everything as it is. */
export type Page = {
  /** Width to lay out for; undefined where nobody looks at columns, as in a pipe. */
  readonly columns: number | undefined;
  /** How long the call took, where the surface wants it said. */
  readonly elapsedMs: number | undefined;
  /** A note path, linked to `uri` where links work. */
  readonly path: (text: string, uri?: string) => string;
  /** Text from a note, with the words that were asked for made visible. */
  readonly found: (text: string) => string;
  /** Text that stands back. */
  readonly faint: (text: string) => string;
};

type ObjectSchema = z.ZodMiniObject;

/** Replies of the core are readonly all the way down; the schemas' own types are not. */
type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** The eight fields of an operation, closed. A quirk of one surface lives in that surface. */
export type OperationDefinition<Input extends ObjectSchema, Output extends ObjectSchema> = {
  readonly name: string;
  /** One line in the imperative, for a stranger at a terminal and for a model choosing a tool. */
  readonly summary: string;
  readonly effect: Effect;
  /** Flat: strings, numbers, booleans, enums, lists of strings, and at most one `items`. */
  readonly input: Input;
  /** Made when first asked for: a text that is printed needs none. */
  readonly output: () => Output;
  /** Names of inputs that the command line takes without a flag, in order. */
  readonly positional: readonly (keyof z.output<Input> & string)[];
  run(context: OperationContext, input: z.output<Input>): Promise<DeepReadonly<z.output<Output>>>;
  /** The short text that command line and MCP share. */
  toText(output: DeepReadonly<z.output<Output>>, page: Page): string;
};

/** An operation whose input and output types only its own file knows. */
export type Operation = Omit<OperationDefinition<ObjectSchema, ObjectSchema>, 'output'> & {
  readonly output: ObjectSchema;
};

/** Defines an operation; the types of `run` and `toText` follow from its schemas. */
export function defineOperation<Input extends ObjectSchema, Output extends ObjectSchema>(
  definition: OperationDefinition<Input, Output>,
): Operation {
  let output: Output | undefined;
  const made = Object.defineProperty({ ...definition }, 'output', {
    get: () => (output ??= definition.output()),
  });
  return made as unknown as Operation;
}

/**
 * Calls an operation with input from outside: checks the input, runs, checks the output. Not the output where it is
 * `asText`: then no program relies on its form, and the check would take a millisecond of every search.
 */
export async function invoke(
  context: OperationContext,
  operation: Operation,
  input: unknown,
  { asText = false }: { readonly asText?: boolean } = {},
): Promise<Record<string, unknown>> {
  const fields = readFields(operation.input);
  refuseUnknownNames(operation.name, fields, input);
  const parsed = z.safeParse(operation.input, input);
  if (!parsed.success) throw inputError(operation.name, fields, input, parsed.error.issues);
  const reply = await operation.run(context, parsed.data);
  if (asText) return reply;
  const output = z.safeParse(operation.output, reply);
  if (!output.success) throw outputError(operation.name, output.error.issues);
  return output.data;
}
