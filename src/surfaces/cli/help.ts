/** The help pages: the first one, the list of commands, and one for each command. */

import { loadOperation, loadOperations } from '../../operations/index.js';
import type { InputField } from '../../operations/input-field.js';
import { readFields } from '../../operations/input-field.js';
import type { Operation } from '../../operations/operation.js';
import { optionName } from './arguments.js';
import { examples, firstCommands } from './examples.js';
import { globalOptionHelp } from './global-options.js';
import type { Example, Program } from './host.js';
import { stdinTexts, valueWords } from './quirks.js';

const TITLE = 'memory: a memory for people and their coding agents, kept as plain Markdown notes';

type Row = readonly [left: string, right: string];

/** What `memory` alone says: the commands one needs, with an example each. */
export async function firstPage(): Promise<string> {
  const blocks: string[] = [];
  for (const name of firstCommands) {
    const operation = await loadOperation(name);
    const command = examples[name]?.[0]?.command;
    if (operation !== undefined && command !== undefined)
      blocks.push(`  ${command}\n      ${operation.summary}`);
  }
  return [TITLE, ...blocks, 'memory help lists all commands, memory help search explains one.'].join('\n\n');
}

/** All commands, for `memory help`. */
export async function commandList(programs: readonly Program[]): Promise<string> {
  const operations = await loadOperations();
  const rows: Row[] = [
    ...operations.map((operation): Row => [usage(operation), operation.summary]),
    ...programs.map(({ name, summary }): Row => [name, summary]),
    ['completion <shell>', 'Print the completion script for bash, zsh or fish'],
    ['help <command>', 'Explain a command, with examples'],
  ];
  return [
    TITLE,
    `Commands\n${table(rows)}`,
    `For every command\n${table(globalRows())}`,
    'Exit codes: 0 done, also without hits; 2 wrong input; 3 not found; 4 conflict; 5 unavailable; 70 broken; 130 interrupted.',
  ].join('\n\n');
}

export function operationHelp(operation: Operation): string {
  return commandHelp({
    name: operation.name,
    usage: usage(operation),
    summary: operation.summary,
    fields: readFields(operation.input),
    positional: operation.positional,
    examples: examples[operation.name] ?? [],
  });
}

export function programHelp(program: Program): string {
  const { name, fields, positional = [] } = program;
  const words = positional.flatMap((word) => fields.filter((field) => field.name === word));
  const usage = [name, ...words.map((field) => positionalWord(field, name))].join(' ');
  return commandHelp({ ...program, usage, positional });
}

type HelpParts = {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly fields: readonly InputField[];
  readonly positional: readonly string[];
  readonly examples: readonly Example[];
};

function commandHelp(parts: HelpParts): string {
  const options = parts.fields.filter((field) => !parts.positional.includes(field.name));
  const named = parts.positional.flatMap((name) => parts.fields.filter((field) => field.name === name));
  const rows: Row[] = [
    ...named.map((field): Row => [positionalWord(field, parts.name), fieldText(field, parts.name)]),
    ...options.map((field): Row => [optionWord(field, parts.name), fieldText(field, parts.name)]),
  ];
  const flags = globalOptionHelp.map(({ flag }) => flag).join('  ');
  return [
    `memory ${parts.usage}${options.length > 0 ? ' [options]' : ''}`,
    parts.summary,
    ...(rows.length > 0 ? [table(rows)] : []),
    `For every command: ${flags}`,
    ...(parts.examples.length > 0 ? [`Examples\n${exampleTable(parts.examples)}`] : []),
  ].join('\n\n');
}

function exampleTable(list: readonly Example[]): string {
  return list.map(({ command, purpose }) => `  ${command}\n      ${purpose}`).join('\n');
}

/** `search <query>`. */
export function usage(operation: Pick<Operation, 'name' | 'input' | 'positional'>): string {
  const fields = readFields(operation.input);
  const named = operation.positional.flatMap((name) => fields.filter((field) => field.name === name));
  return [operation.name, ...named.map((field) => positionalWord(field, operation.name))].join(' ');
}

/** `<note>`, `[folder]`. */
export function positionalWord(field: InputField, command: string): string {
  const word = `<${valueWord(field, command)}>${field.kind === 'string[]' ? '…' : ''}`;
  return field.required ? word : `[${word.replace(/[<>]/g, '')}]`;
}

/** `--limit <n>`, `--[no-]refresh`. */
export function optionWord(field: InputField, command: string): string {
  const name = optionName(field.name);
  if (field.kind === 'items') return '--from <file>';
  if (field.kind !== 'boolean') return `--${name} <${valueWord(field, command)}>`;
  if (field.defaultValue === true) return `--no-${name}`;
  return field.defaultValue === false ? `--${name}` : `--[no-]${name}`;
}

function valueWord(field: InputField, command: string): string {
  const own = valueWords[`${command}.${field.name}`];
  if (own !== undefined) return own;
  if (field.kind === 'enum') return field.values.join('|');
  if (field.kind === 'integer' || field.kind === 'number') return 'n';
  return valueWords[field.name] ?? optionName(field.name);
}

/** The description, with what it may be and what counts if it is not given. */
export function fieldText(field: InputField, command: string): string {
  const notes: string[] = [];
  if (field.kind === 'string[]') notes.push('repeatable');
  if (stdinTexts[command]?.includes(field.name)) notes.push('- is stdin');
  if (field.kind === 'items') notes.push('JSON lines; - is stdin');
  if (field.minimum !== undefined && field.maximum !== undefined)
    notes.push(`${field.minimum} to ${field.maximum}`);
  if (field.defaultValue !== undefined && typeof field.defaultValue !== 'boolean') {
    notes.push(`${String(field.defaultValue)} unless given`);
  }
  const rest = notes.length > 0 ? ` (${notes.join('; ')})` : '';
  return `${flagText(field)}${rest}`;
}

/** What the flag does: that of an input which is on by default turns it off. */
export function flagText({ kind, defaultValue, description }: InputField): string {
  if (kind !== 'boolean' || defaultValue !== true) return description;
  return `Do not ${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

function globalRows(): Row[] {
  return globalOptionHelp.map(({ flag, description }) => [flag, description]);
}

const WIDEST_LEFT = 24;

function table(rows: readonly Row[]): string {
  const width = Math.min(WIDEST_LEFT, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(([left, right]) =>
      left.length > width
        ? `  ${left}\n  ${' '.repeat(width)}  ${right}`
        : `  ${left.padEnd(width)}  ${right}`,
    )
    .join('\n');
}
