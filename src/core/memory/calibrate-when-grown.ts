/** Renews the calibration of a vault that has grown. How it is made is calibrate.ts, loaded where it is due. */

import type { UpdateCounts } from './bring-up-to-date.js';
import { isOutgrown, keepCalibrations, LEAST_NOTES, modelOf, usualCalibration } from './calibration.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';

/**
 * After a reindex, where the vault is a tenth larger than when it was calibrated. One that never was is only noted with
 * its size, for the usual bars fit most vaults and nobody's first reindex is to wait for better ones. Trouble is told
 * and harms nothing.
 */
export async function calibrateWhenGrown(
  places: Places,
  { indexed, unchanged, moved }: UpdateCounts,
  options: CallOptions = {},
): Promise<boolean> {
  const noteCount = indexed + unchanged + moved;
  if (noteCount === 0) return false;
  const model = (await modelOf(places.embedder, options))?.fingerprint ?? '';
  const last = await places.index.readCalibration(model);
  if (!last) await keepCalibrations(places, [usualCalibration(model, noteCount, places.clock)], options);
  if (!last || noteCount < LEAST_NOTES || !isOutgrown(last, noteCount)) return false;
  const { renewCalibration } = await import('./calibrate.js');
  return renewCalibration(places, 'table', 'the bands of confidence', options);
}
