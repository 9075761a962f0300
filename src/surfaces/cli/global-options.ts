/** The options that every command takes, wherever they stand. Those of one command are read in arguments.ts. */

import { MemoryError } from '../../core/errors.js';

export type GlobalOptions = {
  readonly vault: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly help: boolean;
  readonly version: boolean;
};

export type CommandLine = {
  /** The first word that is no option. */
  readonly command: string | undefined;
  /** What is left for the command, in order. */
  readonly rest: readonly string[];
  readonly options: GlobalOptions;
};

export type GlobalOptionHelp = { readonly flag: string; readonly description: string };

export const globalOptionHelp: readonly GlobalOptionHelp[] = [
  {
    flag: '--vault <folder>',
    description: 'Use this vault; else AGENT_MEMORY_VAULT, else the nearest one upwards',
  },
  { flag: '--json', description: 'Answer with JSON; errors too, on stderr' },
  { flag: '--quiet', description: 'Say nothing but results and errors' },
  { flag: '--verbose', description: 'Say more about what is going on' },
  { flag: '--debug', description: 'Show where in the program an error arose' },
  { flag: '--help', description: 'Explain the command' },
  { flag: '--version', description: 'Say which version this is' },
];

const SWITCHES = ['json', 'quiet', 'verbose', 'debug', 'help', 'version'] as const;
type Switch = (typeof SWITCHES)[number];

/** Names that no operation may use for an input. */
export const globalOptionNames: readonly string[] = ['vault', ...SWITCHES, 'from'];

/** Splits the arguments into command, options for all commands, and the rest. */
export function readGlobalOptions(argv: readonly string[]): CommandLine {
  const on = new Set<Switch>();
  const rest: string[] = [];
  let vault: string | undefined;
  let command: string | undefined;
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === '--') {
      rest.push(...argv.slice(at));
      break;
    }
    const name = word === '-h' ? 'help' : word === '-V' ? 'version' : word.slice(2);
    if (word === '--vault') vault = valueAfter(argv, ++at);
    else if (word.startsWith('--vault=')) vault = word.slice('--vault='.length);
    else if (word.startsWith('-') && isSwitch(name)) on.add(name);
    else if (command === undefined && !word.startsWith('-')) command = word;
    else rest.push(word);
  }
  const options = Object.fromEntries(SWITCHES.map((name) => [name, on.has(name)])) as Record<Switch, boolean>;
  return { command, rest, options: { vault, ...options } };
}

function isSwitch(name: string): name is Switch {
  return (SWITCHES as readonly string[]).includes(name);
}

function valueAfter(argv: readonly string[], at: number): string {
  const value = argv[at];
  if (value === undefined || value === '' || value.startsWith('--')) {
    throw new MemoryError('invalid_input', '--vault needs a folder', {
      hint: 'For example --vault ~/notes.',
    });
  }
  return value;
}
