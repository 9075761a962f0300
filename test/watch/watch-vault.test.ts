/** watchVault(): which events are signs, with one watcher for each folder and with one for all. */

import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { watchVault } from '../../src/adapters/vault-fs/watch-vault.js';
import { makeTempVault, type TempVault } from '../temp-vault.js';

const NOTES = {
  'a.md': 'apple',
  'sub/b.md': 'banana',
  '.memoryignore': 'private/\n',
  'private/sub/p.md': 'secret',
  '.git/objects/o.md': 'object',
  'log.txt': 'log',
};

/** The signs that an act gives within a moment. */
async function signsOf(platform: NodeJS.Platform, act: (vault: TempVault) => void): Promise<number> {
  const vault = makeTempVault(NOTES);
  const watch = await watchVault(vault.root, { poll: false, platform });
  onTestFinished(() => watch.close());
  await new Promise((resolve) => setTimeout(resolve, 150));
  watch.forget();
  act(vault);
  await new Promise((resolve) => setTimeout(resolve, 150));
  return watch.signs;
}

describe.each(['linux', 'darwin'] as const)('watchers as on %s', (platform) => {
  test.each<[string, (vault: TempVault) => void]>([
    ['a note is written', ({ path }) => appendFileSync(path('a.md'), '!')],
    ['a note below is written', ({ path }) => appendFileSync(path('sub/b.md'), '!')],
    ['a note is new', ({ write }) => write({ 'sub/c.md': '' })],
    ['a note is deleted', ({ path }) => rmSync(path('sub/b.md'))],
    ['a folder is new', ({ path }) => mkdirSync(path('new'))],
    ['a folder is renamed', ({ path }) => renameSync(path('sub'), path('bus'))],
    ['the rules change', ({ path }) => appendFileSync(path('.memoryignore'), 'x\n')],
  ])('%s: a sign', async (_, act) => {
    expect(await signsOf(platform, act)).toBeGreaterThan(0);
  });

  test.each<[string, (vault: TempVault) => void]>([
    ['an ignored note is written', ({ path }) => appendFileSync(path('private/sub/p.md'), '!')],
    ['git writes', ({ path }) => appendFileSync(path('.git/objects/o.md'), '!')],
    ['the index is written', ({ write }) => write({ '.vectors/memory-1.db': 'x' })],
    ['another file is written', ({ path }) => appendFileSync(path('log.txt'), '!')],
    ['an editor leaves its swap file', ({ write }) => write({ 'sub/.b.md.swp': 'x' })],
  ])('%s: none', async (_, act) => {
    expect(await signsOf(platform, act)).toBe(0);
  });
});

test('a folder that cannot be read does not end the watching of others', async () => {
  const vault = makeTempVault({ ...NOTES, 'locked/x.md': 'x' });
  chmodSync(vault.path('locked'), 0);
  onTestFinished(() => chmodSync(vault.path('locked'), 0o700));
  const watch = await watchVault(vault.root, { poll: false });
  onTestFinished(() => watch.close());
  expect(watch.blindness).toBeUndefined();
  writeFileSync(vault.path('sub/b.md'), '!');
  await watch.wait(2_000);
  expect(watch.signs).toBeGreaterThan(0);
});

describe('wait() ends', () => {
  test.each<[string, (watch: Awaited<ReturnType<typeof watchVault>>) => void]>([
    ['when it is woken', (watch) => watch.wake()],
    ['when it is closed', (watch) => watch.close()],
  ])('%s', async (_, end) => {
    const watch = await watchVault(makeTempVault(NOTES).root, { poll: true });
    const waited = watch.wait(1_000_000_000);
    end(watch);
    await waited;
    watch.close();
    await watch.wait(1_000_000_000);
  });
});
