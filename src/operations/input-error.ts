/** The one place where a failed check of an operation's input or output becomes a MemoryError. */

import type * as z from 'zod/mini';
import { MemoryError } from '../core/errors.js';
import type { FieldKind, InputField } from './input-field.js';
import { nearestName } from './nearest-name.js';

type Issue = z.core.$ZodIssue;

const KIND_WORDS: Readonly<Record<FieldKind, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  enum: 'one of the known values',
  'string[]': 'a list of texts',
  items: 'a list of objects',
};

/** What zod says where no message of ours is set: it carries no locale here. */
const ZOD_DEFAULT_MESSAGE = 'Invalid input';

/** Refuses an input that is no object or has names the operation does not know. */
export function refuseUnknownNames(operation: string, fields: readonly InputField[], input: unknown): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new MemoryError(
      'invalid_input',
      `${operation} needs its arguments as an object, not ${quote(input)}`,
    );
  }
  const known = fields.map((field) => field.name);
  for (const name of Object.keys(input)) {
    if (!known.includes(name)) throw unknownName(operation, name, known);
  }
}

function unknownName(operation: string, name: string, known: readonly string[]): MemoryError {
  const near = nearestName(name, known);
  const all = known.length === 0 ? 'It takes none.' : `It takes ${known.join(', ')}.`;
  return new MemoryError('invalid_input', `${operation} has no argument ${quote(name)}`, {
    hint: near === undefined ? all : `Did you mean ${near}?`,
    details: { argument: name },
  });
}

/** The first issue in words; `details.argument` names the field. */
export function inputError(
  operation: string,
  fields: readonly InputField[],
  input: unknown,
  issues: readonly Issue[],
): MemoryError {
  const issue = issues[0];
  const name = String(issue?.path[0] ?? '');
  const field = fields.find((candidate) => candidate.name === name);
  if (issue === undefined || field === undefined) {
    return new MemoryError('invalid_input', `${operation} cannot read its arguments: ${quote(input)}`);
  }
  const value = (input as Readonly<Record<string, unknown>>)[name];
  const details = { argument: name };
  if (value === undefined) {
    return new MemoryError('invalid_input', `${operation} needs ${name}: ${field.description}`, { details });
  }
  return new MemoryError('invalid_input', `${operation}: ${name} ${complaint(field, issue, value)}`, {
    details,
  });
}

function complaint(field: InputField, issue: Issue, value: unknown): string {
  const place = issue.path.length > 1 ? ` (at ${issue.path.slice(1).join('.')})` : '';
  const got = `, not ${quote(value)}${place}`;
  if (issue.message !== ZOD_DEFAULT_MESSAGE) return `${issue.message}${got}`;
  if (field.kind === 'enum') return `must be one of ${field.values.join(', ')}${got}`;
  if (value === '' && issue.code === 'too_small') return 'must not be empty';
  if (issue.code === 'too_small') return `must be at least ${String(issue.minimum)}${got}`;
  if (issue.code === 'too_big') return `must be at most ${String(issue.maximum)}${got}`;
  return `must be ${KIND_WORDS[field.kind]}${got}`;
}

/** A reply that breaks its own contract is a bug of ours. */
export function outputError(operation: string, issues: readonly Issue[]): MemoryError {
  const issue = issues[0];
  const keys = issue?.code === 'unrecognized_keys' ? ` (${issue.keys.join(', ')})` : '';
  const place = issue?.path.join('.') || 'the reply';
  return new MemoryError(
    'internal',
    `${operation} made a reply that breaks its contract at ${place}${keys}`,
    {
      details: { issues: issues.map(({ code, path }) => ({ code, path: path.join('.') })) },
    },
  );
}

const QUOTED_LENGTH = 80;

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}…` : text;
}
