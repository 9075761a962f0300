/** Turns the words after a command into its input. Options for all commands are taken out before, in global-options.ts. */

import { MemoryError } from '../../core/errors.js';
import type { InputField } from '../../operations/input-field.js';
import { nearestName } from '../../operations/nearest-name.js';
import { valueWords } from './quirks.js';

/** What the command line needs to know of a command to read its arguments. */
export type CommandShape = {
  readonly name: string;
  readonly fields: readonly InputField[];
  readonly positional: readonly string[];
  /** Words left over belong to the last positional, and `-word` is one of them. */
  readonly joinsWords: boolean;
};

export type ReadArguments = {
  readonly input: Readonly<Record<string, unknown>>;
  /** File to read `items` from, `-` for stdin. */
  readonly from: string | undefined;
};

export function optionName(fieldName: string): string {
  return fieldName.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/_/g, '-');
}

/** Reads flags and positionals. Values keep their meaning only: whether they are allowed, `invoke` decides. */
export function readArguments(command: CommandShape, words: readonly string[]): ReadArguments {
  const input: Record<string, unknown> = {};
  const loose: string[] = [];
  let from: string | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--') {
      loose.push(...words.slice(at + 1));
      break;
    }
    if (!isOption(word, command)) {
      loose.push(word);
      continue;
    }
    const [flag, attached] = splitAtEquals(word);
    if (flag === '--from' && command.fields.some((field) => field.kind === 'items')) {
      from = attached ?? valueAfter(command, flag, words[++at]);
      continue;
    }
    const { field, negated } = findField(command, flag);
    if (field.kind === 'boolean') {
      input[field.name] = readBoolean(command, flag, attached, negated);
    } else {
      const text = attached ?? valueAfter(command, flag, words[++at]);
      if (field.kind === 'string[]') input[field.name] = [...((input[field.name] as string[]) ?? []), text];
      else input[field.name] = field.kind === 'string' || field.kind === 'enum' ? text : readNumber(text);
    }
  }
  assignPositionals(command, loose, input);
  return { input, from };
}

function isOption(word: string, command: CommandShape): boolean {
  if (word.startsWith('--')) return true;
  return word.startsWith('-') && word.length > 1 && !command.joinsWords;
}

function splitAtEquals(word: string): [flag: string, attached: string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function findField(command: CommandShape, flag: string): { field: InputField; negated: boolean } {
  for (const field of command.fields) {
    const name = optionName(field.name);
    if (flag === `--${name}` && field.kind !== 'items') return { field, negated: false };
    if (flag === `--no-${name}` && field.kind === 'boolean') return { field, negated: true };
  }
  const near = nearestName(flag, optionFlags(command));
  throw new MemoryError('invalid_input', `${command.name} has no option ${flag}`, {
    hint: near === undefined ? `\`memory help ${command.name}\` lists them.` : `Did you mean ${near}?`,
    details: { argument: flag },
  });
}

/** The flags of a command as they are typed, without the global ones. */
export function optionFlags({ fields }: Pick<CommandShape, 'fields'>): string[] {
  return fields.flatMap((field) => {
    const name = optionName(field.name);
    if (field.kind === 'items') return ['--from'];
    if (field.kind !== 'boolean') return [`--${name}`];
    if (field.defaultValue === true) return [`--no-${name}`];
    return field.defaultValue === false ? [`--${name}`] : [`--${name}`, `--no-${name}`];
  });
}

/** A value that looks like an option is more often a forgotten value. */
function valueAfter(command: CommandShape, flag: string, value: string | undefined): string {
  if (value !== undefined && !value.startsWith('--')) return value;
  throw new MemoryError('invalid_input', `${command.name}: ${flag} needs a value`, {
    hint:
      value === undefined
        ? `Run \`memory help ${command.name}\`.`
        : `For a value that starts so, write ${flag}=${value}.`,
    details: { argument: flag },
  });
}

function readBoolean(
  command: CommandShape,
  flag: string,
  attached: string | undefined,
  negated: boolean,
): boolean {
  if (attached === undefined || attached === 'true') return !negated;
  if (attached === 'false') return negated;
  throw new MemoryError('invalid_input', `${command.name}: ${flag} is on or off and takes no "${attached}"`, {
    details: { argument: flag },
  });
}

/** A number where the text is one; anything else is left for the check of the input to refuse. */
function readNumber(text: string): number | string {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function assignPositionals(command: CommandShape, loose: string[], input: Record<string, unknown>): void {
  const { positional, fields } = command;
  positional.forEach((name, at) => {
    if (loose.length === 0) return;
    const field = fields.find((candidate) => candidate.name === name);
    const isLast = at === positional.length - 1;
    if (field?.kind === 'string[]') input[name] = loose.splice(0);
    else if (isLast && command.joinsWords) input[name] = loose.splice(0).join(' ');
    else if (field?.kind === 'number' || field?.kind === 'integer') input[name] = readNumber(loose.shift()!);
    else input[name] = loose.shift();
  });
  if (loose.length === 0) return;
  const takes =
    positional.length === 0
      ? 'no arguments'
      : `only ${positional.map((name) => valueWords[name] ?? optionName(name)).join(', ')}`;
  throw new MemoryError('invalid_input', `${command.name} takes ${takes}; "${loose[0]}" is left over`, {
    hint:
      positional.length === 0
        ? `Run \`memory help ${command.name}\`.`
        : 'Put quotes around words that belong together.',
  });
}
