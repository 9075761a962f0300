/**
 * The Model Context Protocol over lines: both its generations, the one that begins with `initialize` and the one in
 * which every request speaks for itself. The SDK knows which is spoken; what is offered is the same in both.
 */

import { loadOperation } from '../../operations/index.js';
import { nearestName } from '../../operations/nearest-name.js';
import type { OperationContext } from '../../operations/operation.js';
import { makeCall } from './call-tool.js';
import { makeCallsInFlight } from './calls-in-flight.js';
import { instructionsFor, type VaultGlance } from './instructions.js';
import { makeLineTransport } from './line-transport.js';
import { watchNoteChanges } from './note-changes.js';
import { progressReport } from './progress.js';
import { promptsFor } from './prompts.js';
import { makeResourceLists, readResource, resourceTemplates } from './resources.js';
import { ProtocolError, Server, type ServerContext, serveStdio } from './sdk.js';
import { failedResult } from './tool-result.js';
import { changesNothing, chooseTools, type ToolChoice } from './tools.js';

export type McpServing = {
  readonly input: AsyncIterable<Uint8Array>;
  /** Takes one message, without its line feed. */
  readonly send: (line: string) => void;
  readonly context: OperationContext;
  readonly choice: ToolChoice;
  readonly version: string;
  /** Must not open the index: the handshake waits for it. */
  readonly glance: () => Promise<VaultGlance | undefined>;
  /** Called whenever no call runs any more. */
  readonly onIdle?: () => void;
};

const INVALID_PARAMS = -32602;

/** What is listed changes only with the program's arguments; what the notes are, at any time. */
const LISTING_TTL_MS = 3_600_000;
const FIXED = { ttlMs: LISTING_TTL_MS, cacheScope: 'private' } as const;

/** Answers until the input ends and the calls in flight have been answered. Throws for an unknown choice of tools. */
export async function serveMcp(serving: McpServing): Promise<void> {
  const { input, send, context, choice, version, glance } = serving;
  const tools = await chooseTools(choice);
  const names = [...tools.keys()];
  const prompts = promptsFor(new Set(names));
  const canWrite = ![...tools.values()].every(changesNothing);
  const changes = watchNoteChanges();
  const inFlight = makeCallsInFlight(serving.onIdle);
  const listResources = makeResourceLists();
  let tellNotesChanged: () => void = () => undefined;
  const callTool = makeCall(({ name }, output) => {
    if (changes.seenIn(name, output)) tellNotesChanged();
  });

  const run = <T>(ctx: ServerContext, call: (context: OperationContext) => Promise<T>): Promise<T> => {
    const report = progressReport(ctx) ?? context.report;
    return inFlight.run(ctx.mcpReq.signal, (signal) => call({ ...context, signal, report }));
  };

  const makeServer = async (): Promise<Server> => {
    const server = new Server(
      { name: 'agent-memory', version },
      {
        capabilities: { tools: {}, resources: { listChanged: true }, prompts: {} },
        instructions: instructionsFor(await glance(), canWrite),
        cacheHints: {
          'server/discover': FIXED,
          'tools/list': FIXED,
          'prompts/list': FIXED,
          'resources/templates/list': FIXED,
        },
      },
    );
    tellNotesChanged = () => void server.sendResourceListChanged().catch(() => undefined);
    server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()] }));
    server.setRequestHandler('tools/call', ({ params }, ctx) => {
      if (!tools.has(params.name)) throw unknownTool(params.name, names);
      return run(ctx, async (own) => {
        const operation = (await loadOperation(params.name))!;
        return callTool(operation, params.arguments ?? {}, own);
      }).catch(failedResult);
    });
    server.setRequestHandler('resources/list', ({ params }, ctx) =>
      run(ctx, (own) => listResources(own, params?.cursor)),
    );
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
    server.setRequestHandler('resources/read', ({ params }, ctx) =>
      run(ctx, (own) => readResource(own, params.uri)),
    );
    server.setRequestHandler('prompts/list', () => prompts.list());
    server.setRequestHandler('prompts/get', ({ params }) => prompts.get(params.name, params.arguments));
    return server;
  };

  const transport = makeLineTransport(send);
  const served = serveStdio(makeServer, { transport });
  await transport.read(input, inFlight.roomForMore);
  await inFlight.end(transport.answered());
  await served.close();
}

function unknownTool(name: string, offered: readonly string[]): ProtocolError {
  const near = nearestName(name, offered);
  const hint = near === undefined ? `Tools: ${offered.join(', ')}.` : `Did you mean ${near}?`;
  return new ProtocolError(INVALID_PARAMS, `There is no tool ${JSON.stringify(name)}`, { hint });
}
