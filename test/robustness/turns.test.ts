/** Long work leaves turns for others: how often is counted, since how long depends on the machine. */

import { expect, onTestFinished, test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import { systemClock } from '../../src/app/system-clock.js';
import { runAll, type Steps, Turns } from '../../src/core/turns.js';
import { makeTempVault } from '../temp-vault.js';

/** A clock by which every stop is due. */
function hastyClock() {
  let ms = 0;
  let turns = 0;
  let atTurn: () => Promise<unknown> = async () => undefined;
  return {
    ...systemClock,
    elapsedMs: () => (ms += 1_000),
    giveTurn: async () => {
      turns += 1;
      await atTurn();
    },
    turns: () => turns,
    atEachTurn: (work: () => Promise<unknown>) => {
      atTurn = work;
    },
  };
}

function* threeSteps(): Steps<string> {
  yield;
  yield;
  return 'done';
}

test('Turns.take() gives a turn where the last is long ago, and none where it is not', async () => {
  const hasty = hastyClock();
  expect(await new Turns(hasty).take(threeSteps())).toBe('done');
  expect(hasty.turns()).toBe(3);
  const still = { elapsedMs: () => 0, giveTurn: () => Promise.reject(new Error('a turn')) };
  expect(await new Turns(still).take(threeSteps())).toBe('done');
  expect(runAll(threeSteps())).toBe('done');
});

/** Sections of about 400 characters, each with words of its own. */
function longNote(sections: number, word: string): string {
  const lines = (at: number) =>
    Array.from({ length: 5 }, (_, i) => `${word} stands beside place${at}x${i} in a line of some length`);
  return Array.from({ length: sections }, (_, at) => `## Part ${at}\n\n${lines(at).join('\n')}\n`).join('\n');
}

const SECTIONS = 2_000;

test('a long note is read and stored in many steps, and the old index answers meanwhile', async () => {
  const vault = makeTempVault({ 'long.md': longNote(SECTIONS, 'apple'), 'short.md': 'quince' });
  const clock = hastyClock();
  const memory = await openMemory(vault.root, { clock });
  const other = await openMemory(vault.root);
  onTestFinished(async () => {
    await memory.close();
    await other.close();
  });
  await memory.reindex({});
  const first = clock.turns();
  expect(first).toBeGreaterThan(SECTIONS / 128);

  const found = async (query: string) => {
    const { hits, notes } = await other.search({ query, freshness: 'never' });
    return `${query} in ${hits.length} of ${notes}`;
  };
  const seen = new Set<string>();
  clock.atEachTurn(async () => seen.add(`${await found('apple')}, ${await found('pear')}`));
  vault.write({ 'long.md': longNote(SECTIONS, 'pear') });
  await memory.reindex({});
  expect(clock.turns() - first).toBeGreaterThan(SECTIONS / 128);
  seen.add(`${await found('apple')}, ${await found('pear')}`);
  expect([...seen].sort()).toEqual(['apple in 0 of 2, pear in 1 of 2', 'apple in 1 of 2, pear in 0 of 2']);
});
