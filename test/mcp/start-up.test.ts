/** What a start of the server loads and keeps, so that the next one is quicker; and that it opens no index. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startModuleLog } from '../surfaces/module-log.js';
import { copyExampleVault, runMemory, sharedFolder, temporaryFolder } from '../surfaces/run-memory.js';
import { openServer } from './server.js';

const vault = copyExampleVault(sharedFolder());

/** Names of the compiled forms, without what changes with the build. */
const keptIn = (caches: string) =>
  readdirSync(join(caches, 'agent-memory')).map((name) => /^[a-z-]*[a-z]/.exec(name)![0]);

async function session(caches: string): Promise<unknown> {
  const server = await openServer({ vault, environment: { XDG_CACHE_HOME: caches } });
  const { result } = await server.request('tools/list');
  server.child.stdin!.end();
  expect(await server.ended).toBe(0);
  expect(server.stderr()).toBe('');
  return result;
}

test('the compiled forms of the SDK and of the program are kept, beside that of a search', async () => {
  const caches = temporaryFolder();
  const first = await session(caches);
  expect(keptIn(caches)).toEqual(['mcp-program', 'mcp-sdk']);
  expect(await session(caches)).toEqual(first);
  await runMemory(['search', 'lazy', '--vault', vault], { environment: { XDG_CACHE_HOME: caches } });
  expect(keptIn(caches)).toEqual(['mcp-program', 'mcp-sdk', 'program']);
});

test('the compiled forms are kept though the server is killed, once it has been started', async () => {
  const caches = temporaryFolder();
  const server = await openServer({ vault, environment: { XDG_CACHE_HOME: caches } });
  const isKept = () => existsSync(join(caches, 'agent-memory')) && keptIn(caches).includes('mcp-sdk');
  while (!isKept()) await new Promise((resolve) => setTimeout(resolve, 100));
  server.child.kill('SIGKILL');
  await server.ended;
  expect(keptIn(caches)).toEqual(['mcp-program', 'mcp-sdk']);
});

test('compiled forms that are damaged are made anew', async () => {
  const caches = temporaryFolder();
  const first = await session(caches);
  for (const name of readdirSync(join(caches, 'agent-memory'))) {
    const path = join(caches, 'agent-memory', name);
    const bytes = readFileSync(path);
    bytes[bytes.length / 4] ^= 1;
    writeFileSync(path, bytes);
  }
  expect(await session(caches)).toEqual(first);
});

test('handshake and listings make no index and load no operation', async () => {
  rmSync(join(vault, '.vectors'), { recursive: true, force: true });
  const log = startModuleLog('_load');
  const asked = () => log.asked().join('\n');
  const server = await openServer({ vault, environment: log.environment });
  for (const method of ['tools/list', 'prompts/list', 'resources/templates/list']) {
    expect((await server.request(method)).error).toBeUndefined();
  }
  expect(existsSync(join(vault, '.vectors'))).toBe(false);
  const loaded = asked();
  expect(loaded).toMatch(/serve-mcp/);
  expect(loaded).not.toMatch(/better_sqlite3|(?:^|\/)(?:show|edit|links)-/m);
  await server.call('show', { note: 'profile' });
  expect(asked()).toMatch(/better_sqlite3/);
});
