/** From a confidence (confidence.ts) to a word for it. Those of a vault are found in memory/calibrate.ts. */

import { DEFAULT_PROFILE, type RankingProfile } from './profile.js';

/** `none`: not more than chance gives a query about nothing in the vault. */
export const BANDS = ['high', 'medium', 'low', 'none'] as const;
export type Band = (typeof BANDS)[number];

/** Least confidence of each band, rising. */
export type BandThresholds = { readonly low: number; readonly medium: number; readonly high: number };

/** The bands of one vault with one model, found in memory/calibrate.ts. */
export type Calibration = {
  /** Fingerprint of the model whose meaning took part; empty for words alone. */
  readonly model: string;
  readonly atMs: number;
  /** How large the vault was. */
  readonly notes: number;
  /** Passages that queries were made of; 0 where nothing was measured and the usual thresholds hold. */
  readonly passages: number;
  readonly thresholds: BandThresholds;
  /** Up to this cosine the model finds what has nothing to do with a query; as in the ranking's profile. */
  readonly unrelatedCosine: number;
};

/** For vaults that were never calibrated. */
export const DEFAULT_THRESHOLDS: BandThresholds = thresholdsOf(DEFAULT_PROFILE);

export function thresholdsOf({
  lowBand,
  mediumBand,
  highBand,
}: Pick<RankingProfile, 'lowBand' | 'mediumBand' | 'highBand'>): BandThresholds {
  return { low: lowBand, medium: mediumBand, high: highBand };
}

export function bandOf(confidence: number, thresholds: BandThresholds = DEFAULT_THRESHOLDS): Band {
  if (confidence >= thresholds.high) return 'high';
  if (confidence >= thresholds.medium) return 'medium';
  return confidence >= thresholds.low ? 'low' : 'none';
}

/** The better of two. */
export function higherBand(a: Band, b: Band): Band {
  return BANDS.indexOf(a) <= BANDS.indexOf(b) ? a : b;
}
