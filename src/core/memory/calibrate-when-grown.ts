/** Renews the calibration of a vault that has grown. How it is made is calibrate.ts, loaded where it is due. */

import { MemoryError } from '../errors.js';
import { isOutgrown, keepCalibrations, LEAST_NOTES, usualCalibration } from './calibration.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { withModel } from './with-model.js';

/**
 * After a reindex, where the vault is a tenth larger than when it was calibrated. One that never was is only noted with
 * its size, for the usual bars fit most vaults and nobody's first reindex is to wait for better ones. Trouble is told
 * and harms nothing.
 */
export async function calibrateWhenGrown(places: Places, options: CallOptions = {}): Promise<boolean> {
  const { noteCount } = await places.index.shape();
  if (noteCount === 0) return false;
  const model =
    (await withModel(places.embedder, options, 'words alone are calibrated', async ({ model }) => model))
      ?.fingerprint ?? '';
  const last = await places.index.readCalibration(model);
  if (!last) await keepCalibrations(places, [usualCalibration(model, noteCount, places.clock)], options);
  if (!last || noteCount < LEAST_NOTES || !isOutgrown(last, noteCount)) return false;
  try {
    const { probe } = await import('./calibrate.js');
    const { calibration } = await probe(places, options);
    await keepCalibrations(places, [calibration], options);
    return calibration !== undefined;
  } catch (error) {
    if (options.signal?.aborted || !(error instanceof MemoryError)) throw error;
    options.notice?.(`the bands of confidence were not renewed: ${error.message}`);
    return false;
  }
}
