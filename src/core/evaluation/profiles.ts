/** The rankings that can be compared by name. What each constant means stands in retrieval/profile.ts. */

import { MemoryError } from '../errors.js';
import { DEFAULT_PROFILE, profileWith, type RankingProfile } from '../retrieval/profile.js';

/** `isGated`: meaning is asked for only where the gate (retrieval/gate.ts) opens. */
export type MeasuredProfile = RankingProfile & { readonly isGated?: true };

export const PROFILES: Readonly<Record<string, MeasuredProfile>> = {
  default: DEFAULT_PROFILE,
  /** Without meaning. */
  words: profileWith({ meaningWeight: 0 }),
  /** BM25 over fields and nothing else: what each addition is measured against. */
  plain: profileWith({
    meaningWeight: 0,
    prefixWeight: 0,
    coverageWeight: 0,
    adjacencyWeight: 0,
    bestPassageShare: 0,
    exactTitleLift: 0,
    exactHeadingLift: 0,
  }),
  /** What the gate costs and saves, with the built-in table in the place of a further model. */
  gated: { ...DEFAULT_PROFILE, isGated: true },
};

export function profileNamed(name: string): MeasuredProfile {
  const profile = PROFILES[name];
  if (profile) return profile;
  throw new MemoryError('invalid_input', `There is no profile "${name}"`, {
    hint: `There are: ${Object.keys(PROFILES).join(', ')}.`,
  });
}
