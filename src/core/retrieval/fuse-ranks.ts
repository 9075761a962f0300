/**
 * Fusion of the ranking with the further stream's by reciprocal rank: a note gains 1 / (constant + place) for its place
 * in each of the two lists. Fusion by score happens where scores are made (score-best.ts).
 */

import type { RankingProfile } from './profile.js';
import { byScore, type Candidate, LateCandidate, lifted } from './score.js';

/** Places in the further stream, counted from 1; equally near notes share one. */
export type FurtherRanks = { readonly model: string; readonly byNote: ReadonlyMap<number, number> };

/**
 * `ordered` by falling score. Scores stay on their scale: first in both lists means the best score there was. What a
 * note's words gave keeps its proportions within what its place is worth, so that contributions sum to the score.
 */
export function fuseByRank(
  ordered: readonly Candidate[],
  { model, byNote }: FurtherRanks,
  { rankConstant }: Pick<RankingProfile, 'rankConstant'>,
): Candidate[] {
  const best = ordered[0]?.score ?? 0;
  const half = (best > 0 ? best : 1) / 2;
  const worthOf = (rank: number) => (half * (rankConstant + 1)) / (rankConstant + rank);
  let rank = 0;
  let last = Number.POSITIVE_INFINITY;
  return ordered
    .map((candidate, at) => {
      if (candidate.score < last) rank = at + 1;
      last = candidate.score;
      const further = byNote.get(candidate.note);
      // Only a note that words or the table speak for has a place in their list.
      const isListed = candidate.score > 0;
      if (!isListed && further === undefined) return candidate;
      const scaled = rescaled(candidate, isListed ? worthOf(rank) : 0);
      if (further === undefined) return scaled;
      return lifted(scaled, [{ kind: 'meaning', text: model, amount: worthOf(further) }]);
    })
    .sort(byScore);
}

function rescaled(candidate: Candidate, score: number): Candidate {
  const { note, coverage, passageCoverage } = candidate;
  const share = score === 0 ? 0 : score / candidate.score;
  return new LateCandidate(note, score, coverage, passageCoverage, {
    passagesOf: () => candidate.passages,
    contributionsOf: () =>
      share === 0 ? [] : candidate.contributions.map((one) => ({ ...one, amount: one.amount * share })),
  });
}
