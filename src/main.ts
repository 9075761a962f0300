/**
 * The process: binds the command line to stdin, stdout, signals and the vault. What a command does is in operations/,
 * how it is shown in surfaces/cli, where the adapters are built in app/; programs that go on until they are stopped
 * are in programs/.
 */

import { isUtf8 } from 'node:buffer';
import { systemClock } from './app/system-clock.js';
import { MemoryError } from './core/errors.js';
import type { Memory } from './core/memory/memory.js';
import { mcpProgram } from './programs/mcp.js';
import { mergeDriverProgram } from './programs/merge-driver.js';
import type { ProgramParts } from './programs/program-parts.js';
import { rpcProgram } from './programs/rpc.js';
import { listenForSignals } from './programs/signals.js';
import { watchProgram } from './programs/watch.js';
import type { CommandLineHost, ContextSettings, OpenContext } from './surfaces/cli/host.js';
import { ClosedPipe, openOutlet } from './surfaces/cli/outlet.js';
import { runCommandLine } from './surfaces/cli/run-command-line.js';

/** Put in by the build, from package.json. */
declare const PROGRAM_VERSION: string;

const EXIT_INTERNAL = 70;

/** Runs one command line and returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const signals = listenForSignals();
  process.on('uncaughtException', dieOf);
  const parts: ProgramParts = { signals, openContext, version: PROGRAM_VERSION };
  const host: CommandLineHost = {
    argv,
    environment: process.env,
    version: PROGRAM_VERSION,
    stdout: openOutlet(1, process.env),
    stderr: openOutlet(2, process.env),
    readStdin,
    isStdinTerminal: () => process.stdin.isTTY === true,
    readLine: async () => (await import('./programs/read-line.js')).readLine(signals.stop),
    signal: signals.stop,
    nowMs: systemClock.elapsedMs,
    openContext,
    findVault: async (vault) => (await import('./app/open-app.js')).findVault(vault),
    programs: [watchProgram(parts), rpcProgram(parts), mcpProgram(parts), mergeDriverProgram()],
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
          .then(({ openMemory }) => openMemory(vault, { notice: rest.notice, asking: rest }))
          .catch((error: unknown) => {
            // What failed may be mended before the next call of a long process.
            memory = undefined;
            throw error;
          });
        return memory;
      },
      createVault: async (folder) => (await app).createVault(folder),
      connectClient: async (input) => (await app).connectClient(vault, input, rest.notice),
      evaluateCollection: async (...given) => (await app).evaluateCollection(...given),
      manageModels: async (...given) => (await app).manageModels(vault, ...given),
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

async function readStdin(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new MemoryError('invalid_input', 'stdin holds bytes that are not UTF-8', {
    hint: 'Convert it first, for example with `iconv -t UTF-8`.',
  });
}

function dieOf(error: unknown): never {
  if (!(error instanceof ClosedPipe)) {
    const text = error instanceof Error && process.argv.includes('--debug') ? error.stack : String(error);
    process.stderr.write(`memory: ${text}\n`);
    process.exit(EXIT_INTERNAL);
  }
  process.exit(0);
}
