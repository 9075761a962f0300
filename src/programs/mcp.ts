/** `memory mcp`: surfaces/mcp on stdin and stdout, until the client goes. */

import { toMemoryError } from '../core/errors.js';
import type { Memory } from '../core/memory/memory.js';
import type { Program } from '../surfaces/cli/host.js';
import { stdinChunks, takeStdout } from './process-streams.js';
import { type ProgramParts, plainField } from './program-parts.js';
import { tellInWords } from './watch-words.js';

/** How often is looked whether the client is still there. */
const PARENT_CHECK_MS = 1_000;

/** By then a client has its answer, and the vault can be opened without making it wait. */
const HANDSHAKE_MS = 300;

export function mcpProgram({ signals, openContext, version }: ProgramParts): Program {
  return {
    name: 'mcp',
    summary: 'Serve the Model Context Protocol on stdin and stdout, for coding agents',
    fields: [
      {
        ...plainField,
        name: 'tools',
        kind: 'string',
        description: 'Which tools to offer: core, all, or names with commas between them',
        defaultValue: 'core',
      },
      {
        ...plainField,
        name: 'readOnly',
        kind: 'boolean',
        description: 'Offer only tools that change no note',
      },
      {
        ...plainField,
        name: 'watch',
        kind: 'boolean',
        description: 'Follow the vault, so that the index is fresh when a question comes',
      },
    ],
    examples: [
      { command: 'memory mcp --vault ~/notes', purpose: 'what an agent is told to start; see docs/mcp.md' },
      {
        command: 'memory mcp --tools search,show,links --read-only',
        purpose: 'some tools, none that writes',
      },
    ],
    run: async ({ vault, input, notice }) => {
      const { serveMcp } = await import('../surfaces/mcp/serve-mcp.js');
      const app = import('../app/open-app.js');
      const output = takeStdout();
      const { context, close } = openContext({
        vault,
        signal: new AbortController().signal,
        report: () => undefined,
        notice,
      });
      let opened: Memory | undefined;
      const sayWhy = (error: unknown) => notice(`${toMemoryError(error).message}; nothing is followed yet`);
      const following = followWhenOpened(notice);
      const openMemory = async () => {
        opened = await context.openMemory();
        if (input['watch'] === true) following.begin(opened);
        return opened;
      };
      signals.stopGently(() => process.stdin.destroy());
      endWithParent();
      // The handshake comes first.
      if (input['watch'] === true) setTimeout(() => openMemory().catch(sayWhy), HANDSHAKE_MS).unref();
      await serveMcp({
        input: stdinChunks(),
        send: output.sendLine,
        context: { ...context, openMemory },
        choice: { tools: String(input['tools'] ?? 'core'), readOnly: input['readOnly'] === true },
        version,
        glance: async () => (await app).glanceAtVault(vault).catch(() => undefined),
        onIdle: releaseWhenQuiet(() => opened?.release()),
      });
      await following.end();
      await output.flushed();
      if (opened !== undefined) await (await app).keepGlance(vault, opened).catch(() => undefined);
      await close();
      return 0;
    },
  };
}

/** Questions often come in a row, each of which would load the model again. */
const QUIET_MS = 2_000;

/** Lets go of the model once nothing was asked for a while; AGENT_MEMORY_MCP_KEEP_WARM=1 keeps it. */
function releaseWhenQuiet(release: () => Promise<void> | undefined): () => void {
  if (process.env['AGENT_MEMORY_MCP_KEEP_WARM'] === '1') return () => undefined;
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void release(), QUIET_MS).unref();
  };
}

/** A client that died may have left its end of stdin open in a child of its own. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.stdin.destroy();
  }, PARENT_CHECK_MS).unref();
}

/** Follows the vault from when it was first opened. */
function followWhenOpened(notice: (text: string) => void) {
  const stop = new AbortController();
  let following: Promise<void> | undefined;
  return {
    begin: (memory: Memory): void => {
      following ??= memory
        .follow({ signal: stop.signal, tell: (event) => tellInWords(event, notice) })
        .catch((error: unknown) => notice(`Cannot follow the vault: ${toMemoryError(error).message}`));
    },
    end: async (): Promise<void> => {
      stop.abort();
      await following;
    },
  };
}
