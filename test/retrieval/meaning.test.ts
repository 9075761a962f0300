/** The stream of meaning: the kernel's comparison against plain arithmetic, and what it adds to a ranking by words. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VectorStore } from '../../src/adapters/index-sqlite/vector-store.js';
import { collectionOf } from '../../src/core/retrieval/collection.js';
import { type CollectionShape, KEY_BYTES, type VectorSpace } from '../../src/core/retrieval/evidence.js';
import { kernelWithVectors } from '../../src/core/retrieval/kernel.js';
import { compareWithAll } from '../../src/core/retrieval/meaning.js';
import { packedBytes, packVectors } from '../../src/core/retrieval/pack-vectors.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { DEFAULT_PROFILE, profileWith } from '../../src/core/retrieval/profile.js';
import { rankByWords } from '../../src/core/retrieval/rank.js';
import { seededRandom } from '../random.js';
import { buildMemoryPostings, plainNote } from './memory-postings.js';

/** Notes of a head and the given numbers of passages. */
function shapeOf(passages: readonly number[]): CollectionShape {
  const noteOf: number[] = [];
  passages.forEach((count, at) => {
    for (let i = 0; i <= count; i++) noteOf.push(at + 1);
  });
  return {
    noteCount: passages.length,
    noteOf: Uint32Array.from(noteOf),
    bodyLength: new Uint16Array(noteOf.length).fill(3),
    otherLength: new Uint16Array(noteOf.length),
  };
}

function keyOf(number: number): Uint8Array {
  return new Uint8Array(BigUint64Array.of(BigInt(number)).buffer);
}

/** Passage numbers get the keys 1, 2 … in order; heads have none. `vectors` are by key. */
function spaceOf(
  shape: CollectionShape,
  dimensions: number,
  vectors: readonly (readonly [key: number, vector: readonly number[]])[],
): VectorSpace {
  const passageKeys = new Uint8Array(shape.noteOf.length * KEY_BYTES);
  let next = 1;
  shape.noteOf.forEach((note, at) => {
    if (at > 0 && shape.noteOf[at - 1] === note) passageKeys.set(keyOf(next++), at * KEY_BYTES);
  });
  const store = new VectorStore(undefined, { id: 'm', dimensions, fingerprint: 'f' });
  for (const [key, vector] of vectors) {
    store.put({ keys: keyOf(key), vectors: packVectors(scaled(vector), dimensions) });
  }
  return { format: 'half-bytes', rowBytes: packedBytes(dimensions), rows: store.rows()!, passageKeys };
}

function scaled(vector: readonly number[]): Int8Array {
  const largest = Math.max(...vector.map(Math.abs));
  return Int8Array.from(vector, (value) => Math.round((127 * value) / largest));
}

/** What is left of a vector in half bytes. */
function kept(vector: readonly number[]): number[] {
  return [...scaled(vector)].map((value) => Math.round((value * 7) / 127));
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}

const vectorOf = (dimensions: number) =>
  fc
    .array(fc.integer({ min: -127, max: 127 }), { minLength: dimensions, maxLength: dimensions })
    .filter((vector) => vector.some((value) => value !== 0));

test('compareWithAll() finds every note’s best passage and its deviation from the mean', () => {
  const scene = fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
    fc.record({
      dimensions: fc.constant(dimensions),
      notes: fc.array(fc.array(vectorOf(dimensions), { minLength: 1, maxLength: 4 }), {
        minLength: 2,
        maxLength: 8,
      }),
      query: vectorOf(dimensions),
    }),
  );
  fc.assert(
    fc.property(scene, ({ dimensions, notes, query }) => {
      const shape = shapeOf(notes.map((passages) => passages.length));
      const vectors = notes.flat().map((vector, at) => [at + 1, vector] as const);
      const kernel = kernelWithVectors(shape, spaceOf(shape, dimensions, vectors));
      kernel.startQuery();
      const found = compareWithAll(kernel, Float32Array.from(query), DEFAULT_PROFILE, 0);
      // A query is compared in whole bytes.
      const asked = [...scaled(query)];
      const best = notes.map((passages) =>
        Math.max(...passages.map((vector) => cosine(kept(vector), asked))),
      );
      const mean = best.reduce((sum, value) => sum + value, 0) / best.length;
      const deviation = Math.sqrt(best.reduce((sum, value) => sum + (value - mean) ** 2, 0) / best.length);
      best.forEach((value, at) => {
        if (deviation > 0.01) expect(found.zOf(at + 1)).toBeCloseTo((value - mean) / deviation, 1);
        const passage = found.bestPassage(at + 1);
        expect(shape.noteOf[passage]).toBe(at + 1);
        const place = passage - shape.noteOf.indexOf(at + 1) - 1;
        expect(cosine(kept(notes[at]![place]!), asked)).toBeCloseTo(value, 3);
      });
    }),
    { numRuns: 100 },
  );
});

test('compareWithAll() finds the same where the vectors pass by as where they are kept', () => {
  const dimensions = 20;
  const random = seededRandom(7);
  const vector = () => Array.from({ length: dimensions }, () => random.below(255) - 127);
  // More than the kernel takes at once, some of them rows of one passage, some of none.
  const shape = shapeOf(Array.from({ length: 900 }, (_, at) => 1 + (at % 9)));
  const vectors = Array.from({ length: 9_000 }, (_, at) => [1 + Math.floor(at / 2), vector()] as const);
  const space = spaceOf(shape, dimensions, vectors);
  const ask = (query: Float32Array, streamed: boolean) => {
    const kernel = kernelWithVectors(shape, space, streamed ? query : undefined);
    kernel.startQuery();
    const found = compareWithAll(kernel, query, DEFAULT_PROFILE, 0);
    const notes = Array.from({ length: 900 }, (_, at) => at + 1);
    return {
      room: kernel.rowsLength.value,
      pending: kernel.pending.value,
      closest: found.closest(20),
      each: notes.map((note) => [found.zOf(note), found.cosineOf(note), found.bestPassage(note)]),
    };
  };
  const queries = [vector(), vector()].map((query) => Float32Array.from(query));
  const passing = ask(queries[0]!, true);
  expect(ask(queries[0]!, true)).toEqual(passing);
  const next = ask(queries[1]!, true);
  expect(next.room).toBeGreaterThan(passing.room);
  const { room: _, ...same } = ask(queries[0]!, false);
  expect(passing).toMatchObject(same);
  expect(ask(queries[1]!, false)).toEqual(next);
  expect(next.closest).not.toEqual(passing.closest);
});

test('compareWithAll() leaves out notes without vectors, and takes the last of two with one key', () => {
  const shape = shapeOf([1, 1, 1]);
  const space = spaceOf(shape, 2, [
    [1, [100, 0]],
    [3, [100, 0]],
    [99, [100, 100]],
    [3, [0, 100]],
  ]);
  const kernel = kernelWithVectors(shape, space);
  kernel.startQuery();
  const found = compareWithAll(kernel, Float32Array.of(1, 0), DEFAULT_PROFILE, 0);
  expect([1, 2, 3].map(found.zOf)).toEqual([1, 0, -1]);
  expect(kernel.pending.value).toBe(1);
  expect(kernel.compared.value).toBe(2);
});

test('closest() gives the best of those allowed, none below the floor', () => {
  const shape = shapeOf(Array.from({ length: 8 }, () => 1));
  const vectors = Array.from({ length: 8 }, (_, at) => [at + 1, [7, 7 - at]] as const);
  const kernel = kernelWithVectors(shape, spaceOf(shape, 2, vectors));
  const ask = (floor: number, allowed?: Uint8Array) => {
    kernel.startQuery();
    let mask = 0;
    if (allowed) {
      mask = kernel.allocate(allowed.length);
      new Uint8Array(kernel.memory.buffer, mask).set(allowed);
    }
    const profile = profileWith({ meaningFloor: floor });
    return [...compareWithAll(kernel, Float32Array.of(1, 0), profile, mask).closest(3)].sort((a, b) => a - b);
  };
  expect(ask(-9)).toEqual([6, 7, 8]);
  expect(ask(9)).toEqual([]);
  const evenOnly = Uint8Array.from({ length: 9 }, (_, note) => Number(note % 2 === 0));
  expect(ask(-9, evenOnly)).toEqual([4, 6, 8]);
});

test('compareWithAll() takes the best of the rows of a passage, and of several runs of rows the last', () => {
  const shape = shapeOf([1, 1]);
  const space = spaceOf(shape, 2, [
    [1, [100, 0]],
    [2, [0, 100]],
    [2, [100, 100]],
    [1, [0, 100]],
    [1, [-100, 0]],
  ]);
  const kernel = kernelWithVectors(shape, space);
  const cosines = () => [
    ...new Float64Array(kernel.memory.buffer, kernel.cosines.value, kernel.noteLimit.value).slice(1),
  ];
  kernel.startQuery();
  compareWithAll(kernel, Float32Array.of(1, 0), DEFAULT_PROFILE, 0);
  expect(cosines().map((value) => Math.round(value * 1000))).toEqual([0, 707]);
  compareWithAll(kernel, Float32Array.of(0, 1), DEFAULT_PROFILE, 0);
  expect(cosines().map((value) => Math.round(value * 1000))).toEqual([1000, 1000]);
});

const index = buildMemoryPostings([
  plainNote('cars.md', 'Cars', 'automobile engines and wheels'),
  plainNote('boats.md', 'Boats', 'sails and harbour'),
  plainNote('vehicle.md', 'Vehicle tax', 'the vehicle tax is due in May'),
  plainNote('plants.md', 'Plants', 'water the ferns'),
  ...Array.from({ length: 12 }, (_, at) =>
    plainNote(`other-${at}.md`, `Other ${at}`, `filler text number ${at}`),
  ),
]);

async function meaning(knownShare: number) {
  const shape = await index.shape();
  const near = [100, 0];
  const far = [0, 100];
  const vectors = Array.from({ length: 16 }, (_, at) => [at + 1, at === 0 || at === 2 ? near : far] as const);
  return {
    query: { vector: Float32Array.of(1, 0), knownShare },
    space: spaceOf(shape, 2, vectors),
  };
}

test('rankByWords() with meaning finds notes without any word of the query, and places them at their passage', async () => {
  const plan = planQuery('vehicle');
  const { hits } = await rankByWords(plan, index, { limit: 10, meaning: await meaning(1) });
  expect(hits.slice(0, 2).map(({ path }) => path)).toEqual(['vehicle.md', 'cars.md']);
  expect(hits[1]!.contributions.map(({ kind }) => kind)).toEqual(['meaning']);
  expect(hits[1]!.passages).toEqual([{ number: 2, score: 0 }]);
  for (const { score, contributions } of hits) {
    expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(score, 9);
  }
});

test('rankByWords() ranks as by words alone where the model knows nothing of the query', async () => {
  const plan = planQuery('vehicle tax');
  const order = async (options: object) =>
    (await rankByWords(plan, index, { limit: 10, ...options })).hits.map(({ path, score }) => [path, score]);
  const alone = await order({});
  const withNothing = await order({ meaning: await meaning(0) });
  expect(withNothing.slice(0, alone.length)).toEqual(alone);
});

test('rankByWords() counts words of the query in one place as far as meaning is trusted', async () => {
  const plan = planQuery('tax due in May');
  const spanWith = async (options: object) => {
    const { hits } = await rankByWords(plan, index, { limit: 10, ...options });
    expect(hits[0]!.path).toBe('vehicle.md');
    return hits[0]!.contributions.find(({ kind }) => kind === 'span')?.amount ?? 0;
  };
  const whole = await spanWith({ meaning: await meaning(1) });
  const half = await spanWith({ meaning: await meaning(0.5) });
  expect(whole).toBeGreaterThan(0);
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThan(whole / 2);
  expect(await spanWith({ meaning: await meaning(0) })).toBe(0);
  expect(await spanWith({})).toBe(0);
});

test('rankByWords() keeps exclusions and scope against meaning', async () => {
  const all = { limit: 10, meaning: await meaning(1) };
  const without = await rankByWords(planQuery('vehicle -engines'), index, all);
  expect(without.hits.map(({ path }) => path)).not.toContain('cars.md');
  const scoped = await rankByWords(planQuery('vehicle'), index, { ...all, scope: Uint32Array.of(2, 3) });
  expect(scoped.hits.map(({ path }) => path)).not.toContain('cars.md');
});

test('rankByWords() does without vectors that belong to another state of the index', async () => {
  const { query, space } = await meaning(1);
  const short = { ...space, passageKeys: space.passageKeys.subarray(8) };
  const { hits } = await rankByWords(planQuery('vehicle'), index, {
    limit: 10,
    meaning: { query, space: short },
  });
  expect(hits.map(({ path }) => path)).toEqual(['vehicle.md']);
  expect(collectionOf(await index.shape()).noteLimit).toBe(17);
});
