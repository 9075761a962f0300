/** Following for long: what stays in memory, and which watchers, after many edits. The hour of them is shortened here. */

import { mkdirSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { seededRandom } from '../random.js';
import { makeTempVault, type TempVault } from '../temp-vault.js';
import { follow } from './followed-vault.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const ROUNDS = process.env['CHECK_ALL'] ? 3_000 : 300;
const WARM_UP = 80;

const textOf = (at: number) => `# Note ${at % 7}\n\n${`words ${at % 11} here `.repeat(40)}\n`;

const usedBytes = () => {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

function randomEdit({ path }: TempVault, at: number, below: (limit: number) => number): void {
  const note = path(`d${below(5)}/n${below(10)}.md`);
  const kind = below(10);
  if (kind < 5) writeFileSync(note, textOf(at));
  else if (kind < 7) {
    writeFileSync(`${note}.tmp`, textOf(at));
    renameSync(`${note}.tmp`, note);
  } else if (kind < 8) {
    mkdirSync(path('new/deeper'), { recursive: true });
    writeFileSync(path('new/deeper/n.md'), textOf(at));
  } else if (kind < 9) rmSync(path('new'), { recursive: true, force: true });
  else {
    writeFileSync(path('short.md'), textOf(at));
    unlinkSync(path('short.md'));
  }
}

const watchers = () => process.getActiveResourcesInfo().filter((name) => /fsevent/i.test(name)).length;

test('neither memory nor watchers grow over random edits', async () => {
  const vault = makeTempVault(
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`d${at % 5}/n${at % 10}.md`, textOf(at)])),
  );
  const { memory, events } = await follow(vault.root);
  const { below } = seededRandom(1);
  let before = 0;
  for (let at = 0; at < ROUNDS; at += 1) {
    randomEdit(vault, at, below);
    await memory.search({ query: 'words here' });
    if (at === WARM_UP) before = usedBytes();
  }
  expect(events.length).toBeGreaterThan(ROUNDS / 3);
  (events as unknown[]).length = 0;
  expect(usedBytes() - before).toBeLessThan(2_000_000 + ROUNDS * 1_000);
  rmSync(vault.path('new'), { recursive: true, force: true });
  await memory.search({ query: 'words here' });
  // The vault itself and five folders.
  expect(watchers()).toBe(6);
}, 120_000);
