/**
 * Calibrations (core/memory/calibrate.ts) of the index that a rebuild replaces. They are the one thing in it that no
 * reading of the notes brings back, so they go into the new one as far as the old one can still be read.
 */

import { join } from 'node:path';
import type { Calibration } from '../../core/retrieval/bands.js';
import { INDEX_NAME } from './index-folder.js';
import { calibrationKey } from './index-reader.js';
import { BUSY_MS, type Database } from './native.js';
import type { SqliteIndex } from './sqlite-index.js';

/** None where the old index is damaged there. */
export function calibrationsOf(index: SqliteIndex): readonly Calibration[] {
  let opened: Database | undefined;
  try {
    if (index.folder === undefined) return readAll(index.memoryDatabase());
    opened = new index.Sqlite(join(index.folder, INDEX_NAME), {
      fileMustExist: true,
      readonly: true,
      timeout: BUSY_MS,
    });
    return readAll(opened);
  } catch {
    return [];
  } finally {
    opened?.close();
  }
}

export function storeCalibration(database: Database, calibration: Calibration): void {
  const key = calibrationKey(calibration.model);
  database.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, JSON.stringify(calibration));
}

function readAll(database: Database): readonly Calibration[] {
  const rows = database.prepare('SELECT key, value FROM meta WHERE key GLOB ?').all(`${calibrationKey('')}*`);
  return (rows as readonly { readonly key: string; readonly value: string }[])
    .map(({ key, value }) => ({ key, calibration: JSON.parse(value) as unknown }))
    .filter(({ key, calibration }) => isCalibration(calibration) && key === calibrationKey(calibration.model))
    .map(({ calibration }) => calibration as Calibration);
}

/** A byte that changed inside a value is not noticed by SQLite. */
function isCalibration(value: unknown): value is Calibration {
  const { model, atMs, notes, passages, thresholds, unrelatedCosine } = (value ?? {}) as Partial<Calibration>;
  const { low = Number.NaN, medium = Number.NaN, high = Number.NaN } = thresholds ?? {};
  return (
    typeof model === 'string' &&
    [atMs, notes, passages].every((number) => Number.isFinite(number) && Number(number) >= 0) &&
    0 < low &&
    low <= medium &&
    medium <= high &&
    high < 1.5 &&
    Number(unrelatedCosine) > -1 &&
    Number(unrelatedCosine) < 1
  );
}
