/** A further model beside the table: rows of whole bytes against plain arithmetic, and both ways of fusing. */

import { mkdtempSync, readdirSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { VectorStore } from '../../src/adapters/index-sqlite/vector-store.js';
import {
  type CollectionShape,
  KEY_BYTES,
  type RowFormat,
  VECTOR_BLOCK,
  type VectorSpace,
} from '../../src/core/retrieval/evidence.js';
import {
  countPendingFurther,
  furtherKernelWith,
  kernelWithVectors,
  releaseFurtherKernel,
} from '../../src/core/retrieval/kernel.js';
import { compareWithAll, type Fusion } from '../../src/core/retrieval/meaning.js';
import { packedBytes, packVectors } from '../../src/core/retrieval/pack-vectors.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { DEFAULT_PROFILE, profileWith, type RankingProfile } from '../../src/core/retrieval/profile.js';
import { type RankingOptions, rankByWords } from '../../src/core/retrieval/rank.js';
import { removeFolder } from '../remove-folder.js';
import { buildMemoryPostings, plainNote } from './memory-postings.js';

type Keyed = readonly (readonly [key: number, vector: readonly number[]])[];

function keyOf(number: number): Uint8Array {
  return new Uint8Array(BigUint64Array.of(BigInt(number)).buffer);
}

/** Passage numbers get the keys 1, 2 … in order; heads have none. */
function spaceOf(
  shape: CollectionShape,
  dimensions: number,
  vectors: Keyed,
  rowFormat: RowFormat = 'bytes',
): VectorSpace {
  const passageKeys = new Uint8Array(shape.noteOf.length * KEY_BYTES);
  let next = 1;
  shape.noteOf.forEach((note, at) => {
    if (at > 0 && note !== 0 && shape.noteOf[at - 1] === note) passageKeys.set(keyOf(next++), at * KEY_BYTES);
  });
  const store = new VectorStore(undefined, { id: 'm', dimensions, fingerprint: 'f', rowFormat });
  for (const [key, vector] of vectors) {
    store.put({ keys: keyOf(key), vectors: packVectors(Int8Array.from(vector), dimensions, rowFormat) });
  }
  return {
    format: rowFormat,
    rowBytes: packedBytes(dimensions, rowFormat),
    rows: store.rows()!,
    passageKeys,
  };
}

function shapeOf(notes: number): CollectionShape {
  const noteOf = Uint32Array.from({ length: 2 * notes }, (_, at) => Math.floor(at / 2) + 1);
  return {
    noteCount: notes,
    noteOf,
    bodyLength: new Uint16Array(noteOf.length).fill(3),
    otherLength: new Uint16Array(noteOf.length),
  };
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}

test('rows of bytes give the cosines of plain arithmetic, at the extremes too', () => {
  const scene = fc.integer({ min: 1, max: 130 }).chain((dimensions) => {
    const component = fc.oneof(fc.integer({ min: -127, max: 127 }), fc.constantFrom(-127, 127));
    const vector = fc
      .array(component, { minLength: dimensions, maxLength: dimensions })
      .filter((values) => values.some((value) => value !== 0));
    return fc.record({
      dimensions: fc.constant(dimensions),
      vectors: fc.array(vector, { minLength: 1, maxLength: 8 }),
      query: vector.map((values) => [127, ...values.slice(1)]),
    });
  });
  fc.assert(
    fc.property(scene, ({ dimensions, vectors, query }) => {
      const shape = shapeOf(vectors.length);
      const keyed = vectors.map((vector, at) => [at + 1, vector] as const);
      const kernel = furtherKernelWith(shape, spaceOf(shape, dimensions, keyed));
      kernel.startQuery();
      compareWithAll(kernel, Float32Array.from(query), DEFAULT_PROFILE, 0);
      const found = new Float64Array(kernel.memory.buffer, kernel.cosines.value, kernel.noteLimit.value);
      // The query's largest component is 127 already, so nothing is rounded but the rows' lengths.
      vectors.forEach((vector, at) => {
        expect(found[at + 1]).toBeCloseTo(cosine(vector, query), 6);
      });
    }),
    { numRuns: 200 },
  );
});

test('the table and a further model keep their vectors side by side, and one can go', () => {
  const shape = shapeOf(2);
  const table = spaceOf(
    shape,
    2,
    [
      [1, [100, 0]],
      [2, [0, 100]],
    ],
    'half-bytes',
  );
  const further = spaceOf(shape, 2, [[1, [0, 100]]]);
  const first = kernelWithVectors(shape, table);
  expect(countPendingFurther(shape, further)).toBe(1);
  const second = furtherKernelWith(shape, further);
  expect(second).not.toBe(first);
  expect(kernelWithVectors(shape, table).pending.value).toBe(0);
  releaseFurtherKernel();
  expect(furtherKernelWith(shape, further)).not.toBe(second);
  expect(kernelWithVectors(shape, table)).toBe(first);
});

test('packVectors() keeps bytes as they come, in whole steps of sixteen, with 1 / their length', () => {
  expect(packedBytes(256, 'bytes')).toBe(260);
  expect(packedBytes(250, 'bytes')).toBe(260);
  expect(packedBytes(256)).toBe(132);
  const packed = packVectors(Int8Array.of(127, -127, 3), 3, 'bytes');
  expect([...new Int8Array(packed.buffer, 0, 16)]).toEqual([127, -127, 3, ...new Array(13).fill(0)]);
  const lengthOf = (row: Uint8Array) => new DataView(row.buffer).getFloat32(row.length - 4, true);
  expect(lengthOf(packed)).toBe(Math.fround(1 / Math.sqrt(127 ** 2 + 127 ** 2 + 3 ** 2)));
  expect(lengthOf(packVectors(Int8Array.of(127, -127, 0), 3))).toBe(
    Math.fround(1 / Math.sqrt(7 ** 2 + 7 ** 2)),
  );
  expect(lengthOf(packVectors(new Int8Array(3), 3))).toBe(0);
});

test('tidy() keeps the vectors that a file cut short has, not what it lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  onTestFinished(() => removeFolder(folder));
  const store = new VectorStore(folder, { id: 'm', dimensions: 32, fingerprint: 'f' });
  const keysUpTo = (count: number) =>
    new Uint8Array(BigUint64Array.from({ length: count }, (_, at) => BigInt(at + 1)).buffer);
  const count = VECTOR_BLOCK + 10;
  store.put({ keys: keysUpTo(count), vectors: packVectors(new Int8Array(count * 32).fill(127), 32) });
  store.close();
  const [name] = readdirSync(folder);
  truncateSync(join(folder, name!), 64 + VECTOR_BLOCK * (KEY_BYTES + packedBytes(32)));
  store.tidy(keysUpTo(10));
  expect(store.rows()?.count).toBe(10);
  const rows = new Uint8Array(VECTOR_BLOCK * (KEY_BYTES + packedBytes(32)));
  store.rows()!.copyTo(rows);
  for (let row = 0; row < 10; row++)
    expect(rows[VECTOR_BLOCK * KEY_BYTES + row * packedBytes(32)]).not.toBe(0);
  store.close();
});

test('rows() knows no rows that its file has in another format', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  onTestFinished(() => removeFolder(folder));
  const model = { id: 'm', dimensions: 32, fingerprint: 'f' };
  const bytes = new VectorStore(folder, { ...model, rowFormat: 'bytes' });
  bytes.put({ keys: keyOf(1), vectors: packVectors(new Int8Array(32).fill(127), 32, 'bytes') });
  expect(bytes.rows()?.count).toBe(1);
  const halves = new VectorStore(folder, model);
  expect(halves.rows()).toBeUndefined();
  bytes.close();
  halves.close();
});

const index = buildMemoryPostings([
  plainNote('cars.md', 'Cars', 'automobile engines\n\nand wheels'),
  plainNote('boats.md', 'Boats', 'sails and harbour'),
  plainNote('vehicle.md', 'Vehicle tax', 'the vehicle tax is due in May'),
  plainNote('trucks.md', 'Trucks', 'a vehicle for loads, and a vehicle for long roads'),
  ...Array.from({ length: 14 }, (_, at) =>
    plainNote(`other-${at}.md`, `Other ${at}`, `filler text number ${at}`),
  ),
]);

/** `near` are keys of passages that the query is near to; cars.md has 1 and 2, trucks.md 5. */
async function meaningOf(near: readonly number[], format: RowFormat) {
  const vectors = Array.from({ length: 19 }, (_, at): [number, number[]] => [
    at + 1,
    near.includes(at + 1) ? [100, 10 * near.indexOf(at + 1)] : [at, 100],
  ]);
  return {
    query: { vector: Float32Array.of(1, 0), knownShare: 1 },
    space: spaceOf(await index.shape(), 2, vectors, format),
  };
}

const MODEL = 'sentence-model';

async function ask(options: Partial<RankingOptions> & { fusion?: Fusion; near?: readonly number[] }) {
  const { fusion, near = [2, 5], ...rest } = options;
  const further = { ...(await meaningOf(near, 'bytes')), model: MODEL, ...(fusion ? { fusion } : {}) };
  return rankByWords(planQuery('vehicle'), index, { limit: 10, further, ...rest });
}

test.each<[Fusion, boolean]>([
  ['score', false],
  ['score', true],
  ['rank', false],
  ['rank', true],
])('fused by %s, with a table: %s, contributions sum to the score', async (fusion, hasTable) => {
  const meaning = hasTable ? await meaningOf([4, 5], 'half-bytes') : undefined;
  const { hits } = await ask({ fusion, meaning });
  expect(hits.map(({ path }) => path)).toContain('cars.md');
  for (const { score, contributions } of hits) {
    expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(score, 9);
  }
  const cars = hits.find(({ path }) => path === 'cars.md')!;
  expect(cars.contributions.filter(({ text }) => text === MODEL)).toHaveLength(1);
  // The second passage of the first note: its head is number 1.
  expect(cars.passages).toEqual([{ number: 3, score: 0 }]);
});

test('fused by rank, places in both lists count, and nothing else', async () => {
  const { hits } = await ask({ fusion: 'rank' });
  const constant = DEFAULT_PROFILE.rankConstant;
  const alone = await rankByWords(planQuery('vehicle'), index, { limit: 10 });
  expect(alone.hits).toHaveLength(2);
  const places = new Map(alone.hits.map(({ path }, at) => [path, at + 1]));
  const further = new Map([
    ['cars.md', 1],
    ['trucks.md', 2],
  ]);
  const worth = (place: number | undefined) => (place === undefined ? 0 : 1 / (constant + place));
  const best = alone.hits[0]!.score;
  for (const { path, score } of hits.filter(({ score }) => score > 0)) {
    const expected = worth(places.get(path)) + worth(further.get(path));
    expect(score).toBeCloseTo((best * (constant + 1) * expected) / 2, 9);
  }
  expect(hits[0]!.path).toBe('trucks.md');
});

test('the profile says how a further model is fused, unless the model does', async () => {
  const scores = async (profile: RankingProfile, fusion?: Fusion) =>
    (await ask({ profile, ...(fusion ? { fusion } : {}) })).hits.map(({ path, score }) => [path, score]);
  const byRank = profileWith({ furtherByRank: 1 });
  expect(await scores(byRank)).toEqual(await scores(DEFAULT_PROFILE, 'rank'));
  expect(await scores(DEFAULT_PROFILE)).toEqual(await scores(byRank, 'score'));
  expect(await scores(DEFAULT_PROFILE)).not.toEqual(await scores(byRank));
});

test.each<Fusion>(['score', 'rank'])('fused by %s, scope and exclusions hold', async (fusion) => {
  const paths = async (options: Parameters<typeof ask>[0]) =>
    (await ask({ fusion, ...options })).hits.map(({ path }) => path);
  expect(await paths({ scope: Uint32Array.of(2, 3, 4) })).not.toContain('cars.md');
  expect(await paths({ exclude: [4] })).not.toContain('trucks.md');
  expect(await paths({ scope: Uint32Array.of(1) })).toEqual(['cars.md']);
  const further = { ...(await meaningOf([2, 5], 'bytes')), model: MODEL, fusion };
  const without = await rankByWords(planQuery('vehicle -engines'), index, { limit: 10, further });
  expect(without.hits.map(({ path }) => path)).not.toContain('cars.md');
});

test('a note without a word of the query must lie above the floor of the further model', async () => {
  const paths = async (furtherFloor: number) =>
    (await ask({ profile: profileWith({ furtherFloor }) })).hits.map(({ path }) => path);
  expect(await paths(1)).toContain('cars.md');
  expect(await paths(9)).not.toContain('cars.md');
});

test('a further model of another state of the index is left out', async () => {
  const { space, query } = await meaningOf([2], 'bytes');
  const short = { ...space, passageKeys: space.passageKeys.subarray(8) };
  const alone = await rankByWords(planQuery('vehicle'), index, { limit: 10 });
  const { hits } = await rankByWords(planQuery('vehicle'), index, {
    limit: 10,
    further: { query, space: short, model: MODEL },
  });
  expect(hits.map(({ path, score }) => [path, score])).toEqual(
    alone.hits.map(({ path, score }) => [path, score]),
  );
});
