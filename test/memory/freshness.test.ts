import { rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { ageInWords, refreshBefore } from '../../src/core/memory/freshness.js';
import type { Places } from '../../src/core/memory/places.js';
import { makeTempVault } from '../temp-vault.js';
import { memoryOf } from './memory-of.js';

const MANY = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}.md`, `note ${n}`]));

/** Places whose vault counts how often it is walked through. */
async function countedPlaces(files: Readonly<Record<string, string>>) {
  const folder = makeTempVault(files);
  const vault = openVault(folder.root);
  const walks = { count: 0 };
  const counted = Object.assign(Object.create(vault) as typeof vault, {
    list: (options: Parameters<typeof vault.list>[0]) => {
      walks.count += 1;
      return vault.list(options);
    },
  });
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const places: Places = { vault: counted, index, clock: systemClock };
  return { places, walks, folder };
}

describe('refreshBefore()', () => {
  test('lets calls that come together share the building of the index and the check after it', async () => {
    const { places, walks } = await countedPlaces(MANY);
    const checked = await Promise.all(Array.from({ length: 50 }, () => refreshBefore(places, 'auto', {})));
    expect((await places.index.counts()).notes).toBe(300);
    expect(Math.min(...checked)).toBeGreaterThan(0);
    expect(walks.count).toBeLessThanOrEqual(4);
    await places.index.close();
  });

  test('joins no check that has begun: a note written before the call is in its answer', async () => {
    const { memory, vault } = await memoryOf(MANY);
    await memory.reindex({});
    for (let round = 0; round < 10; round += 1) {
      const before = memory.search({ query: 'note', freshness: 'always' });
      await new Promise((resolve) => setImmediate(resolve));
      vault.write({ [`new${round}.md`]: `quokka${round}` });
      const { hits } = await memory.search({ query: `quokka${round}`, freshness: 'always' });
      expect(hits.map(({ path }) => path)).toEqual([`new${round}.md`]);
      await before;
    }
  });

  test('goes on for those who wait with a caller that gives up', async () => {
    const { places } = await countedPlaces(MANY);
    const controller = new AbortController();
    const first = refreshBefore(places, 'auto', { signal: controller.signal });
    const second = refreshBefore(places, 'auto', {});
    controller.abort();
    await expect(first).rejects.toThrow();
    expect(await second).toBeGreaterThan(0);
    expect((await places.index.counts()).notes).toBe(300);
    await places.index.close();
  });

  test.each([
    [1, '1 file was skipped; `memory status` names it'],
    [2, '2 files were skipped; `memory status` names them'],
  ])('says once that %i could not be read', async (broken, sentence) => {
    const { memory, vault } = await memoryOf(MANY);
    for (let n = 0; n < broken; n += 1) symlinkSync('nowhere.md', vault.path(`broken${n}.md`));
    const said: string[] = [];
    const notice = (text: string) => said.push(text);
    await Promise.all(Array.from({ length: 5 }, () => memory.status({ notice })));
    expect(said).toEqual([sentence]);
  });

  test('leaves many changes to a reindex, and says so', async () => {
    const { memory, vault } = await memoryOf(MANY);
    await memory.reindex({});
    for (const path of Object.keys(MANY).slice(0, 250)) rmSync(vault.path(path));
    const said: string[] = [];
    const { hits } = await memory.search(
      { query: 'note', limit: 1000, full: true },
      { notice: (text) => said.push(text) },
    );
    expect(hits).toHaveLength(300);
    expect(said).toEqual([
      expect.stringMatching(
        /^250 notes changed since the index was last brought up to date \d+ seconds? ago; run `memory reindex`$/,
      ),
    ]);
  });
});

describe('ageInWords()', () => {
  test.each([
    [-5, '0 seconds'],
    [900, '1 second'],
    [45_000, '45 seconds'],
    [119_000, '119 seconds'],
    [150_000, '3 minutes'],
    [3 * 3_600_000, '3 hours'],
    [72 * 3_600_000, '3 days'],
  ])('%i ms are %s', (ms, words) => {
    expect(ageInWords(ms)).toBe(words);
  });
});
