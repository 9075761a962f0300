/** Where a ranking ends: after a wide gap, or far below the best. */

import type { RankingProfile } from './profile.js';
import type { Contribution } from './score.js';

type Scored = { readonly score: number; readonly contributions?: readonly Contribution[] };

/**
 * Hits up to the first that falls too far below the best or the one before it. Lifts for a note's very name do not
 * count: a note that is called what was asked for is no reason to hide those that speak of it. Nor is one that spells an
 * identifier as the query does.
 */
export function cutAtGap<T extends Scored>(hits: readonly T[], profile: RankingProfile): readonly T[] {
  let best = 0;
  let before = 0;
  for (let at = 0; at < hits.length; at++) {
    const score = scoreBeforeLifts(hits[at]!);
    if (score < profile.gapShare * before || score < profile.floorShare * best) return hits.slice(0, at);
    best = Math.max(best, score);
    before = score;
  }
  return hits;
}

const LIFTS: ReadonlySet<Contribution['kind']> = new Set(['title', 'alias', 'heading', 'phrase', 'exact']);

function scoreBeforeLifts({ score, contributions = [] }: Scored): number {
  let lifts = 0;
  for (const { kind, amount } of contributions) {
    if (LIFTS.has(kind)) lifts += amount;
  }
  return score - lifts;
}
