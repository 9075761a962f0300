/** The completion script for fish. */

import type { CommandSpec, Offer, OptionSpec } from './commands.js';

export function fishScript(commands: readonly CommandSpec[], globals: readonly OptionSpec[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = [
    '# Completion of memory for fish. To load it: memory completion fish | source',
    '',
    'function __memory_ask',
    '    memory __complete $argv[1] (commandline -ct) 2>/dev/null',
    'end',
    '',
    'complete -c memory -f',
    ...globals.map((option) => optionLine('', option)),
  ];
  for (const { name, summary, options, positional } of commands) {
    lines.push(
      `complete -c memory -n ${quote(`not __fish_seen_subcommand_from ${names}`)} -a ${name} -d ${quote(summary)}`,
    );
    const within = `-n ${quote(`__fish_seen_subcommand_from ${name}`)} `;
    lines.push(...options.map((option) => optionLine(within, option)));
    const first = positional[0];
    if (first !== undefined && first.kind !== 'nothing')
      lines.push(`complete -c memory ${within}${offer(first)}`);
  }
  return `${lines.join('\n')}\n`;
}

function optionLine(within: string, { flag, description, value }: OptionSpec): string {
  const parts = [`complete -c memory ${within}-l ${flag.slice(2)}`];
  if (value !== undefined) parts.push(value.kind === 'nothing' ? '-x' : `-x ${offer(value)}`);
  return `${parts.join(' ')} -d ${quote(description)}`;
}

function offer(value: Offer): string {
  if (value.kind === 'words') return `-a ${quote(value.words.join(' '))}`;
  if (value.kind === 'folder') return `-a '(__fish_complete_directories)'`;
  if (value.kind === 'file') return '-F';
  return `-a '(__memory_ask ${value.kind})'`;
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
