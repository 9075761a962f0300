/** All commands with their options and values, as the scripts for the three shells need them. */

import { loadOperations } from '../../../operations/index.js';
import { type InputField, readFields } from '../../../operations/input-field.js';
import { optionFlags } from '../arguments.js';
import { globalOptionHelp } from '../global-options.js';
import { flagText } from '../help.js';
import type { Program } from '../host.js';
import { completedAs } from '../quirks.js';

/** What a shell offers where a value stands. */
export type Offer =
  | { readonly kind: 'nothing' | 'note' | 'vault-folder' | 'folder' | 'file' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

export type OptionSpec = {
  readonly flag: string;
  readonly description: string;
  /** Undefined for a switch. */
  readonly value: Offer | undefined;
};

export type CommandSpec = {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionSpec[];
  readonly positional: readonly Offer[];
};

export const shells = ['bash', 'zsh', 'fish'] as const;

export async function commandSpecs(programs: readonly Program[]): Promise<CommandSpec[]> {
  const operations = await loadOperations();
  const specs = operations.map(({ name, summary, input, positional }): CommandSpec => {
    const fields = readFields(input);
    const named = positional.flatMap((word) => fields.filter((field) => field.name === word));
    const flagged = fields.filter((field) => !positional.includes(field.name));
    return { name, summary, options: flagged.flatMap(optionSpecs), positional: named.map(offerOf) };
  });
  for (const { name, summary, fields, positional = [] } of programs) {
    const flagged = fields.filter((field) => !positional.includes(field.name));
    const offers = positional.map((): Offer => ({ kind: 'file' }));
    specs.push({ name, summary, options: flagged.flatMap(optionSpecs), positional: offers });
  }
  const names = [...specs.map(({ name }) => name), 'completion', 'help'];
  specs.push(
    wordCommand('completion', 'Print the completion script for a shell', shells),
    wordCommand('help', 'Explain a command, with examples', names),
  );
  return specs;
}

export function globalSpecs(): OptionSpec[] {
  return globalOptionHelp.map(({ flag, description }) => ({
    flag: flag.split(' ')[0]!,
    description,
    value: flag.includes(' ') ? { kind: 'folder' } : undefined,
  }));
}

function wordCommand(name: string, summary: string, words: readonly string[]): CommandSpec {
  return { name, summary, options: [], positional: [{ kind: 'words', words }] };
}

function optionSpecs(field: InputField): OptionSpec[] {
  return optionFlags({ fields: [field] }).map((flag) => ({
    flag,
    description: flagText(field),
    value: field.kind === 'boolean' ? undefined : offerOf(field),
  }));
}

function offerOf(field: InputField): Offer {
  if (field.kind === 'enum') return { kind: 'words', words: field.values };
  if (field.kind === 'items') return { kind: 'file' };
  return { kind: completedAs[field.name] ?? 'nothing' };
}
