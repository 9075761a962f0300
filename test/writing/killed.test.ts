/** Writers that are killed at any moment: every note is its old or its new version, and every link leads where it led. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import { seededRandom } from '../random.js';
import { notePaths } from '../shared-vaults.js';
import { makeTempVault, type TempVault } from '../temp-vault.js';
import { buildWorker, ended, startWorker } from './run-worker.js';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? (process.env['CHECK_ALL'] ? 1_000 : 25));
const SEED = Number(process.env['KILL_SEED'] ?? 20_261_201);
const NOTES = 12;

/** Each note links to five others, each time in another form. */
function firstNotes(): Record<string, string> {
  const name = (i: number) => `n${(i + NOTES) % NOTES}`;
  return Object.fromEntries(
    Array.from({ length: NOTES }, (_, i) => [
      `${name(i)}.md`,
      [
        '---',
        `near: "[[${name(i + 1)}]]"`,
        '---',
        `# Note ${i}`,
        '',
        `wiki [[${name(i + 2)}|shown]] embed ![[${name(i + 3)}#Note]]`,
        `plain [text](${name(i + 4)}.md) reference [text][r]`,
        '',
        `[r]: <${name(i + 5)}.md> "title"`,
        '',
        '',
      ].join('\n'),
    ]),
  );
}

/** Where the notes lie now, by their number. */
function whereabouts(vault: TempVault): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const path of notePaths(vault.root).filter((path) => !path.startsWith('.'))) {
    const number = Number(/^# Note (\d+)$/m.exec(readFileSync(vault.path(path), 'utf8'))?.[1]);
    expect(found.has(number), `note ${number} is twice: ${path} and ${found.get(number)}`).toBe(false);
    found.set(number, path);
  }
  return found;
}

async function check(vault: TempVault, when: string, acknowledged: ReadonlySet<string>): Promise<void> {
  const memory = await openMemory(vault.root);
  try {
    await memory.reindex({});
    const paths = whereabouts(vault);
    expect(
      [...paths.keys()].sort((a, b) => a - b),
      when,
    ).toEqual(Array.from({ length: NOTES }, (_, i) => i));
    const lines = new Set<string>();
    for (const [number, path] of paths) {
      const text = readFileSync(vault.path(path), 'utf8');
      expect(text, when).toMatch(
        /^---\nnear: "\[\[[^\n]*\]\]"\n---\n# Note \d+\n\nwiki \[\[[^\n]*\|shown\]\] embed !\[\[[^\n]*#Note\]\]\nplain \[text\]\([^\n]*\) reference \[text\]\[r\]\n\n\[r\]: <[^\n]*> "title"\n\n(line \d+-\d+\n)*$/,
      );
      const added = text.match(/^line .*$/gm) ?? [];
      for (const line of added) {
        expect(lines.has(line), `${when}: ${line} is twice`).toBe(false);
        lines.add(line);
      }
      const { out, embeds, totals } = await memory.links({ note: path });
      expect(totals.unresolved, when).toBe(0);
      const led = [...out, ...embeds].map((link) => link.path).sort();
      expect(led, `${when}: ${path}`).toEqual(
        [1, 2, 3, 4, 5].map((i) => paths.get((number + i) % NOTES)!).sort(),
      );
    }
    expect(
      [...acknowledged].filter((line) => !lines.has(line)),
      `${when}: lost`,
    ).toEqual([]);
  } finally {
    await memory.close();
  }
}

test(`after ${ROUNDS} kills at random moments (seed ${SEED})`, {
  timeout: 60_000 + ROUNDS * 3_000,
}, async () => {
  const worker = await buildWorker();
  const vault = makeTempVault(firstNotes());
  const random = seededRandom(SEED);
  await check(vault, 'before', new Set());
  let interrupted = 0;
  const acknowledged = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const child = startWorker(worker, vault.root, { kind: 'endless', seed: round });
    const outcome = ended(child);
    await new Promise((resolve) => child.stdout!.once('data', resolve));
    const delayMs = random.below(200);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    child.kill('SIGKILL');
    const { code, stdout, stderr } = await outcome;
    for (const line of stdout.match(/^line .*$/gm) ?? []) acknowledged.add(line);
    expect({ code, stderr }).toEqual({ code: null, stderr: '' });
    const { names, isLocked } = leftovers(vault);
    if (names.length > 0 || isLocked) interrupted += 1;
    await check(vault, `round ${round} after ${delayMs} ms, left ${names.join(', ')}`, acknowledged);
  }
  // Kills that hit no write would prove nothing.
  expect(interrupted).toBeGreaterThan(ROUNDS / 20);
});

function leftovers(vault: TempVault): { readonly names: readonly string[]; readonly isLocked: boolean } {
  const journal = vault.path('.memory/journal');
  const names = list(journal).filter((name) => name.endsWith('.intent.json'));
  return { names, isLocked: list(vault.path('.vectors')).includes('lock') };
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
