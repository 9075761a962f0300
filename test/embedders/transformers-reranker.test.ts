/** Cross-encoders, run by the real library on a tiny model that is made for each test. */

import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { makeTinyReranker } from '../../scripts/make-tiny-model.mjs';
import type { RerankerFacts } from '../../src/adapters/embedders/model-facts.js';
import { holdsReranker, readRerankerFacts } from '../../src/adapters/embedders/reranker-facts.js';
import {
  openTransformersReranker,
  type RerankerOptions,
} from '../../src/adapters/embedders/transformers-reranker.js';
import type { Reranker } from '../../src/core/ports.js';
import { temporaryModelFolder } from './static-model.js';
import {
  hasTransformers,
  plainScore,
  TINY_RERANKER_FACTS,
  tinyEncoder,
  tinyReranker,
} from './tiny-encoder.js';

const PROGRAM = join(root, 'dist/program/encoder-process.cjs');
const PASSAGES = ['Bread and butter.', 'The river in winter, and a stone garden.', 'A winter garden'];

function open(
  folder: string,
  facts: Partial<RerankerFacts> = {},
  options: Partial<RerankerOptions> = {},
): Promise<Reranker> {
  return openTransformersReranker(
    { ...TINY_RERANKER_FACTS, ...facts },
    { folder, device: 'cpu', ...options },
  );
}

/** Of this process. */
function childProcesses(): readonly string[] {
  const file = `/proc/${process.pid}/task/${process.pid}/children`;
  return readFileSync(file, 'utf8').split(' ').filter(Boolean);
}

describe.skipIf(!hasTransformers)('openTransformersReranker()', () => {
  test('gives each pair the logit that the library gives it', async () => {
    const folder = tinyReranker();
    const reranker = await open(folder);
    const scores = await reranker.score('winter river', PASSAGES);
    expect(scores).toBeInstanceOf(Float64Array);
    for (const [at, passage] of PASSAGES.entries())
      expect(scores[at]).toBeCloseTo(await plainScore(folder, 'winter river', passage), 4);
    expect(scores[1]).toBeGreaterThan(scores[2]!);
    expect(scores[2]).toBeGreaterThan(scores[0]!);
    await reranker.release();
  });

  test('tells the query from the passage', async () => {
    const reranker = await open(tinyReranker());
    const [short] = await reranker.score('river', ['river stone garden winter']);
    const [long] = await reranker.score('river stone garden winter', ['river']);
    expect(short).toBeGreaterThan(long! + 1);
    await reranker.release();
  });

  test('scores many passages in batches as it does one', async () => {
    const reranker = await open(tinyReranker());
    const words = ['river', 'bread', 'winter', 'kernel', 'note', 'Zürich', '中', 'x9'];
    const passages = Array.from({ length: 75 }, (_, at) =>
      Array.from({ length: 1 + ((at * 7) % 40) }, (__, word) => words[(at + word) % words.length]).join(' '),
    );
    const together = await reranker.score('winter bread', passages);
    for (const at of [0, 1, 17, 40, 74]) {
      const [alone] = await reranker.score('winter bread', [passages[at]!]);
      expect(together[at]).toBeCloseTo(alone!, 4);
    }
    expect(await reranker.score('winter', [])).toEqual(new Float64Array(0));
    await reranker.release();
  });

  test('cuts a long passage to what is left beside the query, and not the query', async () => {
    const folder = tinyReranker();
    const reranker = await open(folder, { maxTokens: 24 });
    const query = 'river stone garden';
    // 24 without three tokens of the query and three that frame both.
    const seen = 'dog '.repeat(17);
    const [cut, same, within] = await reranker.score(query, [
      `${seen} dog river stone garden ${'cat '.repeat(5000)}`,
      `${seen} dog`,
      `${seen} river`,
    ]);
    expect(cut).toBeCloseTo(same!, 5);
    expect(within).toBeGreaterThan(cut! + 1);
    await reranker.release();
  });

  test('refuses a query that leaves no room, whole', async () => {
    const reranker = await open(tinyReranker(), { maxTokens: 24 });
    await expect(reranker.score('river stone garden winter bread butter', PASSAGES)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^The model cannot compare the text "river stone .*: it has 6 tokens/),
    });
    expect((await reranker.score('river stone', PASSAGES)).length).toBe(3);
    await reranker.release();
  });

  test('refuses a passage whose score is no number, by name', async () => {
    const reranker = await open(tinyReranker({ poison: 'stone' }));
    await expect(reranker.score('river', ['bread', 'a stone', 'river'])).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'The model cannot score the text "a stone": its score is NaN',
      details: { text: 1 },
    });
    expect((await reranker.score('river', ['bread'])).every(Number.isFinite)).toBe(true);
    await reranker.release();
  });

  test('refuses an encoder, and a model of several labels', async () => {
    const encoder = await open(tinyEncoder());
    await expect(encoder.score('river', PASSAGES)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('it gives no logits, as rerankers do'),
      hint: 'Name the folder of another model, or set AGENT_MEMORY_RERANKER to none.',
    });
    const labelled = await open(tinyReranker({ labels: 3 }));
    await expect(labelled.score('river', PASSAGES)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('it gives 3 numbers for a pair, not one'),
    });
  });

  test('tells what a folder lacks before it is opened', async () => {
    const folder = temporaryModelFolder();
    await expect(open(folder, { hubId: 'some/tiny', id: 'tiny' })).rejects.toMatchObject({
      code: 'unavailable',
      message: `The model "tiny" in "${folder}" lacks config.json, tokenizer.json, tokenizer_config.json, onnx/model.onnx`,
      hint: 'Download it again with `memory model pull tiny`.',
    });
    const other = tinyReranker();
    rmSync(join(other, 'tokenizer.json'));
    await expect(open(other)).rejects.toMatchObject({
      message: expect.stringMatching(/lacks tokenizer\.json$/),
    });
  });

  test.each<[string, (folder: string) => void, string]>([
    ['a broken ONNX file', (folder) => writeFileSync(join(folder, 'onnx/model.onnx'), 'no model'), 'loaded'],
    ['an ONNX file cut short', (folder) => truncateSync(join(folder, 'onnx/model.onnx'), 40_000), 'loaded'],
    ['a broken tokenizer', (folder) => writeFileSync(join(folder, 'tokenizer.json'), '{'), 'tokenizer'],
  ])('says what is wrong with %s, and works once it is mended', async (_, spoil, reason) => {
    const folder = tinyReranker();
    const reranker = await open(folder);
    spoil(folder);
    await expect(reranker.score('river', PASSAGES)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(new RegExp(`^The model "tiny-reranker" in ".*${reason}`)),
    });
    makeTinyReranker(folder);
    expect((await reranker.score('river', PASSAGES)).length).toBe(3);
    await reranker.release();
  });

  test('says once that a device cannot be used, and takes the processor', async () => {
    const notices: string[] = [];
    const folder = tinyReranker();
    const reranker = await open(folder, {}, { device: 'cuda', notice: (text) => notices.push(text) });
    const [score] = await reranker.score('river', ['river']);
    expect(score).toBeCloseTo(await plainScore(folder, 'river', 'river'), 3);
    await reranker.release();
    await reranker.score('river', ['river']);
    const hasDevice = notices.length === 0;
    expect(notices).toEqual(hasDevice ? [] : ['the device "cuda" cannot be used; the model runs on the CPU']);
    await reranker.release();
  });

  test('has a fingerprint that changes with all that changes scores', async () => {
    const folder = tinyReranker();
    const fingerprint = async (facts: Partial<RerankerFacts> = {}) =>
      (await open(folder, facts)).model.fingerprint;
    const first = await fingerprint();
    expect(await fingerprint({ id: 'other', bytes: 7 })).toBe(first);
    const seen = [first, await fingerprint({ maxTokens: 32 }), await fingerprint({ revision: 'b' })];
    makeTinyReranker(folder, { seed: 2 });
    seen.push(await fingerprint());
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe.skipIf(!hasTransformers)('startCrossEncoder()', () => {
  test('gives what the cross-encoder gives in this process', async () => {
    const folder = tinyReranker();
    const [beside, here] = await Promise.all([open(folder, {}, { program: PROGRAM }), open(folder)]);
    expect(await beside.score('winter river', PASSAGES)).toEqual(await here.score('winter river', PASSAGES));
    await Promise.all([beside.release(), here.release()]);
  });

  test.skipIf(!existsSync('/proc/self/task'))('ends its process when it is released', async () => {
    const before = childProcesses();
    const reranker = await open(tinyReranker(), {}, { program: PROGRAM });
    expect(childProcesses()).toEqual(before);
    await Promise.all([reranker.score('river', PASSAGES), reranker.score('bread', PASSAGES)]);
    expect(childProcesses().length).toBe(before.length + 1);
    await reranker.release();
    expect(childProcesses()).toEqual(before);
    await reranker.score('river', PASSAGES);
    expect(childProcesses().length).toBe(before.length + 1);
    await reranker.release();
    expect(childProcesses()).toEqual(before);
  });

  test('tells errors as they are, and names a process that dies', async () => {
    const poisoned = await open(tinyReranker({ poison: 'stone' }), {}, { program: PROGRAM });
    await expect(poisoned.score('river', ['bread', 'a stone'])).rejects.toMatchObject({
      name: 'MemoryError',
      code: 'invalid_input',
      details: { text: 1 },
    });
    await poisoned.release();
    const program = join(temporaryModelFolder(), 'program.cjs');
    writeFileSync(
      program,
      `process.on('message', ({ number, open }) => {
         if (open) process.send({ number });
         else process.kill(process.pid, 'SIGKILL');
       });`,
    );
    const dying = await open(tinyReranker(), {}, { program });
    await expect(dying.score('river', PASSAGES)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The process of the model "tiny-reranker" has ended: SIGKILL',
    });
  });
});

describe('readRerankerFacts()', () => {
  test('reads the limit of tokens and the form of the weights', () => {
    const folder = tinyReranker({ maxTokens: 48, dtype: 'q8' });
    expect(holdsReranker(folder)).toBe(true);
    const facts = readRerankerFacts(folder);
    expect(facts).toMatchObject({ id: folder, hubId: '', maxTokens: 48, dtype: 'q8', licence: '' });
    expect(facts.bytes).toBeGreaterThan(50_000);
  });

  test('refuses an encoder, and a folder without a model', () => {
    const empty = temporaryModelFolder();
    for (const folder of [tinyEncoder(), empty]) {
      expect(holdsReranker(folder)).toBe(false);
      expect(() => readRerankerFacts(folder)).toThrow(
        expect.objectContaining({
          code: 'invalid_input',
          message: `The folder "${folder}" holds no reranker`,
        }),
      );
    }
    writeFileSync(join(empty, 'config.json'), '{');
    expect(holdsReranker(empty)).toBe(false);
  });
});
