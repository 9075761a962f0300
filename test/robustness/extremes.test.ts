/** Notes and names at the edge of what file systems hold, and long runs. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import { seededRandom } from '../random.js';
import { bin, quietEnvironment, runMemory } from '../surfaces/run-memory.js';
import { makeTempVault } from '../temp-vault.js';

test('notes with strange names are found, and shown by the path that search gives', async () => {
  const names = [
    '🧠 idea.md',
    '笔记/新.md',
    'ملاحظة.md',
    ' a b .md',
    `it's "x".md`,
    `${'n'.repeat(247)}.md`,
    'a:b?.md',
    '#tag [x].md',
    '-dash.md',
  ];
  const vault = makeTempVault(Object.fromEntries(names.map((name) => [name, 'strangeword in it'])));
  const memory = await openMemory(vault.root);
  onTestFinished(() => memory.close());
  const { hits } = await memory.search({ query: 'strangeword', limit: 50, full: true });
  expect(hits.map(({ path }) => path).sort()).toEqual([...names].sort());
  for (const { path, uri } of hits) {
    expect((await memory.show({ note: path })).path).toBe(path);
    expect(new URL(uri).searchParams.get('file')).toBe(path.replace(/\.md$/, ''));
  }
});

test('a newline or an escape sequence in a name does no harm at a terminal', async () => {
  const vault = makeTempVault({ 'two\nlines.md': 'apple', 'red\u001b[31m.md': 'apple' });
  const { code, stdout } = await runMemory(['search', 'apple', '--vault', vault.root]);
  expect(code).toBe(0);
  expect(stdout).not.toContain('\u001b');
  expect(stdout.split('\n').filter((line) => /^\d {2}/.test(line))).toHaveLength(2);
});

test('a note of 10 MB is indexed, and its last word found at its line', async () => {
  const line = `${'lorem ipsum dolor sit amet '.repeat(4).trim()}\n`;
  const lines = Math.ceil(10_000_000 / line.length);
  const vault = makeTempVault({ 'large.md': `${line.repeat(lines)}needle\n`, 'small.md': 'lorem' });
  const memory = await openMemory(vault.root);
  onTestFinished(() => memory.close());
  expect(await memory.reindex({})).toMatchObject({ indexed: 2, skipped: [] });
  const { hits } = await memory.search({ query: 'needle' });
  expect(hits[0]).toMatchObject({ path: 'large.md', line: lines + 1 });
});

/** Resident memory of another process in MB. */
function memoryOf(pid: number): number {
  return (
    Number.parseInt(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0', 10) / 1024
  );
}

const isLong = process.env['CHECK_ALL'] !== undefined;
const SEARCHES = isLong ? 20_000 : 2_000;

test.skipIf(process.platform !== 'linux')(
  `memory stays flat over ${SEARCHES} searches with edits in between`,
  { timeout: 600_000 },
  async () => {
    const random = seededRandom(5);
    const words = Array.from({ length: 300 }, (_, at) => `word${at}`);
    const text = () => Array.from({ length: 80 }, () => random.pick(words)).join(' ');
    const vault = makeTempVault(
      Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`n${at}.md`, text()])),
    );
    const child = spawn(process.execPath, [bin, 'rpc', '--vault', vault.root], {
      env: quietEnvironment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const settled: number[] = [];
    for (let search = 0; search < SEARCHES; search += 1) {
      if (search % 20 === 0) vault.write({ [`n${random.below(120)}.md`]: text() });
      const query = Array.from({ length: 1 + random.below(6) }, () => random.pick(words)).join(' ');
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: search, method: 'search', params: { query } })}\n`,
      );
      const answer = JSON.parse((await answers.next()).value as string);
      expect(answer.result.hits.length).toBeGreaterThan(0);
      if (search >= SEARCHES / 4 && search % (SEARCHES / 20) === 0) settled.push(memoryOf(child.pid!));
    }
    child.stdin.end();
    const middle = settled.length / 2;
    const early = Math.max(...settled.slice(0, middle));
    const late = Math.max(...settled.slice(middle));
    expect(late, settled.map(Math.round).join(' ')).toBeLessThan(early * 1.2 + 10);
  },
);
