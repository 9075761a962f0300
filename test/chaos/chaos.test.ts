import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareIndexFolder } from '../../src/adapters/index-sqlite/index-folder.js';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { openMemory } from '../../src/app/open-memory.js';
import { systemClock } from '../../src/app/system-clock.js';
import { reindex } from '../../src/core/memory/reindex.js';
import { dumpIndex } from '../index-dump.js';
import { type Random, seededRandom } from '../random.js';
import { makeTempVault } from '../temp-vault.js';
import { CHAOS_TERMS, ChaosVault } from './chaos-vault.js';
import { DAMAGES } from './damage.js';

const ROUNDS = Number(process.env['CHAOS_ROUNDS'] ?? (process.env['CHECK_ALL'] ? 300 : 30));
const SEED = Number(process.env['CHAOS_SEED'] ?? 20_261_129);

async function dumpOf(folder: string, when: string): Promise<unknown> {
  const index = await openSqliteIndex({ folder, clock: systemClock });
  try {
    expect(await index.state(), when).toBe('ready');
    return await dumpIndex(index, CHAOS_TERMS);
  } finally {
    await index.close();
  }
}

async function freshDump(root: string): Promise<unknown> {
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  await reindex({ vault: openVault(root), index, clock: systemClock }, {});
  const dump = await dumpIndex(index, CHAOS_TERMS);
  await index.close();
  return dump;
}

/** A reindex in a process of its own, killed at a random moment or left to end. */
async function reindexAndKill(root: string, random: Random): Promise<void> {
  const child = spawn(process.execPath, ['bin/memory.js', 'reindex', '--vault', root], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const killer = setTimeout(() => child.kill('SIGKILL'), 40 + random.below(220));
  await ended;
  clearTimeout(killer);
}

test(`after each of ${ROUNDS} rounds of edits, kills and damage (seed ${SEED}) every answer is that of a new index`, {
  timeout: ROUNDS * 4_000,
}, async () => {
  const random = seededRandom(SEED);
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'chaos-')));
  const folder = join(root, '.vectors');
  const vault = new ChaosVault(root, random);
  const done: string[] = [];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let changes = random.below(12); changes > 0; changes -= 1) vault.change();
      if (random.chance(0.5)) {
        await reindexAndKill(root, random);
        done.push('kill');
      }
      if (random.chance(0.6)) {
        const name = random.pick(Object.keys(DAMAGES));
        DAMAGES[name]!(folder, random);
        done.push(name);
      }
      for (let changes = random.below(4); changes > 0; changes -= 1) vault.change();
      prepareIndexFolder(folder);
      const notices: string[] = [];
      const memory = await openMemory(root);
      if (random.chance(0.5)) {
        const found = await memory.search(
          { query: 'alpha walking' },
          { notice: (text) => notices.push(text) },
        );
        expect(found.notes, `round ${round}: ${done.slice(-4)}`).toBeGreaterThan(0);
      }
      await memory.reindex({}, {});
      await memory.close();
      const when = `round ${round}: ${done.slice(-4).join(', ')}`;
      expect(await dumpOf(folder, when), when).toEqual(await freshDump(root));
    }
    expect(new Set(done).size).toBeGreaterThan(Math.min(10, ROUNDS / 4));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('an index that nothing touched is never built anew', async () => {
  const vault = makeTempVault({ 'a.md': 'alpha', 'b.md': 'beta' });
  const command = (...words: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, ['bin/memory.js', ...words, '--json', '--vault', vault.root], {
        encoding: 'utf8',
      }),
    );
  expect(command('reindex')).toMatchObject({ indexed: 2 });
  for (let round = 0; round < 4; round += 1) {
    vault.write({ 'b.md': `beta ${round}` });
    expect(command('search', 'beta').hits).toHaveLength(1);
    expect(command('search', 'alpha', '--no-refresh').hits).toHaveLength(1);
    expect(command('reindex')).toMatchObject({ indexed: 0, unchanged: 2 });
  }
});
