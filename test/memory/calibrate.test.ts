/** Calibration of the bands: what is sampled, where thresholds land, when it is renewed, and that losing it does no harm. */

import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { isOutgrown, judgingOf } from '../../src/core/memory/calibration.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import { makeProbes } from '../../src/core/memory/probes.js';
import { DEFAULT_THRESHOLDS } from '../../src/core/retrieval/bands.js';
import { FOREIGN_SENTENCES } from '../../src/core/text/foreign-sentences.js';
import { deterministicEmbedder } from '../embedders/deterministic-embedder.js';
import { makeTempVault } from '../temp-vault.js';
import { inventedNotes } from './invented-notes.js';
import { memoryOf } from './memory-of.js';

async function indexed(files: Readonly<Record<string, string>>) {
  const vault = makeTempVault(files);
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const memory = joinMemory({ vault: openVault(vault.root), index, clock: systemClock });
  onTestFinished(() => memory.close());
  await memory.reindex({});
  return { vault, index, memory };
}

describe('makeProbes()', () => {
  const passages = Object.values(inventedNotes(12));

  test('two of each passage, and the same ones for the same seed', () => {
    const probes = makeProbes(passages, 1);
    const count = (kind: string) => probes.filter((probe) => probe.kind === kind).length;
    expect([count('own'), count('mixed'), count('letters')]).toEqual([12, 12, 40]);
    expect(count('foreign')).toBe(Object.values(FOREIGN_SENTENCES).flat().length);
    expect(makeProbes(passages, 1)).toEqual(probes);
    expect(makeProbes(passages, 2)).not.toEqual(probes);
  });

  test('own words come from one passage, mixed ones from several, letters from none', () => {
    const words = passages.map((text) => new Set(text.toLowerCase().split(/[^a-z]+/)));
    const holders = (text: string) =>
      words.filter((known) =>
        text
          .toLowerCase()
          .split(' ')
          .every((word) => known.has(word)),
      );
    const of = (kind: string) => makeProbes(passages, 1).filter((probe) => probe.kind === kind);
    expect(of('own').every(({ text }) => holders(text).length > 0)).toBe(true);
    expect(of('mixed').some(({ text }) => holders(text).length === 0)).toBe(true);
    expect(of('letters').filter(({ text }) => holders(text).length > 0)).toEqual([]);
  });

  test('none where there is too little text', () => {
    expect(makeProbes([], 1)).toEqual([]);
    expect(makeProbes(['one two', 'three'], 1)).toEqual([]);
  });

  test('a passage in a script without spaces gives probes of its letters', () => {
    const text = '检索把查询的词与笔记的段落比较，按稀有程度加权，再按意义排序。索引可以随时删除';
    const probes = makeProbes(
      Array.from({ length: 8 }, () => text),
      1,
    );
    expect(
      probes.filter(({ kind }) => kind === 'own').every((probe) => /\p{Script=Han}/u.test(probe.text)),
    ).toBe(true);
  });
});

describe('calibrate()', () => {
  test('sets thresholds in order, near the usual ones, and says what they come from', async () => {
    const { memory } = await indexed(inventedNotes(30));
    const output = await memory.calibrate();
    expect(output).toMatchObject({ notes: 30, passages: 30 });
    const { low, medium, high } = output;
    expect(low).toBeGreaterThan(0.7 * DEFAULT_THRESHOLDS.low);
    expect(low).toBeLessThan(1.2 * DEFAULT_THRESHOLDS.low);
    expect(medium).toBeGreaterThan(low);
    expect(high).toBeGreaterThan(medium);
    const at = (kind: string) => output.probes.find((probe) => probe.kind === kind)!;
    expect(at('own').p50).toBeGreaterThan(at('mixed').p50);
    expect(at('mixed').p50).toBeGreaterThan(at('letters').p50);
    expect(output.queries).toBe(output.probes.reduce((sum, { queries }) => sum + queries, 0));
  });

  test('comes to the same in the same vault', async () => {
    const { memory } = await indexed(inventedNotes(20));
    const [first, second] = [await memory.calibrate(), await memory.calibrate()];
    expect({ ...second, ms: 0 }).toEqual({ ...first, ms: 0 });
  });

  test('is kept with the index, told by status, and lost with the index', async () => {
    const { memory, index, vault } = await indexed(inventedNotes(20));
    expect(await memory.status()).toMatchObject({ calibrated: '', calibratedNotes: 0 });
    const { low, medium, high } = await memory.calibrate();
    expect(await index.readCalibration('')).toMatchObject({ notes: 20, thresholds: { low, medium, high } });
    expect(await index.readCalibration('another model')).toBeUndefined();
    expect(await memory.status()).toMatchObject({
      calibrated: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      calibratedNotes: 20,
    });
    const fresh = await openSqliteIndex({ folder: undefined, clock: systemClock });
    const again = joinMemory({ vault: openVault(vault.root), index: fresh, clock: systemClock });
    onTestFinished(() => again.close());
    await again.reindex({});
    expect(await fresh.readCalibration('')).toMatchObject({ passages: 0, thresholds: DEFAULT_THRESHOLDS });
    expect((await again.status()).calibrated).toBe('');
    expect((await again.search({ query: 'karo' })).notes).toBe(20);
  });

  test('a vault with too little text keeps the usual thresholds', async () => {
    const { memory } = await memoryOf({ 'a.md': 'one line', 'b.md': '' });
    await memory.reindex({});
    expect(await memory.calibrate()).toMatchObject({
      queries: 0,
      passages: 0,
      probes: [],
      ...DEFAULT_THRESHOLDS,
    });
    expect((await memory.status()).calibrated).toBe('');
  });

  test('an empty vault can be asked to', async () => {
    const { memory } = await memoryOf({ 'readme.txt': 'no note' });
    await memory.reindex({});
    expect(await memory.calibrate()).toMatchObject({ notes: 0, queries: 0 });
  });

  test('stops when it is told to', async () => {
    const { memory } = await indexed(inventedNotes(20));
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(memory.calibrate({ signal: stopped })).rejects.toThrow('enough');
  });
});

describe('with a further model', () => {
  test('it gets an unrelated cosine of its own, beside the calibration of words', async () => {
    const further = deterministicEmbedder;
    const vault = makeTempVault(inventedNotes(20));
    const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
    const memory = joinMemory({
      vault: openVault(vault.root),
      index,
      clock: systemClock,
      further: async () => further,
    });
    onTestFinished(() => memory.close());
    await memory.reindex({});
    await memory.calibrate();
    const own = await index.readCalibration(further.model.fingerprint);
    expect(own?.thresholds).toEqual(DEFAULT_THRESHOLDS);
    expect(own!.unrelatedCosine).toBeGreaterThan(0);
    expect(own!.unrelatedCosine).toBeLessThanOrEqual(0.95);
    expect(await index.readCalibration('')).toMatchObject({ unrelatedCosine: 0.5 });
  });
});

describe('renewal', () => {
  test('a first reindex only notes the size; the usual bars hold', async () => {
    const { index, memory } = await indexed(inventedNotes(120));
    expect(await index.readCalibration('')).toMatchObject({
      notes: 120,
      passages: 0,
      thresholds: DEFAULT_THRESHOLDS,
    });
    expect(await memory.status()).toMatchObject({ calibrated: '', calibratedNotes: 0 });
  });

  test('a small vault is calibrated on request alone', async () => {
    const { index, memory, vault } = await indexed(inventedNotes(40));
    vault.write(inventedNotes(20, 40));
    await memory.reindex({});
    expect(await index.readCalibration('')).toMatchObject({ notes: 40, passages: 0 });
  });

  test('an empty vault has no size to grow from', async () => {
    const { index, memory, vault } = await indexed({ 'readme.txt': 'no note' });
    expect(await index.readCalibration('')).toBeUndefined();
    vault.write(inventedNotes(120));
    await memory.reindex({});
    expect(await index.readCalibration('')).toMatchObject({ notes: 120, passages: 0 });
  });

  test('reindex renews it once the vault has grown by a tenth, and not before', async () => {
    const { memory, index, vault } = await indexed(inventedNotes(100));
    const first = await index.readCalibration('');
    vault.write(inventedNotes(9, 100));
    await memory.reindex({});
    expect(await index.readCalibration('')).toEqual(first);
    vault.write(inventedNotes(1, 109));
    await memory.reindex({});
    const second = await index.readCalibration('');
    expect(second).toMatchObject({ notes: 110, passages: 60 });
    expect(await memory.status()).toMatchObject({ calibratedNotes: 110 });
    vault.write(inventedNotes(10, 110));
    await memory.reindex({});
    expect(await index.readCalibration('')).toEqual(second);
    vault.write(inventedNotes(1, 120));
    await memory.reindex({});
    expect(await index.readCalibration('')).toMatchObject({ notes: 121, passages: 60 });
  });

  test('a search never calibrates', async () => {
    const { memory, index, vault } = await indexed(inventedNotes(40));
    vault.write(inventedNotes(80, 40));
    expect((await memory.search({ query: 'karo', freshness: 'always' })).notes).toBe(120);
    expect(await index.readCalibration('')).toMatchObject({ notes: 40, passages: 0 });
  });

  test('isOutgrown() from a tenth more notes on', () => {
    const calibration = {
      model: '',
      atMs: 0,
      notes: 50,
      passages: 9,
      thresholds: DEFAULT_THRESHOLDS,
      unrelatedCosine: 0.4,
    };
    expect([50, 54, 55, 200].map((now) => isOutgrown(calibration, now))).toEqual([false, false, true, true]);
    expect(judgingOf(calibration)).toMatchObject({
      thresholds: DEFAULT_THRESHOLDS,
      profile: { unrelatedCosine: 0.4 },
    });
    expect(judgingOf(undefined)).toMatchObject({
      thresholds: DEFAULT_THRESHOLDS,
      profile: { unrelatedCosine: 0.5 },
    });
  });
});
