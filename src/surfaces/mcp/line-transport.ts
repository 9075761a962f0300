/** Messages over standard input and output, one a line. What is no message is answered here; the rest is the SDK's. */

import type { Transport } from './sdk.js';

export type LineTransport = Transport & {
  /** Hands on messages until the input ends. */
  readonly read: (input: AsyncIterable<Uint8Array>, roomForMore: () => Promise<unknown>) => Promise<void>;
  /** Resolves when every request that came has been answered. */
  readonly answered: () => Promise<void>;
};

/** A longer line is not read. */
const MOST_CHARACTERS = 32_000_000;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

type Line = { readonly text: string; readonly isTooLong: boolean };

/** A request that stays open for as long as its client listens. */
const LISTENING = 'subscriptions/listen';

/** `send` takes one message, without its line feed. */
export function makeLineTransport(send: (line: string) => void): LineTransport {
  const open = new Set<unknown>();
  const waiting: (() => void)[] = [];
  const close = (id: unknown): void => {
    open.delete(id);
    if (open.size === 0) for (const wake of waiting.splice(0)) wake();
  };
  const deliver = (message: Message): void => {
    const { id, method, params } = message;
    if (method === 'notifications/cancelled') close(params?.['requestId']);
    else if (id !== undefined && method !== undefined && method !== LISTENING) open.add(id);
    transport.onmessage?.(message as never);
  };
  const transport: LineTransport = {
    start: async () => undefined,
    send: async (message) => {
      send(JSON.stringify(message));
      if (!('method' in message)) close(message.id);
    },
    close: async () => transport.onclose?.(),
    read: async (input, roomForMore) => {
      for await (const line of readLines(input)) {
        const refused = receive(line, deliver);
        if (refused !== undefined) send(JSON.stringify(refused));
        await roomForMore();
      }
    },
    answered: async () => {
      if (open.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
  return transport;
}

type Message = {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
};

function receive(line: Line, deliver: (message: Message) => void): object | undefined {
  if (line.isTooLong)
    return failure(null, INVALID_REQUEST, `A message has at most ${MOST_CHARACTERS} characters`);
  let message: unknown;
  try {
    message = JSON.parse(line.text);
  } catch {
    return failure(null, PARSE_ERROR, 'The line is no JSON');
  }
  if (Array.isArray(message)) {
    return failure(null, INVALID_REQUEST, 'This protocol has no batches: send one message a line');
  }
  const complaint = complaintAbout(message);
  if (complaint === undefined) {
    deliver(message as Message);
    return undefined;
  }
  const id = (message as { readonly id?: unknown } | null)?.id;
  return failure(isId(id) ? id : null, INVALID_REQUEST, complaint);
}

/** What keeps it from being a request, a notification or an answer. */
function complaintAbout(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null) return 'A message is an object';
  const { jsonrpc, method, params, id } = message as Readonly<Record<string, unknown>>;
  if (jsonrpc !== '2.0') return 'A message has "jsonrpc": "2.0"';
  if (id !== undefined && !isId(id)) return '"id" is a text or a whole number';
  if (method === undefined && ('result' in message || 'error' in message)) return undefined;
  if (typeof method !== 'string') return 'A request has a "method", which is a text';
  const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
  return params === undefined || isObject ? undefined : '"params" is an object';
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function failure(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** Lines of UTF-8, a last one without line feed too, blank ones never; of one that is too long only that it was there. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  const line = (): Line => {
    const isTooLong = length > MOST_CHARACTERS;
    const text = isTooLong ? '' : parts.join('').trim();
    parts = [];
    length = 0;
    return { text, isTooLong };
  };
  const isSaid = ({ text, isTooLong }: Line): boolean => isTooLong || text !== '';
  for await (const chunk of chunks) {
    const pieces = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [at, piece] of pieces.entries()) {
      length += piece.length;
      if (length <= MOST_CHARACTERS) parts.push(piece);
      else parts = [];
      if (at === pieces.length - 1) break;
      const whole = line();
      if (isSaid(whole)) yield whole;
    }
  }
  const last = line();
  if (isSaid(last)) yield last;
}
