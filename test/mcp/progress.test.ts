/** Progress of long calls on the wire: of notes and of passages, rising all the way. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { risingProgress, type ToldProgress } from '../../src/surfaces/mcp/progress.js';
import { startEmbeddingServer } from '../embedders/embedding-server.js';
import { temporaryFolder } from '../surfaces/run-memory.js';
import { openServer } from './server.js';

function watch() {
  const told: ToldProgress[] = [];
  let nowMs = 0;
  const report = risingProgress(
    (one) => told.push(one),
    () => nowMs,
  );
  return {
    told,
    report,
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('risingProgress() adds what is counted next to what was counted before', () => {
  const { told, report, wait } = watch();
  report({ done: 2, total: 4, path: 'a\u001b.md' });
  wait(200);
  report({ done: 4, total: 4 });
  report({ unit: 'passages', done: 1, total: 30, secondsLeft: 12 });
  wait(200);
  report({ unit: 'passages', done: 30, total: 30 });
  expect(told).toEqual([
    { progress: 2, total: 4, message: '2 of 4 notes · a.md' },
    { progress: 4, total: 4, message: '4 of 4 notes' },
    { progress: 5, total: 34, message: '1 of 30 passages · 12 s left' },
    { progress: 34, total: 34, message: '30 of 30 passages' },
  ]);
});

test('risingProgress() tells neither the same twice nor more than ten times a second, but the end', () => {
  const { told, report, wait } = watch();
  report({ done: 1, total: 9 });
  report({ done: 2, total: 9 });
  wait(100);
  report({ done: 1, total: 9 });
  report({ done: 3, total: 9 });
  report({ done: 9, total: 9 });
  report({ done: 9, total: 9 });
  expect(told.map(({ progress }) => progress)).toEqual([1, 3, 9]);
});

test('a reindex tells of its notes and of the passages that it embeds', async () => {
  const vault = join(temporaryFolder(), 'vault');
  mkdirSync(join(vault, '.vectors'), { recursive: true });
  for (let at = 0; at < 120; at += 1)
    writeFileSync(join(vault, `note ${at}.md`), `# Note ${at}\n\nsome words of number ${at}\n`);
  const { url } = await startEmbeddingServer();
  const server = await openServer({
    vault,
    args: ['--tools', 'all'],
    environment: { AGENT_MEMORY_MODEL: `${url}#a` },
  });
  const reply = await server.call('reindex', {}, { progressToken: 'one' });
  expect(reply.structuredContent).toMatchObject({ indexed: 120, embedded: 120, pending: 0 });
  const told = server.messages
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => params as ToldProgress);
  expect(told.some(({ message }) => message.startsWith('120 of 120 notes'))).toBe(true);
  expect(told.at(-1)).toMatchObject({ message: expect.stringMatching(/^120 of 120 passages/) });
  const progress = told.map((one) => one.progress);
  expect(progress).toEqual([...new Set(progress)].sort((a, b) => a - b));
  for (const one of told) expect(one.total).toBeGreaterThanOrEqual(one.progress);
});
