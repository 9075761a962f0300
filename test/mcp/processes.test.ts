/** The server as a process: how it ends, what it survives, and many calls and servers at once. */

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  bin,
  copyExampleVault,
  quietEnvironment,
  runMemory,
  sharedFolder,
  temporaryFolder,
} from '../surfaces/run-memory.js';
import { INITIALIZE, openServer, type Server, startServer, textOf } from './server.js';

const shared = copyExampleVault(sharedFolder());

function makeVault(notes: number): string {
  const vault = join(temporaryFolder(), 'vault');
  mkdirSync(join(vault, '.vectors'), { recursive: true });
  for (let at = 0; at < notes; at += 1)
    writeFileSync(join(vault, `note ${at}.md`), `# Note ${at}\n\nword${at}\n`);
  return vault;
}

const lines = (vault: string, path: string) => readFileSync(join(vault, path), 'utf8').split('\n');

describe('the server ends', () => {
  test('with 0 when its client closes stdin, before and after the handshake, and answers what is in flight', async () => {
    const silent = startServer({ vault: shared });
    silent.child.stdin!.end();
    expect(await silent.ended).toBe(0);
    const asked = await openServer({ vault: shared });
    const id = asked.send('tools/call', { name: 'search', arguments: { query: 'lazy' } });
    asked.child.stdin!.end();
    expect(await asked.ended).toBe(0);
    expect(await asked.answer(id)).toHaveProperty('result.structuredContent.hits');
  });

  test('after it has answered what was written in one piece', async () => {
    const lines = [
      { id: 1, method: 'initialize', params: INITIALIZE },
      { method: 'notifications/initialized' },
      ...[2, 3, 4].map((id) => ({
        id,
        method: 'tools/call',
        params: { name: 'show', arguments: { note: 'profile' } },
      })),
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const { code, stdout } = await runMemory(['mcp', '--vault', shared], { stdin: lines.join('') });
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect({ code, ids: ids.sort() }).toEqual({ code: 0, ids: [1, 2, 3, 4] });
  });

  test('when its client is gone and stdin stays open', async () => {
    // The other end of stdin is with a process that does nothing, as with a child that the client has left behind.
    const script = 'exec 3< <(echo "$1"; exec sleep 600); shift; "$@" <&3 & read -r -t 1 _ <> <(:); exit 0';
    const first = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
    const command = [process.execPath, bin, 'mcp', '--vault', shared];
    const child = spawn('bash', ['-c', script, 'bash', first, ...command], {
      env: quietEnvironment(),
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'));
    // Closed when the last process that has it is gone, which is the server.
    const closed = new Promise((resolve) => child.on('close', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await closed;
  });

  test.each([
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const)('on %s with %i, after the write in hand', async (signal, code) => {
    const vault = makeVault(1);
    const server = await openServer({ vault });
    await server.call('edit', { note: 'note 0.md', append: 'first' });
    const ids = [1, 2, 3, 4, 5].map((at) =>
      server.send('tools/call', { name: 'edit', arguments: { note: 'note 0.md', append: `line ${at}` } }),
    );
    await server.answer(ids[0]!);
    server.child.kill(signal);
    expect(await server.ended).toBe(code);
    const done = server.messages.filter(
      ({ id, result }) => ids.includes(Number(id)) && result?.['isError'] !== true,
    );
    const written = lines(vault, 'note 0.md').filter((line) => line.startsWith('line '));
    expect(written.length).toBe(done.length);
    expect(readdirSync(vault).filter((name) => !name.startsWith('.'))).toEqual(['note 0.md']);
  });

  test('quietly when nobody reads its answers', async () => {
    const server = startServer({ vault: shared });
    server.child.stdout!.destroy();
    for (let at = 0; at < 50; at += 1) server.send('initialize', INITIALIZE);
    expect(await server.ended).toBe(0);
    expect(server.stderr()).toBe('');
  });
});

describe('the server goes on', () => {
  test('when its client pauses within a message', async () => {
    const server = await openServer({ vault: shared });
    server.child.stdin!.write('{"jsonrpc":"2.0","id":1,"meth');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    server.child.stdin!.write('od":"ping"}\n');
    expect((await server.answer(1)).result).toEqual({});
  });

  test('with nothing but messages on stdout, whatever a library prints', async () => {
    const hook = join(temporaryFolder(), 'noise.cjs');
    writeFileSync(
      hook,
      `setInterval(() => { console.log('noise'); process.stdout.write('more') }, 2).unref();`,
    );
    const server = await openServer({ vault: shared, environment: { NODE_OPTIONS: `--require ${hook}` } });
    // Each line that comes is parsed.
    for (let at = 0; at < 20; at += 1) await server.call('search', { query: 'lazy' });
    expect(server.stderr()).toContain('noise');
  });

  test('with its other calls while the index is brought up to date', async () => {
    const vault = makeVault(1_500);
    expect((await runMemory(['reindex', '--vault', vault])).code).toBe(0);
    const server = await openServer({ vault, args: ['--tools', 'all'] });
    await server.call('search', { query: 'word7', refresh: false });
    const reindex = server.send('tools/call', { name: 'reindex', arguments: { verify: true } });
    const cheap = [
      server.send('ping'),
      server.send('tools/list'),
      server.send('tools/call', { name: 'search', arguments: { query: 'word7', refresh: false } }),
    ];
    await server.answer(reindex);
    const order = server.messages.map(({ id }) => id);
    for (const id of cheap) expect(order.indexOf(id)).toBeLessThan(order.indexOf(reindex));
    expect(order.indexOf(cheap[2]!)).toBeGreaterThan(0);
  });
});

describe('a long call', () => {
  async function startReindex(server: Server, progressToken: string): Promise<number> {
    const id = server.send('tools/call', {
      name: 'reindex',
      arguments: { verify: true },
      _meta: { progressToken },
    });
    await server.until(
      ({ method, params }) =>
        method === 'notifications/progress' && params!['progressToken'] === progressToken,
    );
    return id;
  }

  test('tells how far it is, and is given up when it is cancelled', async () => {
    const vault = makeVault(1_500);
    const server = await openServer({ vault, args: ['--tools', 'all'] });
    const cancelled = await startReindex(server, 'one');
    server.notify('notifications/cancelled', { requestId: cancelled, reason: 'test' });
    const finished = await startReindex(server, 'two');
    expect((await server.answer(finished)).result).toHaveProperty('structuredContent.skipped', []);
    expect(server.messages.some(({ id }) => id === cancelled)).toBe(false);
    const told = server.messages.filter(({ params }) => params?.['progressToken'] === 'two');
    const progress = told.map(({ params }) => Number(params!['progress']));
    expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b));
    for (const { params } of told)
      expect(params!['total']).toBeGreaterThanOrEqual(Number(params!['progress']));
  });
});

test('twenty calls at once have twenty right answers', async () => {
  const vault = makeVault(40);
  const server = await openServer({ vault });
  const numbers = Array.from({ length: 20 }, (_, at) => at + 10);
  const replies = await Promise.all(
    numbers.map((at) =>
      at % 2 === 0
        ? server.call('search', { query: `word${at}`, limit: 1 })
        : server.call('show', { note: `note ${at}` }),
    ),
  );
  expect(replies.map((reply) => /note (\d+)\.md/.exec(textOf(reply))?.[1])).toEqual(numbers.map(String));
});

const WRITES = process.env['CHECK_ALL'] ? 500 : 50;

test(`two servers with ${WRITES} writes each on one vault keep them all`, { timeout: 300_000 }, async () => {
  const vault = makeVault(5);
  const servers = await Promise.all([openServer({ vault }), openServer({ vault })]);
  const outcomes = await Promise.all(
    servers.flatMap((server, one) =>
      Array.from({ length: WRITES }, (_, at) =>
        server.call('edit', { note: `note ${at % 5}.md`, append: `server ${one} write ${at}` }),
      ),
    ),
  );
  expect(outcomes.filter(({ isError }) => isError).map(textOf)).toEqual([]);
  const written = [0, 1, 2, 3, 4].flatMap((at) => lines(vault, `note ${at}.md`));
  const kept = written.filter((line) => line.startsWith('server '));
  expect(new Set(kept).size).toBe(2 * WRITES);
  expect(kept).toHaveLength(2 * WRITES);
});
