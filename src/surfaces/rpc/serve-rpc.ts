/**
 * Plain JSON-RPC 2.0: one message a line in, one a line out, method = operation name. Requests run side by side
 * and are answered as they finish. Messages are in message.ts.
 */

import { loadOperation, operationNames } from '../../operations/index.js';
import { nearestName } from '../../operations/nearest-name.js';
import { invoke, type Operation, type OperationContext } from '../../operations/operation.js';
import { readLines } from './lines.js';
import {
  failure,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  type Request,
  type Response,
  readRequest,
  rpcError,
  success,
} from './message.js';

export type RpcServing = {
  readonly input: AsyncIterable<Uint8Array>;
  /** Takes one message, without its line feed. */
  readonly send: (line: string) => void;
  readonly context: OperationContext;
};

/** More than this at once waits, and so does whoever writes to our input. */
const LINES_IN_FLIGHT = 256;

/** Answers until the input ends and all that is in flight has been answered. */
export async function serveRpc({ input, send, context }: RpcServing): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  for await (const line of readLines(input)) {
    const work: Promise<void> = answerLine(context, line).then((answer) => {
      if (answer !== undefined) send(answer);
      inFlight.delete(work);
    });
    inFlight.add(work);
    if (inFlight.size >= LINES_IN_FLIGHT) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
}

/** The line that answers a line, or undefined when nothing is to be said. Never throws. */
async function answerLine(context: OperationContext, line: string): Promise<string | undefined> {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return JSON.stringify(failure(null, { code: PARSE_ERROR, message: 'The line is no JSON' }));
  }
  if (!Array.isArray(message)) {
    const answer = await answerMessage(context, message);
    return answer === undefined ? undefined : JSON.stringify(answer);
  }
  if (message.length === 0) {
    return JSON.stringify(failure(null, { code: INVALID_REQUEST, message: 'An empty batch' }));
  }
  const answers = await Promise.all(message.map((one) => answerMessage(context, one)));
  const said = answers.filter((answer) => answer !== undefined);
  return said.length === 0 ? undefined : JSON.stringify(said);
}

async function answerMessage(context: OperationContext, message: unknown): Promise<Response | undefined> {
  const request = readRequest(message);
  if (!('method' in request)) return request;
  const answer = await answerRequest(context, request);
  return request.id === undefined ? undefined : answer;
}

async function answerRequest(context: OperationContext, request: Request): Promise<Response> {
  const id = request.id ?? null;
  try {
    const operation = await loadOperation(request.method);
    if (operation === undefined) return failure(id, unknownMethod(request.method));
    return success(id, await invoke(context, operation, inputOf(operation, request.params)));
  } catch (error) {
    return failure(id, rpcError(error));
  }
}

function unknownMethod(method: string): { code: number; message: string; data: unknown } {
  const near = nearestName(method, operationNames);
  const hint = near === undefined ? `Methods: ${operationNames.join(', ')}.` : `Did you mean ${near}?`;
  return { code: METHOD_NOT_FOUND, message: `There is no method ${JSON.stringify(method)}`, data: { hint } };
}

/** Params by position are the operation's positionals; one too many is left under its number, to be refused. */
function inputOf(operation: Operation, params: unknown): unknown {
  if (!Array.isArray(params)) return params ?? {};
  return Object.fromEntries(params.map((value, at) => [operation.positional[at] ?? String(at + 1), value]));
}
