/** Several programs on one vault, programs that are stopped, and disks that give up. */

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { systemClock } from '../../src/app/system-clock.js';
import { bin, quietEnvironment, runMemory, temporaryFolder } from '../surfaces/run-memory.js';
import { makeTempVault } from '../temp-vault.js';

const manyNotes = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `n${at}.md`,
      `# Note ${at}\n\n${`word${at} shared text `.repeat(30)}`,
    ]),
  );

test('eight processes open a fresh vault at once and all answer', async () => {
  const vault = makeTempVault(manyNotes(60));
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => runMemory(['search', `word${at}`, '--json', '--vault', vault.root])),
  );
  for (const [at, { code, stdout, stderr }] of answers.entries()) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const answer = JSON.parse(stdout);
    expect(answer.notes).toBe(60);
    expect(answer.hits[0].path).toBe(`n${at}.md`);
  }
  expect(readdirSync(vault.path('.vectors')).filter((name) => name.includes('.new-'))).toEqual([]);
});

test('searches beside a reindex are answered, always from a whole index', async () => {
  const vault = makeTempVault(manyNotes(80));
  await runMemory(['reindex', '--vault', vault.root]);
  const rounds = process.env['CHECK_ALL'] ? 60 : 6;
  for (let round = 0; round < rounds; round += 1) {
    vault.write(
      Object.fromEntries(
        Object.entries(manyNotes(80)).map(([path, text]) => [path, `${text} round${round}`]),
      ),
    );
    const [reindexed, ...searched] = await Promise.all([
      runMemory(['reindex', '--json', '--vault', vault.root]),
      runMemory(['search', 'word7', '--json', '--vault', vault.root]),
      runMemory(['search', 'word8', '--no-refresh', '--json', '--vault', vault.root]),
    ]);
    expect(reindexed.code).toBe(0);
    for (const { code, stdout } of searched) {
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ notes: 80 });
      expect(JSON.parse(stdout).hits[0].path).toMatch(/^n[78]\.md$/);
    }
  }
});

test('--no-wait says who holds the index', async () => {
  const vault = makeTempVault({ 'a.md': 'apple' });
  await runMemory(['reindex', '--vault', vault.root]);
  const index = await openSqliteIndex({ folder: vault.path('.vectors'), clock: systemClock });
  const writing = await index.startWriting({ wait: true });
  const rebuild = await writing!.startRebuild();
  vault.write({ 'b.md': 'banana' });
  const refused = await runMemory(['reindex', '--no-wait', '--vault', vault.root]);
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain(`process ${process.pid}`);
  const searched = await runMemory(['search', 'apple', '--vault', vault.root]);
  expect(searched.code).toBe(0);
  expect(searched.stderr).toContain('another process is indexing');
  expect(await index.lockHolder()).toMatchObject({ pid: process.pid });
  const status = await runMemory(['status', '--vault', vault.root]);
  expect(status.stdout).toMatch(new RegExp(`^written {3}by process ${process.pid} on \\S+ just now$`, 'm'));
  await rebuild.abandon();
  await writing!.end();
  expect(await index.lockHolder()).toBeUndefined();
  await index.close();
  expect((await runMemory(['reindex', '--no-wait', '--vault', vault.root])).code).toBe(0);
});

describe.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('a reindex stopped by %s', (signal) => {
  test('leaves an index that answers, and the next run completes it', async () => {
    const vault = makeTempVault(manyNotes(400));
    const child = spawn(process.execPath, [bin, 'reindex', '--vault', vault.root], {
      env: quietEnvironment(),
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    setTimeout(() => child.kill(signal), 180);
    await ended;
    const searched = await runMemory(['search', 'word123', '--json', '--vault', vault.root]);
    expect(searched.code).toBe(0);
    expect(JSON.parse(searched.stdout).hits[0].path).toBe('n123.md');
    const reindexed = await runMemory(['reindex', '--json', '--vault', vault.root]);
    expect(JSON.parse(reindexed.stdout)).toMatchObject({ skipped: [] });
    const status = await runMemory(['status', '--json', '--vault', vault.root]);
    expect(JSON.parse(status.stdout).notes).toBe(400);
  });
});

test('generations of other schemas lie side by side, and go when nobody used them for a week', async () => {
  const vault = makeTempVault({ 'a.md': 'apple' });
  mkdirSync(vault.path('.vectors'));
  writeFileSync(vault.path('.vectors/memory-0.db'), 'old');
  writeFileSync(vault.path('.vectors/memory-999.db'), 'new');
  execFileSync('touch', ['-d', '8 days ago', vault.path('.vectors/memory-0.db')]);
  expect((await runMemory(['search', 'apple', '--json', '--vault', vault.root])).code).toBe(0);
  const doctor = await runMemory(['doctor', '--json', '--vault', vault.root]);
  expect(JSON.parse(doctor.stdout).index).toMatchObject({ orphans: ['memory-999.db'], lockedBy: '' });
  const status = await runMemory(['status', '--vault', vault.root]);
  expect(status.stdout).toContain('\nbeside    1 file of the index may be deleted: memory-999.db');
  expect(existsSync(vault.path('.vectors/memory-999.db'))).toBe(true);
  expect(existsSync(vault.path('.vectors/memory-0.db'))).toBe(false);
});

describe('disks', () => {
  test('an index folder that cannot be made falls back to the cache folder, and says so', async () => {
    const vault = makeTempVault({ 'a.md': 'apple', '.vectors': 'a file is in the way' });
    const cache = temporaryFolder();
    const { code, stdout, stderr } = await runMemory(['search', 'apple', '--json', '--vault', vault.root], {
      environment: { XDG_CACHE_HOME: cache },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hits).toHaveLength(1);
    expect(stderr).toContain(cache);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('without any place to write the index is kept in memory, and that is said', async () => {
    const vault = makeTempVault({ 'a.md': 'apple', '.vectors': '', cache: '' });
    const { code, stdout, stderr } = await runMemory(['search', 'apple', '--json', '--vault', vault.root], {
      environment: { XDG_CACHE_HOME: vault.path('cache') },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hits).toHaveLength(1);
    expect(stderr).toContain('kept in memory');
  });

  test('AGENT_MEMORY_INDEX_DIR keeps a folder for each vault', async () => {
    const [one, other] = [makeTempVault({ 'a.md': 'apple' }), makeTempVault({ 'a.md': 'banana' })];
    const folder = temporaryFolder();
    const environment = { AGENT_MEMORY_INDEX_DIR: folder };
    for (const vault of [one, other]) {
      expect((await runMemory(['reindex', '--vault', vault.root], { environment })).code).toBe(0);
      expect(existsSync(vault.path('.vectors'))).toBe(false);
    }
    expect(readdirSync(folder)).toHaveLength(2);
    const { stdout } = await runMemory(['search', 'banana', '--json', '--vault', other.root], {
      environment,
    });
    expect(JSON.parse(stdout).hits).toHaveLength(1);
  });

  test('an unmounted vault is refused, not taken for empty', async () => {
    const vault = makeTempVault({ 'a.md': 'apple' });
    const environment = { AGENT_MEMORY_INDEX_DIR: temporaryFolder() };
    expect((await runMemory(['reindex', '--vault', vault.root], { environment })).code).toBe(0);
    rmSync(vault.path('a.md'));
    const emptied = await runMemory(['search', 'apple', '--refresh', '--vault', vault.root], { environment });
    expect(emptied).toMatchObject({ code: 5 });
    expect(emptied.stderr).toContain('is empty, but 1 note is indexed');
    rmSync(vault.root, { recursive: true });
    expect((await runMemory(['search', 'apple', '--vault', vault.root], { environment })).code).toBe(3);
    vault.write({ 'a.md': 'apple' });
    const back = await runMemory(['search', 'apple', '--json', '--vault', vault.root], { environment });
    expect(JSON.parse(back.stdout).hits).toHaveLength(1);
  });

  const canMount = (() => {
    try {
      const folder = '/tmp/memory-mount-trial';
      mkdirSync(folder, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder], { stdio: 'ignore' });
      execFileSync('umount', [folder]);
      return true;
    } catch {
      return false;
    }
  })();

  test.skipIf(!canMount)(
    canMount
      ? 'a full disk is told, and the old index answers'
      : 'skipped: a small disk cannot be mounted here',
    async () => {
      const vault = makeTempVault(manyNotes(20));
      const disk = temporaryFolder();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
      onTestFinished(() => {
        execFileSync('umount', [disk]);
      });
      const environment = { AGENT_MEMORY_INDEX_DIR: disk };
      expect((await runMemory(['reindex', '--vault', vault.root], { environment })).code).toBe(0);
      vault.write(manyNotes(1_500));
      const full = await runMemory(['reindex', '--vault', vault.root], { environment });
      expect(full).toMatchObject({ code: 5, stdout: '' });
      expect(full.stderr).toContain('disk is full');
      const searched = await runMemory(['search', 'word7', '--no-refresh', '--json', '--vault', vault.root], {
        environment,
      });
      expect(searched.code).toBe(0);
      expect(JSON.parse(searched.stdout)).toMatchObject({ notes: 20 });
      expect(readdirSync(join(disk, readdirSync(disk)[0]!)).filter((name) => name.includes('.new-'))).toEqual(
        [],
      );
    },
  );
});
