/** The further model's calibration: made once it has embedded all, renewed with growth, and what it changes in a search. */

import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { MemoryError } from '../../src/core/errors.js';
import { calibrateFurtherWhenGrown } from '../../src/core/memory/calibrate-further.js';
import { judgingOf, usualCalibration } from '../../src/core/memory/calibration.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import type { Embedder } from '../../src/core/ports.js';
import { DEFAULT_THRESHOLDS } from '../../src/core/retrieval/bands.js';
import { makeTempVault } from '../temp-vault.js';
import { type FurtherSettings, furtherModel } from './further-embedder.js';
import { inventedNotes } from './invented-notes.js';

async function opened(files: Readonly<Record<string, string>>, settings: FurtherSettings = {}, changes = {}) {
  const vault = makeTempVault(files);
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const model = furtherModel(settings);
  const embedder: Embedder = { ...model.embedder, ...changes };
  const further = async () => embedder;
  const places = { vault: openVault(vault.root), index, clock: systemClock, further };
  const memory = joinMemory(places);
  onTestFinished(() => memory.close());
  const notices: string[] = [];
  const { fingerprint } = embedder.model;
  return {
    vault,
    index,
    memory,
    model,
    places,
    notices,
    calls: { notice: (text: string) => void notices.push(text) },
    own: () => index.readCalibration(fingerprint),
  };
}

describe('the further model is calibrated', () => {
  test('by the reindex that has embedded all, and not again before the vault has grown by a tenth', async () => {
    const { memory, vault, model, own } = await opened(inventedNotes(100));
    expect(await memory.reindex({})).toMatchObject({ embedded: 100, pending: 0 });
    const first = await own();
    expect(first).toMatchObject({ notes: 100, passages: 60, thresholds: DEFAULT_THRESHOLDS });
    expect(first!.unrelatedCosine).toBeGreaterThan(0);
    expect(first!.unrelatedCosine).toBeLessThanOrEqual(0.95);
    const asked = model.queries.length;
    vault.write(inventedNotes(9, 100));
    await memory.reindex({});
    expect([await own(), model.queries.length]).toEqual([first, asked]);
    vault.write(inventedNotes(1, 109));
    await memory.reindex({});
    expect(await own()).toMatchObject({ notes: 110, passages: 60 });
    expect(model.queries.length).toBeGreaterThan(asked);
  });

  test('neither while passages are without a vector, nor in a small vault', async () => {
    const lost = await opened(inventedNotes(100), { lostAfter: 2 });
    expect(await lost.memory.reindex({}, lost.calls)).toMatchObject({ pending: expect.any(Number) });
    expect(await lost.own()).toBeUndefined();
    const small = await opened(inventedNotes(99));
    expect(await small.memory.reindex({})).toMatchObject({ embedded: 99, pending: 0 });
    expect([await small.own(), small.model.queries]).toEqual([undefined, []]);
    await small.memory.calibrate();
    expect(await small.own()).toMatchObject({ notes: 99 });
  });

  test('although it refuses some text', async () => {
    const files = { ...inventedNotes(100), 'bad.md': '# Bad\n\nfull of poison\n' };
    const { memory, own, calls } = await opened(files, { poison: 'poison' });
    expect(await memory.reindex({}, calls)).toMatchObject({ embedded: 100, pending: 1, failed: 1 });
    expect(await own()).toMatchObject({ notes: 101 });
  });

  test('while the vault is followed, beside the looks', async () => {
    const { memory, own } = await opened(inventedNotes(100));
    const stop = new AbortController();
    const followed = memory.follow({ signal: stop.signal, poll: true, tell: () => {} });
    await expect.poll(own, { timeout: 20_000 }).toMatchObject({ notes: 100 });
    stop.abort();
    await followed;
  });

  test('not where its queries fail: that is told once, and asked once', async () => {
    let asked = 0;
    const embedQuery = async () => {
      asked += 1;
      throw new MemoryError('unavailable', 'The model "further" cannot be reached', { hint: 'Start it.' });
    };
    const { memory, own, notices, calls } = await opened(inventedNotes(100), {}, { embedQuery });
    await memory.reindex({}, calls);
    expect([await own(), asked]).toEqual([undefined, 1]);
    expect(notices.filter((text) => text.includes('cannot be reached'))).toHaveLength(1);
    asked = 0;
    await memory.calibrate(calls);
    expect([await own(), asked]).toEqual([undefined, 1]);
  });

  test('never where none is set', async () => {
    const { places } = await opened(inventedNotes(3));
    const { further: _, ...without } = places;
    expect(await calibrateFurtherWhenGrown(without)).toBe(false);
  });
});

describe('its unrelated cosine', () => {
  test('is measured, and moves the bands of a search', async () => {
    const { memory, index, own, model } = await opened(inventedNotes(100));
    await memory.reindex({});
    const measured = await own();
    const ask = async () => {
      const input = { query: 'nakfi', semantic: true, nearest: true } as const;
      const { hits, streams } = await memory.search(input);
      expect(streams).toContain('further');
      return hits.map(({ band }) => band);
    };
    const keep = async (unrelatedCosine: number) => {
      const writing = await index.startWriting({ wait: true });
      await writing!.keepCalibration({ ...measured!, unrelatedCosine });
      await writing!.end();
      return ask();
    };
    const usual = await keep(0.5);
    const own95 = await keep(measured!.unrelatedCosine);
    const near = await keep(0.1);
    const rank = (bands: readonly string[]) =>
      bands.reduce((sum, band) => sum + ['none', 'low', 'medium', 'high'].indexOf(band), 0);
    // These vectors are near each other by chance: with the usual bar much of it would count as meaning.
    expect(measured!.unrelatedCosine).toBeGreaterThan(0.5);
    expect(rank(own95)).toBeLessThan(rank(usual));
    expect(rank(usual)).toBeLessThanOrEqual(rank(near));
    expect(model.queries.length).toBeGreaterThan(0);
  });

  test('is what its makers say until it is measured', () => {
    const model = { unrelatedCosine: 0.7 };
    const cosineOf = (...given: Parameters<typeof judgingOf>) => judgingOf(...given).profile.unrelatedCosine;
    const measured = { ...usualCalibration('a', 100, systemClock), passages: 60, unrelatedCosine: 0.8 };
    expect(cosineOf(undefined, model)).toBe(0.7);
    expect(cosineOf(usualCalibration('a', 100, systemClock), model)).toBe(0.7);
    expect(cosineOf(measured, model)).toBe(0.8);
    expect(cosineOf(undefined, {})).toBe(0.5);
  });
});
