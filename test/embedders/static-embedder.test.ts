/** The static embedder: equal to a plain implementation bit for bit, whichever way its model was loaded. */

import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { openStaticEmbedder } from '../../src/adapters/embedders/static-embedder.js';
import { logarithm, PlainEmbedder } from './plain-embedder.js';
import { makeTables, temporaryModelFolder, WORDS, writeStaticModel } from './static-model.js';

/** The same texts on every run; others with FUZZ_SEED=<number>. */
const seed = Number(process.env['FUZZ_SEED'] ?? 8);

/** Long enough that the embedder reads its whole model, and then finds words by hash. */
const LONG_TEXT = 'a vector of words '.repeat(4000);

const word = fc.constantFrom(...WORDS);
const ending = fc.constantFrom('', '', 's', 'es', 'ed', 'd', 'ing', 'ly', 'er', 'ers', 'é', 'S', '\u0301');
const anyCharacter = fc.string({ unit: 'binary', maxLength: 8 });
const brokenCharacter = fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit));
const gap = fc.constantFrom(' ', '\n', '-', '_', '', '、', 'K', 'İ', 'Σ', '\0');
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(word, ending, gap).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: anyCharacter },
  { weight: 1, arbitrary: brokenCharacter },
);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe.each([20, 64])('with %i dimensions', (dimensions) => {
  test.each([false, true])(
    'any text has the vectors of the plain embedder (all rows read: %s)',
    async (isWhole) => {
      const tables = makeTables(dimensions);
      const embedder = await openStaticEmbedder(writeStaticModel(tables));
      const plain = new PlainEmbedder(tables);
      if (isWhole) await embedder.embedPassages([LONG_TEXT]);
      await fc.assert(
        fc.asyncProperty(text, async (given) => {
          expect(await embedder.embedPassages([given])).toEqual(plain.passage(given));
          expect(await embedder.embedQuery(given)).toEqual(plain.query(given));
        }),
        { seed, numRuns: 300 },
      );
      await embedder.release();
    },
  );
});

describe('openStaticEmbedder()', () => {
  const tables = makeTables(24);
  const plain = new PlainEmbedder(tables);

  test('tells the model without reading more than its card', async () => {
    const folder = writeStaticModel(tables);
    rmSync(join(folder, 'vectors.bin'));
    const { model } = await openStaticEmbedder(folder);
    expect(model).toEqual({
      id: 'tiny-24',
      windowChars: 480,
      languages: ['en'],
      dimensions: 24,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test.each([
    ['boxes', 'box'],
    ['notes', 'note'],
    ['boxed', 'box'],
    ['baked', 'bake'],
    ['reading', 'read'],
    ['quickly', 'quick'],
    ['throwers', 'throw'],
    ['compilers', 'compiler'],
    ['runners', 'runn'],
    ['CAFÉS', 'cafe'],
  ])('"%s" has the vector of "%s"', async (unknown, known) => {
    const embedder = await openStaticEmbedder(writeStaticModel(tables));
    const query = await embedder.embedQuery(unknown);
    expect(query.knownShare).toBe(1);
    expect(query.vector).toEqual((await embedder.embedQuery(known)).vector);
    expect(query.vector.some((value) => value !== 0)).toBe(true);
  });

  test.each(['toes', 'ids', 'asly', 'xyzzy', 'sings2', '日本語', ''])('"%s" is unknown', async (unknown) => {
    const embedder = await openStaticEmbedder(writeStaticModel(tables));
    expect(await embedder.embedQuery(unknown)).toEqual({ vector: new Float32Array(24), knownShare: 0 });
    expect(await embedder.embedPassages([unknown])).toEqual(new Int8Array(24));
  });

  test('knownShare is that of different words', async () => {
    const embedder = await openStaticEmbedder(writeStaticModel(tables));
    expect((await embedder.embedQuery('the THE the vector xyzzy')).knownShare).toBe(2 / 3);
    expect((await embedder.embedQuery('xyzzy the xyzzy')).knownShare).toBe(1 / 2);
  });

  test('a query has length 1, a passage 127 as its largest component', async () => {
    const embedder = await openStaticEmbedder(writeStaticModel(tables));
    const { vector } = await embedder.embedQuery('throw an error to the compiler');
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    const passage = await embedder.embedPassages(['throw an error to the compiler']);
    expect(Math.max(...passage.map(Math.abs))).toBe(127);
  });

  test('a word that occurs a thousand times counts by its logarithm', async () => {
    const embedder = await openStaticEmbedder(writeStaticModel(tables));
    for (const count of [1, 2, 3, 5, 63, 64, 65, 1000, 4097]) {
      const given = `${'value '.repeat(count)} key`;
      expect((await embedder.embedQuery(given)).vector).toEqual(plain.query(given).vector);
      expect(await embedder.embedPassages([given])).toEqual(plain.passage(given));
    }
  });

  test('the logarithm is that of Math, up to its last bits', () => {
    for (let count = 1; count < 5000; count++) {
      expect(Math.abs(logarithm(count) - Math.log(count))).toBeLessThanOrEqual(4e-16 * Math.log(count));
    }
  });

  test('a batch is its texts one by one, before and after all rows are read', async () => {
    const embedder = await openStaticEmbedder(writeStaticModel(tables));
    const texts = ['the baker writes', '', 'élan', LONG_TEXT, 'x86 keys', 'nothing-known zzz'];
    const batch = await embedder.embedPassages(texts);
    const single = await openStaticEmbedder(writeStaticModel(tables));
    for (const [at, one] of texts.entries()) {
      expect(await single.embedPassages([one])).toEqual(batch.subarray(at * 24, at * 24 + 24));
      expect(plain.passage(one)).toEqual(batch.subarray(at * 24, at * 24 + 24));
    }
    expect(await embedder.embedPassages([])).toEqual(new Int8Array(0));
  });

  test('texts of megabytes are embedded, and short ones after them', async () => {
    const embedder = await openStaticEmbedder(writeStaticModel(tables));
    const long = `${'é'.repeat(1_000_000)} vector ${'z'.repeat(2_000_000)} reading`;
    expect(await embedder.embedPassages([long, 'key'])).toEqual(
      Int8Array.from([...plain.passage('vector reading'), ...plain.passage('key')]),
    );
    expect((await embedder.embedQuery(long)).knownShare).toBe(2 / 4);
  });

  test('calls at once do not get into each other', async () => {
    const embedder = await openStaticEmbedder(writeStaticModel(tables));
    const texts = ['the baker', LONG_TEXT, 'a quick note', 'xyzzy', 'cars and cards'];
    const passages = await Promise.all(texts.map((one) => embedder.embedPassages([one])));
    const queries = await Promise.all(texts.map((one) => embedder.embedQuery(one)));
    texts.forEach((one, at) => {
      expect(passages[at]).toEqual(plain.passage(one));
      expect(queries[at]).toEqual(plain.query(one));
    });
  });

  test('release() lets go of the files, and the next call loads them again', async () => {
    const folder = writeStaticModel(tables);
    const embedder = await openStaticEmbedder(folder);
    const before = await embedder.embedQuery('baker');
    await embedder.release();
    await embedder.release();
    expect(openFiles(folder)).toEqual([]);
    expect(await embedder.embedQuery('baker')).toEqual(before);
    await Promise.all([embedder.embedPassages([LONG_TEXT]), embedder.release()]);
    expect(await embedder.embedQuery('baker')).toEqual(before);
    await embedder.release();
    expect(openFiles(folder)).toEqual([]);
  });

  test('another process computes the same bytes', async () => {
    const folder = writeStaticModel(tables);
    const embedder = await openStaticEmbedder(folder);
    const { vector } = await embedder.embedQuery(LONG_TEXT);
    const script = `
      const { build } = await import('esbuild');
      const { outputFiles } = await build({ entryPoints: ['src/adapters/embedders/static-embedder.ts'], bundle: true, platform: 'node', format: 'esm', write: false });
      const { openStaticEmbedder } = await import('data:text/javascript;base64,' + Buffer.from(outputFiles[0].text).toString('base64'));
      const { vector } = await (await openStaticEmbedder(process.argv[1])).embedQuery(process.argv[2]);
      process.stdout.write(Buffer.from(vector.buffer).toString('hex'));`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', script, folder, LONG_TEXT],
      { cwd: root, encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    expect(stdout).toBe(Buffer.from(vector.buffer).toString('hex'));
  });

  test('scales beyond all numbers give zeros, and no NaN', async () => {
    for (const scale of [Number.POSITIVE_INFINITY, Number.NaN, 0]) {
      const scales = new Float32Array(WORDS.length).fill(scale);
      const embedder = await openStaticEmbedder(writeStaticModel({ ...tables, scales }));
      expect(await embedder.embedPassages(['the baker'])).toEqual(new Int8Array(24));
      expect((await embedder.embedQuery('the baker')).vector).toEqual(new Float32Array(24));
    }
  });
});

/** Paths below the folder that this process has open; none where the system does not tell. */
function openFiles(folder: string): string[] {
  if (!existsSync('/proc/self/fd')) return [];
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

describe('a model that is not whole is refused with its path:', () => {
  const query = async (folder: string) => (await openStaticEmbedder(folder)).embedQuery('the baker');
  const index = async (folder: string) => (await openStaticEmbedder(folder)).embedPassages([LONG_TEXT]);
  const change = (name: string, at: number, byte: number) => (folder: string) => {
    const bytes = readFileSync(join(folder, name));
    bytes[at < 0 ? bytes.length + at : at]! ^= byte;
    writeFileSync(join(folder, name), bytes);
  };
  const rewrite = (fields: Record<string, unknown>) => (folder: string) => {
    const card = JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')) as object;
    writeFileSync(join(folder, 'model.json'), JSON.stringify({ ...card, ...fields }));
  };

  test.each<[string, (folder: string) => void, string, string, (folder: string) => Promise<unknown>]>([
    ['no card', (folder) => rmSync(join(folder, 'model.json')), 'unavailable', 'model.json', query],
    [
      'no vocabulary',
      (folder) => rmSync(join(folder, 'vocabulary.bin')),
      'unavailable',
      'vocabulary.bin',
      query,
    ],
    ['no vectors', (folder) => rmSync(join(folder, 'vectors.bin')), 'unavailable', 'vectors.bin', query],
    ['a card of another format', rewrite({ format: 2 }), 'unavailable', 'model.json', query],
    ['a card without an id', rewrite({ id: undefined }), 'corrupt', 'model.json', query],
    ['a card with half a dimension', rewrite({ dimensions: 0.5 }), 'corrupt', 'model.json', query],
    ['a card with other words', rewrite({ words: 7 }), 'corrupt', 'vectors.bin', query],
    ['a card with endless words', rewrite({ words: 4e9 }), 'corrupt', 'vocabulary.bin', query],
    [
      'a card of no JSON',
      (folder) => writeFileSync(join(folder, 'model.json'), '{'),
      'corrupt',
      'model.json',
      query,
    ],
    [
      'a card of null',
      (folder) => writeFileSync(join(folder, 'model.json'), 'null'),
      'corrupt',
      'model.json',
      query,
    ],
    ['a vocabulary with another start', change('vocabulary.bin', 0, 1), 'corrupt', 'vocabulary.bin', query],
    ['vectors with another start', change('vectors.bin', 3, 1), 'corrupt', 'vectors.bin', query],
    ['a vocabulary of other words', change('vocabulary.bin', 4, 1), 'corrupt', 'vocabulary.bin', query],
    ['vectors of other dimensions', change('vectors.bin', 8, 1), 'corrupt', 'vectors.bin', query],
    ['offsets that go back', change('vocabulary.bin', 13, 1), 'corrupt', 'vocabulary.bin', query],
    [
      'a cut vocabulary',
      (folder) => truncateSync(join(folder, 'vocabulary.bin'), 40),
      'corrupt',
      'vocabulary.bin',
      query,
    ],
    [
      'cut vectors',
      (folder) => truncateSync(join(folder, 'vectors.bin'), 900),
      'corrupt',
      'vectors.bin',
      query,
    ],
    [
      'empty vectors',
      (folder) => truncateSync(join(folder, 'vectors.bin'), 0),
      'corrupt',
      'vectors.bin',
      query,
    ],
    ['a foreign fingerprint', rewrite({ fingerprint: 'f'.repeat(64) }), 'corrupt', '', index],
    ['another byte in the vectors', change('vectors.bin', -1, 1), 'corrupt', '', index],
    ['another letter in the vocabulary', change('vocabulary.bin', -1, 1), 'corrupt', '', index],
  ])('%s', async (_, damage, code, name, work) => {
    const folder = writeStaticModel(makeTables(24));
    damage(folder);
    const error = await work(folder).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'MemoryError', code, hint: expect.stringContaining('agent-memory') });
    expect((error as Error).message).toContain(join(folder, name));
    expect(openFiles(folder)).toEqual([]);
  });

  test('and a missing folder', async () => {
    const folder = join(temporaryModelFolder(), 'gone');
    await expect(openStaticEmbedder(folder)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(folder),
    });
  });

  test('a row that cannot be read leaves nothing behind for the next text', async () => {
    const tables = makeTables(24);
    const folder = writeStaticModel(tables);
    const embedder = await openStaticEmbedder(folder);
    await embedder.embedQuery('the');
    truncateSync(join(folder, 'vectors.bin'), 400);
    await expect(embedder.embedQuery('write x86 vector')).rejects.toMatchObject({ code: 'corrupt' });
    writeStaticModel(tables, folder);
    expect(await embedder.embedQuery('the baker')).toEqual(new PlainEmbedder(tables).query('the baker'));
  });
});

type Golden = readonly { readonly text: string; readonly vector: readonly number[] }[];
const goldenPath = join(root, 'training/golden.json');

test.skipIf(!existsSync(goldenPath))('the built-in model has the vectors of the training code', async () => {
  const embedder = await openStaticEmbedder(join(root, 'models/static-english-192'));
  const golden = JSON.parse(readFileSync(goldenPath, 'utf8')) as Golden;
  expect(golden.length).toBeGreaterThanOrEqual(50);
  for (const { text: given, vector } of golden) {
    const query = await embedder.embedQuery(given);
    vector.forEach((value, d) => {
      expect(Math.abs(value - query.vector[d]!), given).toBeLessThan(1e-6);
    });
  }
});
