/** Clients of the official SDK, of both generations of the protocol, use the server as agents do. */

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bin, copyExampleVault, quietEnvironment, sharedFolder } from '../surfaces/run-memory.js';
import { CLIENT, INITIALIZE, openServer, startServer } from './server.js';

const vault = copyExampleVault(sharedFolder());

type Mode = 'legacy' | 'auto' | { readonly pin: string };

async function connect(mode: Mode, args: readonly string[] = []): Promise<Client> {
  const client = new Client(CLIENT, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [bin, 'mcp', '--vault', vault, ...args],
    env: quietEnvironment(),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

describe.each<[string, Mode, string]>([
  ['that begins with initialize', 'legacy', '2025-11-25'],
  ['that asks first what is spoken', 'auto', '2026-07-28'],
  ['that speaks the stateless revision only', { pin: '2026-07-28' }, '2026-07-28'],
])('a client %s', (_, mode, version) => {
  test('lists, calls and reads', async () => {
    const client = await connect(mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getInstructions()).toContain('search');

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('search');
    const found = await client.callTool({ name: 'search', arguments: { query: 'lazy model' } });
    expect(found.structuredContent).toMatchObject({
      hits: expect.arrayContaining([expect.objectContaining({ path: 'decisions/lazy-model.md' })]),
    });
    const failed = await client.callTool({ name: 'show', arguments: { note: 'none.md' } });
    expect(failed).toMatchObject({ isError: true, _meta: { 'agent-memory/error': { code: 'not_found' } } });

    const { resources } = await client.listResources();
    const { uri } = resources.find(({ name }) => name === 'profile.md')!;
    expect(uri).toBe('memory://note/profile.md');
    const { contents } = await client.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text: expect.stringContaining('# ') }]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['memory://note/{+path}']);

    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['recall', 'handoff']);
    const { messages } = await client.getPrompt({ name: 'recall', arguments: { topic: 'the locks' } });
    expect(messages).toMatchObject([
      { role: 'user', content: { text: expect.stringContaining('the locks') } },
    ]);
  });

  test('is told when there are other notes', async () => {
    const own = copyExampleVault(sharedFolder());
    let changes = 0;
    let woken: () => void = () => undefined;
    const client = new Client(CLIENT, {
      versionNegotiation: { mode },
      listChanged: {
        resources: {
          autoRefresh: false,
          debounceMs: 0,
          onChanged: () => {
            changes += 1;
            woken();
          },
        },
      },
    });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [bin, 'mcp', '--vault', own],
        env: quietEnvironment(),
      }),
    );
    onTestFinished(() => client.close());
    const changed = new Promise<void>((resolve) => {
      woken = resolve;
    });
    await client.callTool({ name: 'edit', arguments: { note: 'profile', append: '- one line' } });
    await client.callTool({ name: 'add', arguments: { title: 'A thing', dryRun: true } });
    expect(changes).toBe(0);
    await client.callTool({ name: 'add', arguments: { title: 'A thing' } });
    await changed;
    expect(changes).toBe(1);
  });
});

describe('the handshake', () => {
  test.each(['2025-06-18', '2025-11-25'])('in %s', async (protocolVersion) => {
    const server = startServer({ vault });
    const { result } = await server.request('initialize', { ...INITIALIZE, protocolVersion });
    expect(result).toMatchObject({
      protocolVersion,
      capabilities: { tools: {}, resources: { listChanged: true }, prompts: {} },
      serverInfo: { name: 'agent-memory' },
    });
  });

  test('offers a version it knows to a client of an unknown one', async () => {
    const server = startServer({ vault });
    const { result } = await server.request('initialize', { ...INITIALIZE, protocolVersion: '1999-01-01' });
    expect(result!['protocolVersion']).toBe('2025-11-25');
  });

  test('is not needed by requests that name version and client themselves', async () => {
    const server = startServer({ vault });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': CLIENT,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { result } = await server.request('tools/call', {
      name: 'search',
      arguments: { query: 'a' },
      _meta,
    });
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { notes: 25 } });
    const listed = await server.request('tools/list', { _meta });
    expect(listed.result).toMatchObject({ cacheScope: 'private', ttlMs: 3_600_000 });
  });

  test('names the versions it knows to a request of an unknown one', async () => {
    const server = startServer({ vault });
    const { error } = await server.request('tools/list', {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2031-01-01',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    });
    expect(error!.data).toMatchObject({ supported: ['2026-07-28'], requested: '2031-01-01' });
  });

  test('may come after a question for the stateless revision', async () => {
    const server = startServer({ vault });
    const asked = await server.request('server/discover', {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    });
    expect(asked.result!['supportedVersions']).toEqual(['2026-07-28']);
    const { result } = await server.request('initialize', INITIALIZE);
    expect(result!['protocolVersion']).toBe('2025-11-25');
    expect((await server.call('search', { query: 'lazy' })).structuredContent).toHaveProperty('hits');
  });
});

test('prompts are offered where their tools are', async () => {
  const server = await openServer({ vault, args: ['--read-only'] });
  const { result } = await server.request('prompts/list');
  expect(result!['prompts']).toMatchObject([{ name: 'recall' }]);
  for (const [params, message] of [
    [{ name: 'handoff' }, 'There is no prompt "handoff"'],
    [{ name: 'recall' }, 'recall needs topic: What to recall'],
    [{ name: 'recall', arguments: { topic: 'a', x: 'b' } }, 'recall has no argument "x"'],
  ] as const) {
    expect((await server.request('prompts/get', params)).error).toMatchObject({ code: -32602, message });
  }
});
