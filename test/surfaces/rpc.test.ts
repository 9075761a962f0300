/** JSON-RPC 2.0 as its specification has it, through the real process. */

import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  bin,
  copyExampleVault,
  quietEnvironment,
  runMemory,
  sharedFolder,
  temporaryFolder,
} from './run-memory.js';

type Answer = { readonly id: unknown; readonly result?: unknown; readonly error?: { readonly code: number } };

const shared = copyExampleVault(sharedFolder());

/** Sends the lines, ends the input, and gives back what the process wrote. */
async function exchange(lines: readonly string[]) {
  const { code, stdout, stderr } = await runMemory(['rpc', '--vault', shared], {
    stdin: `${lines.join('\n')}\n`,
  });
  const answers = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { code, answers, stderr, stdout };
}

function request(id: unknown, method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

const parseError = { jsonrpc: '2.0', error: { code: -32700, message: 'The line is no JSON' }, id: null };

function invalidRequest(id: unknown, message: string) {
  return { jsonrpc: '2.0', error: { code: -32600, message }, id };
}

describe('memory rpc answers', () => {
  test.each<[string, string, unknown]>([
    ['no JSON', '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', parseError],
    ['half a batch', '[{"jsonrpc":"2.0","method":"status","id":1},{"jsonrpc":"2.0"', parseError],
    ['an empty batch', '[]', invalidRequest(null, 'An empty batch')],
    ['a batch of nonsense', '[1,"a"]', [1, 2].map(() => invalidRequest(null, 'A request is an object'))],
    ['a number', '1', invalidRequest(null, 'A request is an object')],
    ['null', 'null', invalidRequest(null, 'A request is an object')],
    ['no version', '{"id":1,"method":"status"}', invalidRequest(1, 'A request has "jsonrpc": "2.0"')],
    [
      'version 1',
      '{"jsonrpc":"1.0","id":1,"method":"status"}',
      invalidRequest(1, 'A request has "jsonrpc": "2.0"'),
    ],
    [
      'a method that is no text',
      '{"jsonrpc":"2.0","method":1,"params":"bar"}',
      invalidRequest(null, 'A request has a "method", which is a text'),
    ],
    [
      'params that are a text',
      '{"jsonrpc":"2.0","id":"x","method":"status","params":"bar"}',
      invalidRequest('x', '"params" is an object or an array'),
    ],
    [
      'params that are null',
      '{"jsonrpc":"2.0","id":"x","method":"status","params":null}',
      invalidRequest('x', '"params" is an object or an array'),
    ],
    [
      'an id that is an object',
      '{"jsonrpc":"2.0","id":{},"method":"status"}',
      invalidRequest(null, '"id" is a text, a number or null'),
    ],
    [
      'an unknown method',
      request(1, 'serach'),
      {
        jsonrpc: '2.0',
        error: {
          code: -32601,
          message: 'There is no method "serach"',
          data: { hint: 'Did you mean search?' },
        },
        id: 1,
      },
    ],
    [
      'a name of Object',
      request(1, 'constructor'),
      expect.objectContaining({ error: expect.objectContaining({ code: -32601 }) }),
    ],
    [
      'an unknown argument',
      request(1, 'search', { query: 'a', limt: 3 }),
      {
        jsonrpc: '2.0',
        error: {
          code: -32602,
          message: 'search has no argument "limt"',
          data: { code: 'invalid_input', hint: 'Did you mean limit?', details: { argument: 'limt' } },
        },
        id: 1,
      },
    ],
    [
      'one argument too many by position',
      request(1, 'show', ['profile.md', 'x']),
      expect.objectContaining({ error: expect.objectContaining({ code: -32602 }) }),
    ],
    [
      'a missing argument',
      request('a', 'show'),
      expect.objectContaining({ error: expect.objectContaining({ code: -32602 }), id: 'a' }),
    ],
    [
      'a note that does not exist',
      request(1, 'show', { note: 'none.md' }),
      expect.objectContaining({
        error: expect.objectContaining({
          code: -32004,
          data: expect.objectContaining({ code: 'not_found' }),
        }),
      }),
    ],
    [
      'a call by name',
      request(0, 'show', { note: 'profile.md' }),
      expect.objectContaining({
        jsonrpc: '2.0',
        id: 0,
        result: expect.objectContaining({ path: 'profile.md' }),
      }),
    ],
    [
      'a call by position',
      request(1.5, 'show', ['profile.md']),
      expect.objectContaining({ id: 1.5, result: expect.objectContaining({ path: 'profile.md' }) }),
    ],
    [
      'a call with id null',
      '{"jsonrpc":"2.0","id":null,"method":"status"}',
      expect.objectContaining({ id: null, result: expect.anything() }),
    ],
  ])('%s', async (_, line, answer) => {
    const { code, answers } = await exchange([line]);
    expect(answers).toEqual([answer]);
    expect(code).toBe(0);
  });

  test.each([
    ['a notification', '{"jsonrpc":"2.0","method":"status"}'],
    ['a notification that fails', '{"jsonrpc":"2.0","method":"show","params":{"note":"none.md"}}'],
    ['a notification of an unknown method', '{"jsonrpc":"2.0","method":"none"}'],
    ['a batch of notifications', '[{"jsonrpc":"2.0","method":"status"},{"jsonrpc":"2.0","method":"none"}]'],
    ['blank lines', '\n  \n\r\n'],
  ])('nothing to %s', async (_, line) => {
    expect(await exchange([line])).toMatchObject({ code: 0, answers: [] });
  });

  test('a batch with one line, in which notifications have no part', async () => {
    const batch = [
      request(1, 'status'),
      '{"jsonrpc":"2.0","method":"status"}',
      '{"foo":"boo"}',
      request('2', 'none'),
    ];
    const { answers } = await exchange([`[${batch.join(',')}]`]);
    expect(answers).toHaveLength(1);
    const byId = new Map((answers[0] as Answer[]).map((answer) => [answer.id, answer]));
    expect([...byId.keys()].sort()).toEqual([1, '2', null].sort());
    expect(byId.get(1)).toHaveProperty('result.notes');
    expect(byId.get(null)).toHaveProperty('error.code', -32600);
    expect(byId.get('2')).toHaveProperty('error.code', -32601);
  });

  test('a request without a line feed at the end, with a carriage return, and with a BOM', async () => {
    const stdin = `\ufeff${request(1, 'status')}\r\n${request(2, 'status')}`;
    const { stdout } = await runMemory(['rpc', '--vault', shared], { stdin });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id)
        .sort(),
    ).toEqual([1, 2]);
  });

  test('many requests at once, each in one whole line', async () => {
    const ids = Array.from({ length: 500 }, (_, at) => at);
    const { answers } = await exchange(ids.map((id) => request(id, 'show', { note: 'profile.md' })));
    expect(answers.map((answer: Answer) => Number(answer.id)).sort((a, b) => a - b)).toEqual(ids);
    expect(answers.every((answer: Answer) => answer.result !== undefined)).toBe(true);
  });

  test('a client that writes everything before it reads anything', async () => {
    const child = spawn(process.execPath, [bin, 'rpc', '--vault', shared], {
      env: quietEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // More than the pipes hold in either direction; unknown methods are answered at once.
    const line = `${request(1, 'x'.repeat(400))}\n`;
    const count = 2_000;
    await new Promise<void>((resolve) => child.stdin.end(line.repeat(count), () => resolve()));
    let lines = 0;
    for await (const chunk of child.stdout.setEncoding('utf8')) lines += chunk.split('\n').length - 1;
    expect(lines).toBe(count);
  });

  test('before the input ends', async () => {
    const child = spawn(process.execPath, [bin, 'rpc', '--vault', shared], {
      env: quietEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const answers = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
    for (const id of [1, 2, 3]) {
      child.stdin.write(`${request(id, 'status')}\n`);
      expect(JSON.parse((await answers.next()).value).id).toBe(id);
    }
    child.stdin.end();
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  });
});

describe('memory rpc ends', () => {
  test('with 0 on SIGTERM and 130 on SIGINT, after the answers in flight', async () => {
    for (const [signal, expected] of [
      ['SIGTERM', 0],
      ['SIGINT', 130],
    ] as const) {
      const child = spawn(process.execPath, [bin, 'rpc', '--vault', shared], {
        env: quietEnvironment(),
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const answers = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
      child.stdin.write(`${request(1, 'status')}\n`);
      await answers.next();
      child.kill(signal);
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(expected);
    }
  });

  test('quietly when its reader has gone', async () => {
    const child = spawn(process.execPath, [bin, 'rpc', '--vault', shared], {
      env: quietEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.stdout.destroy();
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${request(1, 'status')}\n`.repeat(100));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
    expect(stderr).toBe('');
  });

  test('with an error in each answer where there is no vault, and not at the start', async () => {
    const cwd = temporaryFolder();
    const stdin = `${request(1, 'status')}\n${request(2, 'none')}\n`;
    const { code, stdout } = await runMemory(['rpc'], { cwd, stdin });
    const errors = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).error.code);
    expect(errors.sort()).toEqual([-32004, -32601]);
    expect(code).toBe(0);
  });
});
