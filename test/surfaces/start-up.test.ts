/** What a call loads, and the compiled form that is kept between calls. */

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startModuleLog } from './module-log.js';
import { copyExampleVault, runMemory, sharedFolder, temporaryFolder } from './run-memory.js';

const vault = copyExampleVault(sharedFolder());

function search(environment: Readonly<Record<string, string>>) {
  return runMemory(['search', 'lazy', 'model', '--vault', vault], { environment });
}

describe('the compiled form', () => {
  function makeCaches() {
    const caches = temporaryFolder();
    const folder = join(caches, 'agent-memory');
    const only = () => {
      const names = readdirSync(folder);
      expect(names).toHaveLength(1);
      return join(folder, names[0]!);
    };
    return { environment: { XDG_CACHE_HOME: caches }, folder, only };
  }

  test('is made by the first search, grows with the next few, and is read by every command', async () => {
    const { environment, only } = makeCaches();
    const first = await search(environment);
    const { mode } = statSync(only());
    expect(mode & 0o777).toBe(0o600);
    for (let run = 2; run <= 4; run += 1) await search(environment);
    const { mtimeMs } = statSync(only());
    const fifth = await search(environment);
    expect(statSync(only()).mtimeMs).toBe(mtimeMs);
    expect(firstLine(fifth.stdout)).toBe(firstLine(first.stdout));
    expect((await runMemory(['status', '--vault', vault], { environment })).code).toBe(0);
  });

  test('grows with a search that needs what none before did', async () => {
    const { environment, only } = makeCaches();
    for (let run = 1; run <= 4; run += 1) await search(environment);
    const size = () => statSync(only()).size;
    const whole = size();
    const name = ['search', 'getUserById', '--vault', vault];
    await runMemory(name, { environment });
    expect(size()).toBeGreaterThan(whole);
    await runMemory(name, { environment });
    const { mtimeMs } = statSync(only());
    await runMemory(name, { environment });
    expect(statSync(only()).mtimeMs).toBe(mtimeMs);
  });

  test('grows with the first runs of another kind, though they need no piece that those before did not', async () => {
    const { environment, only } = makeCaches();
    const own = copyExampleVault(temporaryFolder());
    const reindex = () => runMemory(['reindex', '--vault', own], { environment });
    for (let run = 1; run <= 4; run += 1) {
      rmSync(join(own, '.vectors'), { recursive: true, force: true });
      await reindex();
    }
    const times = new Set([statSync(only()).mtimeMs]);
    // Until no note is young any more.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    for (let run = 1; run <= 5; run += 1) {
      await reindex();
      times.add(statSync(only()).mtimeMs);
    }
    // The first of these takes in that no note is young; the others find nothing changed.
    expect(times.size).toBeGreaterThanOrEqual(3);
    const { mtimeMs } = statSync(only());
    await reindex();
    expect(statSync(only()).mtimeMs).toBe(mtimeMs);
  });

  test.each([
    [
      'with a flipped bit',
      (bytes: Buffer) => Buffer.concat([flip(bytes.subarray(0, 5_000)), bytes.subarray(5_000)]),
    ],
    ['that is cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 4_096)],
    ['that is empty', () => Buffer.alloc(0)],
    ['of something else', () => Buffer.from('abcabc')],
  ])('%s is not used, and is made anew', async (_, damage) => {
    const { environment, only } = makeCaches();
    await search(environment);
    const place = only();
    const good = readFileSync(place);
    const bad = damage(good);
    writeFileSync(place, bad);
    expect(await search(environment)).toMatchObject({ code: 0, stderr: '' });
    const bytes = readFileSync(place);
    expect(bytes.equals(bad)).toBe(false);
    expect(bytes.subarray(0, bytes.length / 2).equals(bytes.subarray(bytes.length / 2))).toBe(true);
  });

  test('is done without where it cannot be kept, or is not wanted', async () => {
    const blocked = join(temporaryFolder(), 'file');
    writeFileSync(blocked, '');
    expect(await search({ XDG_CACHE_HOME: blocked })).toMatchObject({ code: 0, stderr: '' });
    const { environment, folder } = makeCaches();
    mkdirSync(folder);
    await search({ ...environment, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('of four versions at most is kept', async () => {
    const { environment, folder } = makeCaches();
    mkdirSync(folder);
    for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(join(folder, `program-${name}`), '');
    writeFileSync(join(folder, 'other'), '');
    await search(environment);
    expect(readdirSync(folder).filter((name) => name.startsWith('program-'))).toHaveLength(4);
    expect(readdirSync(folder)).toContain('other');
  });
});

function flip(bytes: Buffer): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[4_000]! ^= 1;
  return flipped;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}

test('a search loads none of what takes Node milliseconds to load', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'loaded.txt');
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `const before = new Set(process.moduleLoadList);
process.on('exit', () => {
  const loaded = process.moduleLoadList.filter((name) => !before.has(name));
  require('node:fs').writeFileSync(${JSON.stringify(log)}, loaded.join('\\n'));
});`,
  );
  await runMemory(['reindex', '--vault', vault]);
  const args = ['search', 'lazy', 'model', '--no-refresh', '--vault', vault];
  const { code } = await runMemory(args, { environment: { NODE_OPTIONS: `--require ${hook}` } });
  expect(code).toBe(0);
  const loaded = readFileSync(log, 'utf8').split('\n');
  expect(loaded).toContain('NativeModule vm');
  const slow = ['crypto', 'module', 'net', 'os', 'perf_hooks', 'readline', 'stream', 'tty', 'url', 'zlib'];
  expect(loaded.filter((name) => slow.includes(name.replace('NativeModule ', '')))).toEqual([]);
});

test('a search where nothing has changed loads no piece beside main.cjs', async () => {
  const log = startModuleLog('_load');
  // Notes that changed within two seconds are looked at again, which is more than a search of an unchanged vault does.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  await runMemory(['reindex', '--vault', vault]);
  for (const freshness of ['--no-refresh', '--refresh']) {
    const args = ['search', 'lazy', 'model', freshness, '--vault', vault];
    const { code } = await runMemory(args, { environment: log.environment });
    expect(code).toBe(0);
  }
  const pieces = log.asked().filter((path) => /program\/|\.cjs$/.test(path) && path !== log.hook);
  expect(pieces).toEqual([]);
});
