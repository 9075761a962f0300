/** Texts that end the model's process: they stay without a vector alone, and nobody starts processes without end. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { openTransformersEmbedder } from '../../src/adapters/embedders/transformers-embedder.js';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import { makeTempVault } from '../temp-vault.js';
import { temporaryModelFolder } from './static-model.js';
import { hasTransformers, TINY_FACTS, tinyEncoder } from './tiny-encoder.js';

const PROGRAM = join(root, 'dist/program/encoder-process.cjs');

type Deadly = {
  readonly program: string;
  /** How many processes there were. */
  readonly starts: () => number;
};

/** The real process, which is killed by the system where a request is like this. */
function processKilledBy(pattern: string): Deadly {
  const folder = temporaryModelFolder();
  const [program, log] = [join(folder, 'program.cjs'), join(folder, 'starts.log')];
  writeFileSync(log, '');
  writeFileSync(
    program,
    `require('node:fs').appendFileSync(${JSON.stringify(log)}, '.');
     process.on('message', (request) => {
       if (${pattern}.test(JSON.stringify(request))) process.kill(process.pid, 'SIGKILL');
     });
     require(${JSON.stringify(PROGRAM)});`,
  );
  return { program, starts: () => readFileSync(log, 'utf8').length };
}

async function embedderOf({ program }: Deadly) {
  const embedder = await openTransformersEmbedder(TINY_FACTS, { folder: tinyEncoder(), program });
  onTestFinished(() => embedder.release());
  return embedder;
}

async function memoryOver(deadly: Deadly, files: Readonly<Record<string, string>>) {
  const embedder = await embedderOf(deadly);
  const vault = makeTempVault(files);
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const further = async () => embedder;
  const memory = joinMemory({ vault: openVault(vault.root), index, clock: systemClock, further });
  onTestFinished(() => memory.close());
  const notices: string[] = [];
  return { memory, vault, notices, calls: { notice: (text: string) => void notices.push(text) } };
}

function notes(count: number, lethal: readonly number[] = []): Record<string, string> {
  const text = (at: number) =>
    `# Note ${at}\n\na river ${lethal.includes(at) ? 'lethal' : 'mild'} of ${at}\n`;
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}.md`, text(at)]));
}

describe.skipIf(!hasTransformers)('a text that ends the process', () => {
  test('stays pending alone, the others are embedded', async () => {
    const deadly = processKilledBy('/lethal/');
    const { memory, vault, notices, calls } = await memoryOver(deadly, notes(40, [3, 21, 22]));
    expect(await memory.reindex({}, calls)).toMatchObject({ embedded: 37, pending: 3, failed: 3 });
    expect(notices).toHaveLength(3);
    expect(notices[0]).toMatch(
      /^"n\d+\.md" line 1 stays without a vector of "tiny", which refused it: The model cannot embed the text ".*lethal.*": it ends the model's process \(SIGKILL\)$/s,
    );
    expect((await memory.search({ query: 'river mild', semantic: true }, calls)).streams).toContain('tiny');
    vault.write({ 'n21.md': '# Note 21\n\nmild now\n' });
    expect(await memory.reindex({}, calls)).toMatchObject({ embedded: 1, pending: 2, failed: 2 });
  });

  test('is refused by its place when it is asked for alone, with the text as it was written', async () => {
    const embedder = await embedderOf(processKilledBy('/lethal/'));
    await expect(embedder.embedPassages(['river', 'lethal bread'])).rejects.toMatchObject({
      code: 'invalid_input',
      message: "One of 2 texts: it ends the model's process (SIGKILL)",
    });
    await expect(embedder.embedPassages(['', 'lethal bread'])).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('The model cannot embed the text "lethal bread": it ends the'),
      details: { text: 1 },
    });
    expect(await embedder.embedPassages(['river'])).toHaveLength(64);
  });

  test('as a query is done without the model', async () => {
    const deadly = processKilledBy('/lethal/');
    const { memory, notices, calls } = await memoryOver(deadly, notes(5));
    await memory.reindex({}, calls);
    const { hits, streams } = await memory.search(
      { query: 'lethal river', semantic: true, nearest: true },
      calls,
    );
    expect([hits.length > 0, streams]).toEqual([true, ['words']]);
    expect(notices).toEqual([
      'The process of the model "tiny" has ended: SIGKILL; this answer is without it',
    ]);
  });
});

describe.skipIf(!hasTransformers)('a process that ends', () => {
  test('at every text is given up after a dozen starts, and after one when asked again', async () => {
    const deadly = processKilledBy('/"texts":/');
    const { memory, notices, calls } = await memoryOver(deadly, notes(60));
    expect(await memory.reindex({}, calls)).toMatchObject({ embedded: 0, pending: 60, failed: 0 });
    expect(deadly.starts()).toBe(12);
    expect(notices.at(-1)).toContain(
      'The process of the model "tiny" has ended: SIGKILL; what has no vector',
    );
    await memory.reindex({}, calls);
    expect(deadly.starts()).toBe(13);
  });

  test('when it opens the model is given up at once', async () => {
    const deadly = processKilledBy('/"open":/');
    const { memory, notices, calls } = await memoryOver(deadly, notes(20));
    expect(await memory.reindex({}, calls)).toMatchObject({ embedded: 0, pending: 20, failed: 0 });
    expect(deadly.starts()).toBe(1);
    expect(notices).toEqual([expect.stringContaining('The process of the model "tiny" has ended: SIGKILL')]);
  });

  test('while nothing was asked of it is started anew unnoticed', async () => {
    const folder = temporaryModelFolder();
    const [program, log] = [join(folder, 'program.cjs'), join(folder, 'starts.log')];
    writeFileSync(
      program,
      `require('node:fs').appendFileSync(${JSON.stringify(log)}, process.pid + '\\n');
       require(${JSON.stringify(PROGRAM)});`,
    );
    const embedder = await embedderOf({ program, starts: () => 0 });
    const pids = () => readFileSync(log, 'utf8').trim().split('\n').map(Number);
    const first = await embedder.embedPassages(['river']);
    process.kill(pids()[0]!, 'SIGKILL');
    expect(await embedder.embedPassages(['river'])).toEqual(first);
    await expect.poll(() => pids().length).toBe(2);
    expect((await embedder.embedQuery('river')).knownShare).toBe(1);
  });
});
