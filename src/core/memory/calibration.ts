/** How a vault's calibration is used, and when it is too old. It is made in calibrate.ts and kept with the index. */

import type { Clock, Embedder, EmbeddingModel } from '../ports.js';
import { type BandThresholds, type Calibration, DEFAULT_THRESHOLDS } from '../retrieval/bands.js';
import type { ConfidenceProfile } from '../retrieval/confidence.js';
import { DEFAULT_PROFILE } from '../retrieval/profile.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { withModel } from './with-model.js';

/** Smaller vaults are calibrated on request alone: a tenth of ten notes comes every day. */
export const LEAST_NOTES = 100;

/** What judge() takes, for a vault with or without a calibration; without one what the model's makers say counts. */
export function judgingOf(
  calibration: Calibration | undefined,
  model?: Pick<EmbeddingModel, 'unrelatedCosine'>,
): { readonly thresholds: BandThresholds; readonly profile: ConfidenceProfile } {
  const { unrelatedCosine: said = DEFAULT_PROFILE.unrelatedCosine } = model ?? {};
  const { thresholds, unrelatedCosine } = isMeasured(calibration)
    ? calibration
    : { thresholds: DEFAULT_THRESHOLDS, unrelatedCosine: said };
  return { thresholds, profile: { ...DEFAULT_PROFILE, unrelatedCosine } };
}

/** By a tenth. */
export function isOutgrown({ notes }: Calibration, now: number): boolean {
  return 10 * now >= 11 * notes;
}

/** What stands for a vault that was never calibrated: the size that its growth is told from. */
export function usualCalibration(model: string, notes: number, clock: Clock): Calibration {
  const { unrelatedCosine } = DEFAULT_PROFILE;
  return {
    model,
    atMs: clock.nowMs(),
    notes,
    passages: 0,
    thresholds: DEFAULT_THRESHOLDS,
    unrelatedCosine,
  };
}

/** Whether queries were put to the vault. */
export function isMeasured(calibration: Calibration | undefined): calibration is Calibration {
  return calibration !== undefined && calibration.passages > 0;
}

/** The model that a calibration is of; undefined for words alone. */
export async function modelOf(
  open: (() => Promise<Embedder | undefined>) | undefined,
  options: CallOptions,
): Promise<EmbeddingModel | undefined> {
  return withModel(open, options, 'words alone are calibrated', async ({ model }) => model);
}

export async function keepCalibrations(
  { index }: Places,
  made: readonly (Calibration | undefined)[],
  options: CallOptions,
): Promise<void> {
  if (made.every((calibration) => calibration === undefined)) return;
  const writing = await index.startWriting({ wait: true, signal: options.signal });
  if (!writing) return;
  try {
    for (const calibration of made) if (calibration) await writing.keepCalibration(calibration);
  } finally {
    await writing.end();
  }
}
