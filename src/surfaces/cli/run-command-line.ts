/**
 * One run of the command line: finds the command, reads its arguments, calls it, prints the answer, and says
 * with which code to exit. A search loads nothing here that it does not use; help, completion and the terminal's
 * looks are imported when needed.
 */

import { MemoryError } from '../../core/errors.js';
import { cleanDeep, cleanText, safeJson } from '../../operations/clean-text.js';
import { loadOperation, operationNames } from '../../operations/index.js';
import { readFields } from '../../operations/input-field.js';
import { nearestName } from '../../operations/nearest-name.js';
import { invoke, type Operation, type Page } from '../../operations/operation.js';
import { plainPage } from '../../operations/plain-page.js';
import { type CommandShape, readArguments } from './arguments.js';
import { EXIT_INTERRUPTED, printFailure } from './failure.js';
import { type CommandLine, type GlobalOptions, readGlobalOptions } from './global-options.js';
import type { CommandLineHost, Program } from './host.js';
import { ClosedPipe } from './outlet.js';
import { progressLine } from './progress-line.js';
import { highlightedInput, joinsWords, mayAsk, stdinTexts } from './quirks.js';

/** Runs one command and returns the exit code. Throws nothing. */
export async function runCommandLine(host: CommandLineHost): Promise<number> {
  const given = { json: host.argv.includes('--json'), debug: host.argv.includes('--debug') };
  let command: string | undefined;
  try {
    const line = readGlobalOptions(host.argv);
    command = isKnown(host, line.command) ? line.command : undefined;
    return await dispatch(host, line);
  } catch (error) {
    if (error instanceof ClosedPipe) return 0;
    if (host.signal.aborted) return EXIT_INTERRUPTED;
    return printWhatRemains(() => printFailure(error, command, given, host.stderr));
  }
}

/** stderr may be closed as well; then the code alone has to tell. */
function printWhatRemains(print: () => number): number {
  try {
    return print();
  } catch {
    return 70;
  }
}

async function dispatch(host: CommandLineHost, line: CommandLine): Promise<number> {
  const { command, rest, options } = line;
  if (options.version) return say(host, host.version);
  if (command === undefined || command === 'help' || options.help) return help(host, line);
  const program = host.programs.find(({ name }) => name === command);
  if (program !== undefined) return runProgram(host, program, line);
  if (command === 'completion') {
    const { completionScript } = await import('./completion/completion.js');
    return say(host, await completionScript(host, rest));
  }
  if (command === '__complete') {
    const { completeName } = await import('./completion/completion.js');
    return say(host, await completeName(host, rest, options.vault));
  }
  return runOperation(host, command, rest, options);
}

function say(host: CommandLineHost, text: string): number {
  if (text !== '') host.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  return 0;
}

function isKnown(host: CommandLineHost, command: string | undefined): boolean {
  return command !== undefined && commandNames(host).includes(command);
}

function commandNames({ programs }: CommandLineHost): string[] {
  return [...operationNames, ...programs.map(({ name }) => name), 'completion', 'help'];
}

function unknownCommand(host: CommandLineHost, command: string): MemoryError {
  const near = nearestName(command, commandNames(host));
  return new MemoryError('invalid_input', `There is no command "${command}"`, {
    hint: near === undefined ? '`memory help` lists them.' : `Did you mean \`memory ${near}\`?`,
    details: { command },
  });
}

async function help(host: CommandLineHost, line: CommandLine): Promise<number> {
  const pages = await import('./help.js');
  const wanted = line.command === 'help' ? line.rest[0] : line.command;
  if (wanted === undefined) {
    const asked = line.command === 'help' || line.options.help;
    return say(host, asked ? await pages.commandList(host.programs) : await pages.firstPage());
  }
  const program = host.programs.find(({ name }) => name === wanted);
  if (program !== undefined) return say(host, pages.programHelp(program));
  if (wanted === 'help' || wanted === 'completion') return say(host, await pages.commandList(host.programs));
  const operation = await loadOperation(wanted);
  if (operation === undefined) throw unknownCommand(host, wanted);
  return say(host, pages.operationHelp(operation));
}

function runProgram(host: CommandLineHost, program: Program, line: CommandLine): Promise<number> {
  const shape = { ...program, positional: program.positional ?? [], joinsWords: false };
  const { input } = readArguments(shape, line.rest);
  const { vault, json, quiet } = line.options;
  return program.run({ vault, input, notice: noticeTo(host, line.options), json, quiet });
}

function noticeTo(host: CommandLineHost, options: GlobalOptions): (text: string) => void {
  return (text) => {
    if (!options.quiet) host.stderr.write(`${cleanText(text)}\n`);
  };
}

async function runOperation(
  host: CommandLineHost,
  command: string,
  words: readonly string[],
  options: GlobalOptions,
): Promise<number> {
  const operation = await loadOperation(command);
  if (operation === undefined) throw unknownCommand(host, command);
  const shape = shapeOf(operation);
  const input = await readInput(host, shape, words);
  const startedMs = host.nowMs();
  const progress = progressLine(host.stderr, options, host.nowMs);
  const notice = noticeTo(host, options);
  const confirm = async (question: string): Promise<boolean> => {
    progress.clear();
    return (await import('./confirm.js')).confirm(host, question);
  };
  const { context, close } = host.openContext({
    vault: options.vault,
    signal: host.signal,
    report: progress.update,
    confirm: canAsk(host, command, input, options) ? confirm : undefined,
    notice: (text) => {
      progress.clear();
      notice(text);
    },
  });
  try {
    const output = await invoke(context, operation, input, { asText: !options.json });
    progress.clear();
    if (host.signal.aborted) return EXIT_INTERRUPTED;
    if (options.json) return say(host, safeJson(output, host.stdout.isTerminal ? 2 : undefined));
    const page = await pageFor(host, operation, input, host.nowMs() - startedMs);
    return say(host, operation.toText(cleanDeep(output), page));
  } catch (error) {
    const { asTyped } = await import('./as-typed.js');
    throw asTyped(error, shape);
  } finally {
    progress.clear();
    await close();
  }
}

/** The question and what it is about have to be seen, and the answer typed. */
function canAsk(
  { stderr, isStdinTerminal }: CommandLineHost,
  command: string,
  input: Readonly<Record<string, unknown>>,
  { json, quiet }: GlobalOptions,
): boolean {
  return !json && !quiet && mayAsk[command]?.(input) === true && stderr.isTerminal && isStdinTerminal();
}

function shapeOf({ name, input, positional }: Operation): CommandShape {
  return { name, fields: readFields(input), positional, joinsWords: joinsWords.has(name) };
}

async function readInput(
  host: CommandLineHost,
  shape: CommandShape,
  words: readonly string[],
): Promise<Record<string, unknown>> {
  const { input, from } = readArguments(shape, words);
  const fromStdin = (stdinTexts[shape.name] ?? []).filter((name) => input[name] === '-');
  if (fromStdin.length > 0) {
    const { readStdinText } = await import('./stdin-text.js');
    return { ...input, ...(await readStdinText(shape.name, fromStdin, host.readStdin)) };
  }
  if (from === undefined) return { ...input };
  const { readItems } = await import('./items.js');
  return { ...input, items: await readItems(from, host.readStdin) };
}

async function pageFor(
  host: CommandLineHost,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  elapsedMs: number,
): Promise<Page> {
  if (!host.stdout.isTerminal) return { ...plainPage, elapsedMs };
  const { terminalPage } = await import('./terminal-page.js');
  const wanted = input[highlightedInput[operation.name] ?? ''];
  return terminalPage({
    columns: host.stdout.columns,
    elapsedMs,
    colours: !host.environment['NO_COLOR'],
    links: true,
    wanted: typeof wanted === 'string' ? wanted : '',
  });
}
