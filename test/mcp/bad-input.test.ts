/** What a client may get wrong: every line is answered, named and survived. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyExampleVault, sharedFolder } from '../surfaces/run-memory.js';
import { errorOf, type Message, openServer, type Server, startServer, textOf } from './server.js';

const vault = copyExampleVault(sharedFolder());

let server: Server;
beforeAll(async () => {
  server = await openServer({ vault, args: ['--tools', 'all'], keep: true });
});
afterAll(() => void server.child.kill());

async function answerTo(line: string): Promise<Message> {
  const before = server.messages.length;
  server.write(line);
  return server.until((message) => server.messages.indexOf(message) >= before);
}

describe('a line is answered that is', () => {
  test.each<[string, string, object]>([
    ['no JSON', '{"jsonrpc": "2.0", "method": "x, "params": 1}', { id: null, error: { code: -32700 } }],
    ['half a message', '{"jsonrpc":"2.0","id":1,"meth', { id: null, error: { code: -32700 } }],
    ['a number', '1', { id: null, error: { code: -32600 } }],
    ['null', 'null', { id: null, error: { code: -32600 } }],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', { id: null, error: { code: -32600 } }],
    ['without version', '{"id":"a","method":"ping"}', { id: 'a', error: { code: -32600 } }],
    ['with a strange id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', { id: null, error: { code: -32600 } }],
    ['with a strange method', '{"jsonrpc":"2.0","id":7,"method":1}', { id: 7, error: { code: -32600 } }],
    [
      'with params in a list',
      '{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}',
      { id: 7, error: { code: -32600 } },
    ],
    [
      'of an unknown method',
      '{"jsonrpc":"2.0","id":8,"method":"no/such"}',
      { id: 8, error: { code: -32601 } },
    ],
    ['a call of nothing', '{"jsonrpc":"2.0","id":9,"method":"tools/call"}', { id: 9, error: {} }],
    [
      'a call with arguments that are no object',
      '{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"search","arguments":"lazy"}}',
      { id: 10, error: {} },
    ],
  ])('%s', async (_, line, answer) => {
    expect(await answerTo(line)).toMatchObject(answer);
  });

  test('a batch of 10,000', async () => {
    const batch = Array.from({ length: 10_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    expect(await answerTo(JSON.stringify(batch))).toMatchObject({ id: null, error: { code: -32600 } });
  });

  test('a message of 10 MB, shortly', async () => {
    const reply = await server.call('show', { note: 'x'.repeat(10_000_000) });
    expect(errorOf(reply)).toMatchObject({ code: expect.stringMatching(/not_found|invalid_input/) });
    expect(JSON.stringify(reply).length).toBeLessThan(10_000);
  });

  test('longer than any message, and the next one too', async () => {
    expect(await answerTo('x'.repeat(33_000_000))).toMatchObject({ id: null, error: { code: -32600 } });
    expect((await server.request('ping')).result).toEqual({});
  });
});

test('notifications that make no sense are not answered', async () => {
  const before = server.messages.length;
  server.notify('no/such');
  server.notify('notifications/cancelled', { requestId: 'none' });
  server.notify('notifications/cancelled');
  server.write('{"jsonrpc":"2.0","id":99,"result":{}}');
  server.write('\r');
  expect((await server.request('ping')).result).toEqual({});
  expect(server.messages.length).toBe(before + 1);
});

describe('a call', () => {
  test.each<[string, string, object, string, object]>([
    [
      'with an unknown argument',
      'search',
      { query: 'a', limt: 3 },
      'invalid_input: search has no argument "limt"\nhint: Did you mean limit?',
      { code: 'invalid_input', hint: 'Did you mean limit?', details: { argument: 'limt' } },
    ],
    [
      'with the budget of the command line',
      'search',
      { query: 'a', maxTokens: 3 },
      'invalid_input: search has no argument "maxTokens"\nhint: Did you mean max_tokens?',
      { code: 'invalid_input' },
    ],
    [
      'with a wrong type',
      'search',
      { query: 'a', limit: 'ten' },
      'invalid_input: search: limit must be a whole number, not "ten"',
      { code: 'invalid_input', details: { argument: 'limit' } },
    ],
    [
      'without an argument it needs',
      'show',
      {},
      'invalid_input: show needs note: Path of the note, its title, an alias, or path:line as search gives it',
      { code: 'invalid_input', details: { argument: 'note' } },
    ],
    [
      'with no budget',
      'search',
      { query: 'a', max_tokens: 0 },
      'invalid_input: search: max_tokens must be a whole number, not 0',
      { code: 'invalid_input', details: { argument: 'max_tokens' } },
    ],
    [
      'with a cursor of another kind',
      'search',
      { query: 'a', cursor: 5 },
      'invalid_input: search: cursor must be a text, not 5',
      { code: 'invalid_input' },
    ],
    [
      'with a cursor that leads nowhere',
      'search',
      { query: 'a', cursor: 'x.1.2' },
      'not_found: The rest of the reply at cursor "x.1.2" is not kept any more\nhint: Call search again without cursor.',
      { code: 'not_found' },
    ],
    [
      'of a note outside',
      'show',
      { note: '../outside.md' },
      expect.stringContaining('invalid_input: '),
      { code: 'invalid_input' },
    ],
  ])('%s fails with code, message and hint', async (_, name, input, text, error) => {
    const reply = await server.call(name, input);
    expect(reply.isError).toBe(true);
    expect(textOf(reply)).toEqual(text);
    expect(errorOf(reply)).toMatchObject(error);
    expect(reply).not.toHaveProperty('structuredContent');
  });

  test.each([
    ['serach', 'Did you mean search?'],
    ['constructor', expect.stringContaining('Tools: init, ')],
  ])('of the unknown tool %s is an error of the protocol', async (name, hint) => {
    const { error } = await server.request('tools/call', { name, arguments: {} });
    expect(error).toEqual({ code: -32602, message: `There is no tool "${name}"`, data: { hint } });
  });

  test('of a tool that is not offered is one too', async () => {
    const reader = await openServer({ vault, args: ['--read-only', '--tools', 'all'] });
    const { error } = await reader.request('tools/call', { name: 'add', arguments: { title: 'x' } });
    expect(error).toMatchObject({ code: -32602, message: 'There is no tool "add"' });
  });
});

describe('a resource', () => {
  test.each([
    'memory://note/none.md',
    'memory://note/Lazy%20model',
    'memory://note/..%2Foutside.md',
    'memory://note/%E0%A4%A',
    'memory://note/',
    'file:///etc/passwd',
    'nonsense',
  ])('%s does not exist', async (uri) => {
    const { error } = await server.request('resources/read', { uri });
    expect(error).toMatchObject({ code: -32602, message: `There is no resource "${uri}"`, data: { uri } });
  });

  test('list does not go on at a cursor that leads nowhere', async () => {
    for (const cursor of ['x', 'x.200', '']) {
      const { error } = await server.request('resources/list', { cursor });
      expect(error).toMatchObject({ code: -32602 });
    }
  });
});

test('without a vault the handshake is answered, and each call says what to do', async () => {
  const lost = startServer({ vault: undefined, cwd: sharedFolder() });
  const { result } = await lost.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  });
  expect(result!['instructions']).toContain('There is no vault here yet');
  const reply = await lost.call('search', { query: 'a' });
  expect(errorOf(reply)).toMatchObject({ code: 'not_found', hint: expect.stringContaining('--vault') });
  expect((await lost.request('resources/list')).error).toMatchObject({ data: { code: 'not_found' } });
});
