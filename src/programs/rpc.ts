/** `memory rpc`: surfaces/rpc on stdin and stdout. */

import type { Program } from '../surfaces/cli/host.js';
import { stdinChunks, takeStdout } from './process-streams.js';
import type { ProgramParts } from './program-parts.js';

export function rpcProgram({ signals, openContext }: ProgramParts): Program {
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
      const { serveRpc } = await import('../surfaces/rpc/serve-rpc.js');
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
