/** `memory mcp` as a process, and a client that speaks to it line by line, so that tests see what is on the wire. */

import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { bin, quietEnvironment } from '../surfaces/run-memory.js';

export type Message = {
  readonly jsonrpc: '2.0';
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

export type ToolReply = {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
};

export type Server = {
  readonly child: ChildProcess;
  /** All messages so far, in the order they came. */
  readonly messages: readonly Message[];
  readonly stderr: () => string;
  readonly write: (line: string) => void;
  readonly notify: (method: string, params?: object) => void;
  /** Sends without waiting; the id is for `answer`. */
  readonly send: (method: string, params?: object) => number;
  readonly answer: (id: number) => Promise<Message>;
  /** The first message that fits, of those that came already too. */
  readonly until: (fits: (message: Message) => boolean) => Promise<Message>;
  readonly request: (method: string, params?: object) => Promise<Message>;
  readonly call: (name: string, input?: object, meta?: object) => Promise<ToolReply>;
  /** Exit code. */
  readonly ended: Promise<number | null>;
};

export const CLIENT = { name: 'test', version: '1.0.0' };

export const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };

export type ServerSettings = {
  readonly vault: string | undefined;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Not ended with the test: for several tests together, which end it themselves. */
  readonly keep?: boolean;
};

/** A process that nobody has spoken to. */
export function startServer({ vault, args = [], cwd, environment, keep }: ServerSettings): Server {
  const place = vault === undefined ? [] : ['--vault', vault];
  const child = spawn(process.execPath, [bin, 'mcp', ...place, ...args], {
    env: { ...quietEnvironment(), ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let stderr = '';
  let rest = '';
  let failure: unknown;
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin!.on('error', () => undefined);
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    try {
      for (const line of lines) messages.push(JSON.parse(line));
    } catch (error) {
      failure = error;
    }
    for (const wake of waiting) wake();
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
    for (const wake of waiting) wake();
  });
  if (keep !== true) onTestFinished(() => void child.kill('SIGKILL'));

  const until = async (fits: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      if (failure !== undefined) throw failure;
      const found = messages.find(fits);
      if (found !== undefined) return found;
      if (isOver) throw new Error(`The server ended before it answered: ${stderr}`);
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  };
  let lastId = 1_000;
  const write = (line: string): void => void child.stdin!.write(`${line}\n`);
  const send = (method: string, params?: object): number => {
    lastId += 1;
    write(JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }));
    return lastId;
  };
  const answer = (id: number) => until((message) => message.id === id && message.method === undefined);
  const request = (method: string, params?: object) => answer(send(method, params));
  return {
    child,
    messages,
    stderr: () => stderr,
    write,
    notify: (method, params) => write(JSON.stringify({ jsonrpc: '2.0', method, params })),
    send,
    answer,
    until,
    request,
    call: async (name, input = {}, meta) => {
      const { result, error } = await request('tools/call', {
        name,
        arguments: input,
        ...(meta === undefined ? {} : { _meta: meta }),
      });
      if (result === undefined) throw new Error(JSON.stringify(error));
      return result as unknown as ToolReply;
    },
    ended,
  };
}

/** A process with which the handshake of the older generation is done. */
export async function openServer(settings: ServerSettings): Promise<Server> {
  const server = startServer(settings);
  await server.request('initialize', INITIALIZE);
  server.notify('notifications/initialized');
  return server;
}

export function textOf(reply: ToolReply): string {
  return reply.content.map(({ text }) => text).join('\n');
}

/** Code, message, hint and details of a reply that failed. */
export function errorOf(reply: ToolReply): Readonly<Record<string, unknown>> | undefined {
  return reply._meta?.['agent-memory/error'] as Readonly<Record<string, unknown>> | undefined;
}
