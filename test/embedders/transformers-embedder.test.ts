/** Sentence encoders, run by the real library on a tiny model that is made for each test. */

import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTinyModel } from '../../scripts/make-tiny-model.mjs';
import type { ModelFacts } from '../../src/adapters/embedders/model-facts.js';
import {
  openTransformersEmbedder,
  type TransformersOptions,
} from '../../src/adapters/embedders/transformers-embedder.js';
import type { Embedder } from '../../src/core/ports.js';
import { temporaryModelFolder } from './static-model.js';
import {
  cosine,
  directionOf,
  hasTransformers,
  meanOf,
  plainOutput,
  TINY_FACTS,
  tinyEncoder,
} from './tiny-encoder.js';

const TEXTS = ['The river in winter.', 'bread and butter', 'A note about the vault, with a link to a table!'];

function open(
  folder: string,
  facts: Partial<ModelFacts> = {},
  options: Partial<TransformersOptions> = {},
): Promise<Embedder> {
  return openTransformersEmbedder({ ...TINY_FACTS, ...facts }, { folder, device: 'cpu', ...options });
}

async function queryVector(embedder: Embedder, text: string): Promise<readonly number[]> {
  return Array.from((await embedder.embedQuery(text)).vector);
}

function expectNear(actual: readonly number[], expected: readonly number[]): void {
  expect(actual.length).toBe(expected.length);
  for (const [d, value] of expected.entries()) expect(actual[d]).toBeCloseTo(value, 5);
}

/** Rows of signed bytes. */
function rowsOf(bytes: Int8Array, dimensions: number): readonly (readonly number[])[] {
  const count = bytes.length / dimensions;
  return Array.from({ length: count }, (_, at) =>
    Array.from(bytes.subarray(at * dimensions, (at + 1) * dimensions)),
  );
}

describe.skipIf(!hasTransformers)('openTransformersEmbedder()', () => {
  test.each([
    ['mean', (tokens: readonly (readonly number[])[]) => meanOf(tokens)],
    ['cls', (tokens: readonly (readonly number[])[]) => tokens[0]!],
    ['last', (tokens: readonly (readonly number[])[]) => tokens.at(-1)!],
  ] as const)('pools by %s', async (pooling, pool) => {
    const folder = tinyEncoder();
    const embedder = await open(folder, { pooling });
    const passages = rowsOf(await embedder.embedPassages(TEXTS), 64);
    for (const [at, text] of TEXTS.entries()) {
      const expected = pool((await plainOutput(folder, text)).tokens);
      expectNear(await queryVector(embedder, text), directionOf(expected));
      const largest = Math.max(...expected.map(Math.abs));
      for (const [d, value] of expected.entries())
        expect(Math.abs(passages[at]![d]! - (value / largest) * 127)).toBeLessThan(0.51);
    }
    await embedder.release();
  });

  test('takes an output that is pooled by the model as it is', async () => {
    const folder = tinyEncoder({ hasOwnPooling: true });
    const embedder = await open(folder, { pooling: 'cls', pooledOutput: 'sentence_embedding' });
    const { pooled } = await plainOutput(folder, TEXTS[0]!);
    expectNear(await queryVector(embedder, TEXTS[0]!), directionOf(pooled!));
    await embedder.release();
  });

  test('says which output is missing', async () => {
    const embedder = await open(tinyEncoder(), { pooledOutput: 'sentence_embedding' });
    await expect(embedder.embedQuery('a river')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('last_hidden_state but no sentence_embedding'),
    });
  });

  test('puts instructions before queries and passages, each its own', async () => {
    const folder = tinyEncoder();
    const instructed = await open(folder, { queryInstruction: 'search: ', passageInstruction: 'text: ' });
    const plain = await open(folder);
    const query = await queryVector(instructed, 'a river');
    expectNear(query, await queryVector(plain, 'search: a river'));
    expect(await instructed.embedPassages(['a river'])).toEqual(await plain.embedPassages(['text: a river']));
    expect(cosine(query, await queryVector(plain, 'a river'))).toBeLessThan(0.999);
    await Promise.all([instructed.release(), plain.release()]);
  });

  test('keeps as many leading dimensions as asked for, at length 1', async () => {
    const folder = tinyEncoder();
    const cut = await open(folder, {}, { dimensions: 24 });
    const whole = await open(folder);
    expect(cut.model.dimensions).toBe(24);
    const expected = (await queryVector(whole, TEXTS[0]!)).slice(0, 24);
    expectNear(await queryVector(cut, TEXTS[0]!), directionOf(expected));
    const [row] = rowsOf(await cut.embedPassages([TEXTS[0]!]), 24);
    expect(Math.max(...row!.map(Math.abs))).toBe(127);
    expect(cosine(row!, expected)).toBeGreaterThan(0.9999);
    await Promise.all([cut.release(), whole.release()]);
  });

  test.each([0, 65, 1.5])('refuses %d dimensions', async (dimensions) => {
    await expect(open(tinyEncoder(), {}, { dimensions })).rejects.toMatchObject({
      code: 'invalid_input',
      message: `The model "tiny" makes no vectors of ${dimensions} dimensions`,
      hint: expect.stringContaining('at most 64'),
    });
  });

  test('gives a text in a large batch the vector that it has alone', async () => {
    const embedder = await open(tinyEncoder());
    const words = ['river', 'bread', 'winter', 'kernel', 'note', 'x9', 'Zürich', '中'];
    const texts = Array.from({ length: 75 }, (_, at) =>
      Array.from({ length: 1 + ((at * 7) % 40) }, (__, word) => words[(at + word) % words.length]).join(' '),
    );
    const together = rowsOf(await embedder.embedPassages(texts), 64);
    for (const at of [0, 1, 17, 40, 74]) {
      const [alone] = rowsOf(await embedder.embedPassages([texts[at]!]), 64);
      for (const [d, value] of alone!.entries())
        expect(Math.abs(together[at]![d]! - value)).toBeLessThan(1.01);
    }
    await embedder.release();
  });

  test('cuts long texts to the limit, and keeps the token that ends them', async () => {
    const folder = tinyEncoder();
    const embedder = await open(folder, { maxTokens: 10, pooling: 'last' });
    const long = await queryVector(
      embedder,
      `river stone garden winter bread butter kernel note ${'dog '.repeat(5000)}`,
    );
    const { tokens } = await plainOutput(folder, 'river stone garden winter bread butter kernel note');
    expect(tokens.length).toBe(10);
    expectNear(long, directionOf(tokens.at(-1)!));
    await embedder.release();
  });

  test('knows nothing of a blank text', async () => {
    const embedder = await open(tinyEncoder(), { passageInstruction: 'text: ' });
    const rows = rowsOf(await embedder.embedPassages([' \n', 'river', '']), 64);
    expect(rows.map((row) => row.some((value) => value !== 0))).toEqual([false, true, false]);
    expect(await embedder.embedPassages([])).toEqual(new Int8Array(0));
    expect(await embedder.embedQuery('')).toEqual({ vector: new Float32Array(64), knownShare: 0 });
    await embedder.release();
  });

  test('refuses a text whose vector is no number, by name, and embeds the others', async () => {
    const embedder = await open(tinyEncoder({ poison: 'stone' }), {
      passageInstruction: 'text: ',
    });
    const poisoned = `A stone\n in the garden ${'of winter '.repeat(9)}`;
    await expect(embedder.embedPassages(['river', poisoned, 'bread'])).rejects.toMatchObject({
      code: 'invalid_input',
      message: `The model cannot embed the text "${poisoned.replace('\n', '').slice(0, 60)}…": its vector holds NaN`,
      details: { text: 1 },
    });
    expect((await embedder.embedPassages(['river', 'bread'])).some((value) => value !== 0)).toBe(true);
    await expect(embedder.embedQuery('the stone')).rejects.toMatchObject({ code: 'invalid_input' });
    await embedder.release();
  });

  test('refuses vectors of zeros', async () => {
    const embedder = await open(tinyEncoder({ isMute: true }));
    await expect(embedder.embedPassages(['river'])).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'The model cannot embed the text "river": its vector holds only zeros',
    });
    await embedder.release();
  });

  test('opens again after release, and gives the same', async () => {
    const embedder = await open(tinyEncoder());
    const before = await embedder.embedPassages(TEXTS);
    await embedder.release();
    await embedder.release();
    expect(await embedder.embedPassages(TEXTS)).toEqual(before);
    await embedder.release();
  });

  test('lets what is under way come to its end when it is released', async () => {
    const embedder = await open(tinyEncoder());
    const expected = await embedder.embedPassages(TEXTS);
    const [under] = await Promise.all([embedder.embedPassages(TEXTS), embedder.release()]);
    expect(under).toEqual(expected);
    await embedder.release();
  });

  test('opens once for calls at the same time', async () => {
    const notices: string[] = [];
    const embedder = await open(
      tinyEncoder(),
      {},
      { device: 'webgpu', notice: (text) => notices.push(text) },
    );
    const answers = await Promise.all(
      TEXTS.flatMap((text) => [text, text]).map((text) => queryVector(embedder, text)),
    );
    for (const at of [0, 2, 4]) expectNear(answers[at]!, answers[at + 1]!);
    // One opening tells at most once; a machine that has such a device tells nothing.
    expect(notices.length).toBeLessThan(2);
    await embedder.release();
  });

  test('says once that a device cannot be used, and takes the processor', async () => {
    const notices: string[] = [];
    const folder = tinyEncoder();
    const embedder = await open(folder, {}, { device: 'cuda', notice: (text) => notices.push(text) });
    const { tokens } = await plainOutput(folder, 'a river');
    expect(cosine(await queryVector(embedder, 'a river'), meanOf(tokens))).toBeGreaterThan(0.999);
    await embedder.release();
    await embedder.embedQuery('a river');
    const hasDevice = notices.length === 0;
    expect(notices).toEqual(hasDevice ? [] : ['the device "cuda" cannot be used; the model runs on the CPU']);
    await embedder.release();
  });

  test('tells a folder without a model before it is opened', async () => {
    const folder = temporaryModelFolder();
    await expect(open(folder)).rejects.toMatchObject({
      code: 'unavailable',
      message: `The model "tiny" in "${folder}" lacks config.json, tokenizer.json, tokenizer_config.json, onnx/model.onnx`,
      hint: 'Name the folder of another model, or run `memory model use static`.',
    });
    await expect(open(folder, { id: 'tiny', hubId: 'some/tiny' })).rejects.toMatchObject({
      hint: 'Download it again with `memory model pull tiny`.',
    });
    await expect(open(tinyEncoder(), { dtype: 'q8' })).rejects.toMatchObject({
      message: expect.stringMatching(/lacks onnx\/model_quantized\.onnx$/),
    });
  });

  test.each<[string, (folder: string) => void, string]>([
    [
      'a broken ONNX file',
      (folder) => writeFileSync(join(folder, 'onnx/model.onnx'), 'not a model'),
      'loaded',
    ],
    ['an ONNX file cut short', (folder) => truncateSync(join(folder, 'onnx/model.onnx'), 90_000), 'loaded'],
    ['an empty ONNX file', (folder) => truncateSync(join(folder, 'onnx/model.onnx'), 0), 'loaded'],
    [
      'a broken tokenizer',
      (folder) => writeFileSync(join(folder, 'tokenizer.json'), '{"model": 1'),
      'tokenizer',
    ],
    ['a broken config.json', (folder) => writeFileSync(join(folder, 'config.json'), '['), 'cannot be'],
  ])('says what is wrong with %s, each time', async (_, spoil, reason) => {
    const folder = tinyEncoder();
    const sound = readFileSync(join(folder, 'onnx/model.onnx'));
    spoil(folder);
    const embedder = await open(folder);
    for (const call of [embedder.embedQuery('river'), embedder.embedPassages(['river'])]) {
      await expect(call).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(new RegExp(`^The model "tiny" in ".*${reason}`)),
        hint: expect.stringContaining('memory model use static'),
      });
    }
    makeTinyModel(folder);
    expect(readFileSync(join(folder, 'onnx/model.onnx'))).toEqual(sound);
    expect((await embedder.embedQuery('river')).knownShare).toBe(1);
    await embedder.release();
  });

  test('says that a model has other dimensions than its facts', async () => {
    const folder = tinyEncoder();
    const embedder = await open(folder);
    await embedder.embedQuery('river');
    await embedder.release();
    makeTinyModel(folder, { dimensions: 32 });
    await expect(embedder.embedQuery('river')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('its vectors have 32 dimensions, not 64'),
    });
  });

  test('asks no server for what is missing', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { env } = await import('@huggingface/transformers');
    const { remoteHost, allowRemoteModels } = env;
    try {
      env.allowRemoteModels = true;
      const { port } = server.address() as { port: number };
      env.remoteHost = `http://127.0.0.1:${port}/`;
      const folder = tinyEncoder();
      const embedder = await open(folder);
      rmSync(join(folder, 'tokenizer.json'));
      await expect(embedder.embedQuery('river')).rejects.toMatchObject({ code: 'unavailable' });
      expect(asked).toEqual([]);
    } finally {
      Object.assign(env, { remoteHost, allowRemoteModels });
      server.close();
    }
  });
});

describe('the fingerprint', () => {
  const fingerprint = async (folder: string, facts: Partial<ModelFacts> = {}, dimensions?: number) =>
    (await open(folder, facts, { dimensions })).model.fingerprint;

  test('is the same for the same files elsewhere, and whatever does not change passages', async () => {
    const [one, other] = [tinyEncoder(), tinyEncoder()];
    expect(await fingerprint(other)).toBe(await fingerprint(one));
    expect(await fingerprint(one, { queryInstruction: 'query: ', id: 'other', bytes: 7 })).toBe(
      await fingerprint(one),
    );
  });

  test('changes with all that changes passages', async () => {
    const folder = tinyEncoder();
    const seen = [await fingerprint(folder)];
    const changes: Partial<ModelFacts>[] = [
      { pooling: 'cls' },
      { pooledOutput: 'sentence_embedding' },
      { passageInstruction: 'text: ' },
      { maxTokens: 32 },
      { revision: 'b' },
    ];
    for (const change of changes) seen.push(await fingerprint(folder, change));
    seen.push(await fingerprint(folder, {}, 32));
    makeTinyModel(folder, { seed: 2 });
    seen.push(await fingerprint(folder));
    writeFileSync(join(folder, 'onnx/model.onnx_data'), 'weights');
    seen.push(await fingerprint(folder));
    appendFileSync(join(folder, 'tokenizer.json'), ' ');
    seen.push(await fingerprint(folder));
    expect(new Set(seen).size).toBe(seen.length);
  });
});

test.each([
  [256, 819],
  [512, 1638],
  [2_048, 6553],
  [8_192, undefined],
])('a model of %d tokens gets a vector for each %s characters', async (maxTokens, windowChars) => {
  const { model } = await open(tinyEncoder(), { maxTokens, languages: ['en'], unrelatedCosine: 0.7 });
  expect(model.windowChars).toBe(windowChars);
  expect(model).toMatchObject({
    id: 'tiny',
    rowFormat: 'bytes',
    languages: ['en'],
    unrelatedCosine: 0.7,
  });
});
