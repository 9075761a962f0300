/**
 * The process: binds the command line and the programs (rpc, mcp) to stdin, stdout, signals and the vault. What a
 * command does is in operations/, how it is shown in surfaces/cli, where the adapters are built in app/.
 */

import { isUtf8 } from 'node:buffer';
import { MemoryError } from './core/errors.js';
import type { Memory } from './core/memory/memory.js';
import type { CommandLineHost, ContextSettings, OpenContext, Program } from './surfaces/cli/host.js';
import { ClosedPipe, openOutlet } from './surfaces/cli/outlet.js';
import { runCommandLine } from './surfaces/cli/run-command-line.js';

/** Put in by the build, from package.json. */
declare const PROGRAM_VERSION: string;

const EXIT_INTERRUPTED = 130;
const EXIT_TERMINATED = 143;
const EXIT_INTERNAL = 70;

/** How long a call may take to stop by itself once it was asked to. */
const GRACE_MS = 2_000;

/** Runs one command line and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const signals = listenForSignals();
  process.on('uncaughtException', dieOf);
  const host: CommandLineHost = {
    argv,
    environment: process.env,
    version: PROGRAM_VERSION,
    stdout: openOutlet(1, process.env),
    stderr: openOutlet(2, process.env),
    readStdin,
    signal: signals.stop,
    nowMs: () => Number(process.hrtime.bigint()) / 1e6,
    openContext,
    findVault: async (vault) => (await import('./app/open-app.js')).findVault(vault),
    programs: [rpcProgram(signals), mcpProgram(signals)],
  };
  const code = await runCommandLine(host);
  return signals.exitCode() ?? code;
}

/** The vault is opened when an operation asks for it, and once; its code is fetched while arguments are read. */
function openContext({ vault, ...rest }: ContextSettings): OpenContext {
  const app = import('./app/open-app.js');
  let memory: Promise<Memory> | undefined;
  return {
    context: {
      openMemory: () => {
        memory ??= app
          .then(({ openMemory }) => openMemory(vault, { notice: rest.notice }))
          .catch((error: unknown) => {
            // What failed may be mended before the next call of a long process.
            memory = undefined;
            throw error;
          });
        return memory;
      },
      createVault: async (folder) => (await app).createVault(folder),
      evaluateCollection: async (...given) => (await app).evaluateCollection(...given),
      ...rest,
    },
    close: async () => {
      await memory?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}

function rpcProgram(signals: Signals): Program {
  return {
    name: 'rpc',
    summary: 'Answer JSON-RPC 2.0 on stdin and stdout, one message a line',
    fields: [],
    examples: [
      {
        command: `echo '{"jsonrpc":"2.0","id":1,"method":"search","params":{"query":"deploy"}}' | memory rpc`,
        purpose: 'the method is the name of a command, the params are its arguments',
      },
    ],
    run: async ({ vault, notice }) => {
      const { serveRpc } = await import('./surfaces/rpc/serve-rpc.js');
      const output = takeStdout();
      const { context, close } = openContext({
        vault,
        signal: new AbortController().signal,
        report: () => undefined,
        notice,
      });
      signals.stopGently(() => process.stdin.destroy());
      await serveRpc({ input: stdinChunks(), send: output.sendLine, context });
      await close();
      await output.flushed();
      return 0;
    },
  };
}

/** How often is looked whether the client is still there. */
const PARENT_CHECK_MS = 1_000;

function mcpProgram(signals: Signals): Program {
  const field = {
    defaultValue: undefined,
    required: false,
    values: [],
    minimum: undefined,
    maximum: undefined,
  };
  return {
    name: 'mcp',
    summary: 'Serve the Model Context Protocol on stdin and stdout, for coding agents',
    fields: [
      {
        ...field,
        name: 'tools',
        kind: 'string',
        description: 'Which tools to offer: core, all, or names with commas between them',
        defaultValue: 'core',
      },
      { ...field, name: 'readOnly', kind: 'boolean', description: 'Offer only tools that change no note' },
    ],
    examples: [
      { command: 'memory mcp --vault ~/notes', purpose: 'what an agent is told to start; see docs/mcp.md' },
      {
        command: 'memory mcp --tools search,show,links --read-only',
        purpose: 'some tools, none that writes',
      },
    ],
    run: async ({ vault, input, notice }) => {
      const { serveMcp } = await import('./surfaces/mcp/serve-mcp.js');
      const app = import('./app/open-app.js');
      const output = takeStdout();
      const { context, close } = openContext({
        vault,
        signal: new AbortController().signal,
        report: () => undefined,
        notice,
      });
      let opened: Memory | undefined;
      const openMemory = async () => (opened = await context.openMemory());
      signals.stopGently(() => process.stdin.destroy());
      endWithParent();
      await serveMcp({
        input: stdinChunks(),
        send: output.sendLine,
        context: { ...context, openMemory },
        choice: { tools: String(input['tools'] ?? 'core'), readOnly: input['readOnly'] === true },
        version: PROGRAM_VERSION,
        glance: async () => (await app).glanceAtVault(vault).catch(() => undefined),
      });
      await output.flushed();
      if (opened !== undefined) await (await app).keepGlance(vault, opened).catch(() => undefined);
      await close();
      return 0;
    },
  };
}

/** A client that died may have left its end of stdin open in a child of its own. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.stdin.destroy();
  }, PARENT_CHECK_MS).unref();
}

type Signals = {
  readonly stop: AbortSignal;
  /** The code a signal asks for, if there was one. */
  readonly exitCode: () => number | undefined;
  /** For programs: a signal calls this instead of aborting, and a SIGTERM is then an ordinary end. */
  readonly stopGently: (end: () => void) => void;
};

/** The first signal asks, the second or the end of the grace insists. */
function listenForSignals(): Signals {
  const controller = new AbortController();
  let code: number | undefined;
  let end: (() => void) | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    const insisted = code !== undefined;
    code = signal === 'SIGINT' ? EXIT_INTERRUPTED : end === undefined ? EXIT_TERMINATED : 0;
    if (insisted) process.exit(code);
    setTimeout(() => process.exit(code), GRACE_MS).unref();
    if (end === undefined) controller.abort();
    else end();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stop: controller.signal,
    exitCode: () => code,
    stopGently: (ending) => {
      end = ending;
    },
  };
}

async function readStdin(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new MemoryError('invalid_input', 'stdin holds bytes that are not UTF-8', {
    hint: 'Convert it first, for example with `iconv -t UTF-8`.',
  });
}

/** stdin, whose sudden end through `destroy` is an end like any other. */
async function* stdinChunks(): AsyncGenerator<Uint8Array> {
  try {
    yield* process.stdin;
  } catch (error) {
    if (!process.stdin.destroyed) throw error;
  }
}

type TakenStdout = { readonly sendLine: (line: string) => void; readonly flushed: () => Promise<void> };

/** Keeps stdout for messages: whatever else is printed, by a library too, goes to stderr. */
function takeStdout(): TakenStdout {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  let isClosed = false;
  process.stdout.on('error', () => {
    isClosed = true;
    process.stdin.destroy();
  });
  return {
    sendLine: (line) => {
      if (!isClosed) write(`${line}\n`);
    },
    flushed: () => new Promise((resolve) => (isClosed ? resolve() : write('', () => resolve()))),
  };
}

function dieOf(error: unknown): never {
  if (!(error instanceof ClosedPipe)) {
    const text = error instanceof Error && process.argv.includes('--debug') ? error.stack : String(error);
    process.stderr.write(`memory: ${text}\n`);
    process.exit(EXIT_INTERNAL);
  }
  process.exit(0);
}
