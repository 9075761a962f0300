/**
 * The first hits in a new order: what ranked them before, and what a reranker says of each. How their passages get to
 * the reranker is memory/rerank.ts.
 *
 *   score = score before + weight · best score before · deviations above the lowest
 */

import type { RankingProfile } from './profile.js';
import type { RankedNote } from './rank.js';
import { lifted, withPath } from './score.js';

export type RerankProfile = Pick<
  RankingProfile,
  'rerankDepth' | 'rerankWeight' | 'rerankLeastDeviation' | 'rerankMostDeviations'
>;

/**
 * `logits` are those of the first hits, in their order. These only gain, the one with the lowest logit nothing, so that
 * hits the reranker did not see stay behind them.
 */
export function rerankHits(
  hits: readonly RankedNote[],
  logits: ArrayLike<number>,
  model: string,
  profile: RerankProfile,
): readonly RankedNote[] {
  const deviations = deviationsOf(Array.from(logits), profile);
  const lowest = Math.min(...deviations);
  const best = hits[0]?.score ?? 0;
  const unit = profile.rerankWeight * (best > 0 ? best : 1);
  return hits
    .map((hit, at): RankedNote => {
      const deviation = deviations[at];
      if (deviation === undefined) return hit;
      const amount = unit * (deviation - lowest);
      return withPath(lifted(hit, [{ kind: 'rerank', text: model, amount }]), hit.path);
    })
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** From the mean of all, within bounds. */
function deviationsOf(
  logits: readonly number[],
  { rerankLeastDeviation: least, rerankMostDeviations: most }: RerankProfile,
): readonly number[] {
  const mean = logits.reduce((sum, logit) => sum + logit, 0) / logits.length;
  const variance = logits.reduce((sum, logit) => sum + (logit - mean) ** 2, 0) / logits.length;
  const deviation = Math.max(least, Math.sqrt(variance));
  return logits.map((logit) => Math.max(-most, Math.min(most, (logit - mean) / deviation)));
}
