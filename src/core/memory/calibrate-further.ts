/**
 * The further model's own calibration: what cosine it gives to texts that have nothing to do with each other, which is
 * .1 for one encoder and .8 for another. Made where its vectors are (reindex.ts, follow-further.ts); how: calibrate.ts.
 */

import type { Embedder } from '../ports.js';
import { renewCalibration } from './calibrate.js';
import { isMeasured, isOutgrown, LEAST_NOTES } from './calibration.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { withModel } from './with-model.js';

/**
 * Once every passage has a vector, and again when the vault has grown by a tenth. Nobody waits for it who has not waited
 * longer for the vectors. Trouble is told and harms nothing.
 */
export async function calibrateFurtherWhenGrown(places: Places, options: CallOptions = {}): Promise<boolean> {
  if (!places.further) return false;
  const quiet = { ...options, notice: undefined };
  // Who could not open it has said so when it was to embed.
  const isMade = await withModel(places.further, quiet, '', async ({ model }) => {
    if (!(await isDue(places, model))) return false;
    return renewCalibration(places, 'further', `the bands of confidence with "${model.id}"`, options);
  });
  return isMade ?? false;
}

async function isDue({ index }: Places, model: Embedder['model']): Promise<boolean> {
  const { noteCount } = await index.shape();
  if (noteCount < LEAST_NOTES) return false;
  const last = await index.readCalibration(model.fingerprint);
  if (isMeasured(last) && !isOutgrown(last, noteCount)) return false;
  const { embedded, pending, failed } = await index.vectorCounts(model);
  return embedded > 0 && pending === failed;
}
