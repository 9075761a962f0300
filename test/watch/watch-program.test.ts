/** `memory watch` and `memory mcp --watch` as processes: what they say, how they end, and what others find meanwhile. */

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startServer } from '../mcp/server.js';
import { runMemory } from '../surfaces/run-memory.js';
import { makeTempVault } from '../temp-vault.js';
import { startWatching } from './watch-process.js';

const NOTES = { 'a.md': '# Apple\n\nAn apple a day.\n', 'sub/b.md': '# Banana\n' };

test('says in a line what changed, and others find it without looking', async () => {
  const vault = makeTempVault(NOTES);
  const watching = startWatching(vault.root);
  await watching.until('2 indexed: 2 notes');
  writeFileSync(vault.path('sub/b.md'), 'quince');
  await watching.until('1 indexed: 2 notes');
  const found = await runMemory(['search', 'quince', '--no-refresh', '--vault', vault.root]);
  expect(found.stdout).toContain('sub/b.md');
  rmSync(vault.path('a.md'));
  await watching.until('1 removed: 1 note');
  expect(watching.stdout()).toMatch(/^(\d\d:\d\d:\d\d {2}\d \w+: \d notes?, \d+ ms\n){3}$/);
  expect(watching.stderr()).toBe('');
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('ends it with 0, and leaves an index that is whole', async () => {
    const vault = makeTempVault(NOTES);
    const watching = startWatching(vault.root);
    await watching.until('2 notes');
    writeFileSync(vault.path('a.md'), 'quince');
    watching.child.kill(signal);
    expect(await watching.ended).toEqual({ code: 0, signal: null });
    expect(watching.stderr()).toBe('');
    expect((await runMemory(['search', 'quince', '--vault', vault.root])).stdout).toContain('a.md');
  });

  test('while it indexes lets it finish', async () => {
    const vault = makeTempVault(
      Object.fromEntries(
        Array.from({ length: 3_000 }, (_, at) => [`n${at}.md`, `${'words '.repeat(200)}${at}`]),
      ),
    );
    const watching = startWatching(vault.root);
    for (let tries = 0; !readdirSync(vault.root).includes('.vectors') && tries < 200; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    watching.child.kill(signal);
    expect(await watching.ended).toEqual({ code: 0, signal: null });
    expect(watching.stdout()).toContain('3000 indexed: 3,000 notes');
    expect(readdirSync(vault.path('.vectors')).filter((name) => name.includes('.new-'))).toEqual([]);
  });
});

test('--quiet says nothing', async () => {
  const vault = makeTempVault(NOTES);
  const watching = startWatching(vault.root, { args: ['--quiet'] });
  writeFileSync(vault.path('a.md'), 'quince');
  for (let tries = 0; tries < 100; tries += 1) {
    const found = await runMemory(['search', 'quince', '--no-refresh', '--vault', vault.root]);
    if (found.stdout.includes('a.md')) break;
  }
  watching.child.kill('SIGTERM');
  await watching.ended;
  expect(watching.stdout() + watching.stderr()).toBe('');
});

test('--json gives an object a line', async () => {
  const vault = makeTempVault(NOTES);
  const watching = startWatching(vault.root, { args: ['--json', '--poll'] });
  await watching.until('"looked"');
  renameSync(vault.root, `${vault.root}-away`);
  await watching.until('"waiting"');
  renameSync(`${vault.root}-away`, vault.root);
  await watching.until('"back"');
  watching.child.kill('SIGTERM');
  await watching.ended;
  const events = watching
    .stdout()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ kind }) => kind)).toEqual(['polling', 'looked', 'waiting', 'back']);
  expect(events[1]).toMatchObject({ indexed: 2, moved: 0, removed: 0, notes: 2, skipped: 0 });
  expect(events.every(({ at }) => new Date(at).toISOString() === at)).toBe(true);
});

test('whose reader has gone ends by itself', async () => {
  const vault = makeTempVault(NOTES);
  const watching = startWatching(vault.root);
  await watching.until('2 notes');
  watching.child.stdout!.destroy();
  for (let at = 0; at < 3; at += 1) {
    writeFileSync(vault.path('a.md'), `quince ${at}`);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  expect(await watching.ended).toEqual({ code: 0, signal: null });
});

test('without a vault it ends with 3', async () => {
  const { code, stderr } = await runMemory(['watch', '--vault', '/nowhere/at/all']);
  expect(code).toBe(3);
  expect(stderr).toContain('does not exist');
});

/** A namespace of its own, in which the limit holds for the test alone. */
const UNSHARE = ['unshare', '-Ur', 'sh', '-c'] as const;
const canLimit =
  spawnSync(UNSHARE[0], [...UNSHARE.slice(1), 'echo 4 > /proc/sys/user/max_inotify_watches']).status === 0;
if (!canLimit) process.stderr.write('limits of watchers: this system does not let a test set them\n');

describe.skipIf(!canLimit)('where the system allows no more watchers', () => {
  test.each([
    ['max_inotify_watches', 4, 'watched folders'],
    ['max_inotify_instances', 0, 'watchers'],
  ])('%s: changes are found by looking, which is said once', async (limit, most, words) => {
    const vault = makeTempVault(
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`d${at}/n.md`, `note ${at}`])),
    );
    const script = `echo ${most} > /proc/sys/user/${limit}; exec "$@"`;
    const watching = startWatching(vault.root, { before: [...UNSHARE, script, 'sh'] });
    await watching.until('20 notes');
    writeFileSync(vault.path('d19/n.md'), 'quince');
    await watching.until('1 indexed');
    writeFileSync(vault.path('d3/n.md'), 'medlar');
    await watching.until(/1 indexed[\s\S]*1 indexed/);
    expect(watching.stderr()).toBe(
      `looking for changes every few seconds, as the system's limit of ${words} is reached\n`,
    );
  });
});

describe('memory mcp --watch', () => {
  test('answers with what was written just before, and keeps the index fresh for others', async () => {
    const vault = makeTempVault(NOTES);
    await runMemory(['reindex', '--vault', vault.root]);
    const server = startServer({ vault: vault.root, args: ['--watch'] });
    await server.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    server.notify('notifications/initialized');
    for (let at = 0; at < 10; at += 1) {
      writeFileSync(vault.path('sub/b.md'), `quince${at}`);
      const reply = await server.call('search', { query: `quince${at}` });
      expect(reply.content[0]!.text).toContain('sub/b.md');
    }
    writeFileSync(vault.path('a.md'), 'medlar');
    let found = '';
    for (let tries = 0; tries < 100 && !found.includes('a.md'); tries += 1) {
      found = (await runMemory(['search', 'medlar', '--no-refresh', '--vault', vault.root])).stdout;
    }
    expect(found).toContain('a.md');
    server.child.stdin!.end();
    expect(await server.ended).toBe(0);
  });

  test('follows before anything is asked', async () => {
    const vault = makeTempVault(NOTES);
    const server = startServer({ vault: vault.root, args: ['--watch'] });
    let found = '';
    for (let tries = 0; tries < 100 && !found.includes('a.md'); tries += 1) {
      found = execFileSync('ls', ['-a', vault.root]).toString().includes('.vectors')
        ? (await runMemory(['search', 'apple', '--no-refresh', '--vault', vault.root])).stdout
        : '';
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(found).toContain('a.md');
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});
