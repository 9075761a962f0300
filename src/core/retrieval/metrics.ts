/** Measures of a ranking against judgements, and the paired comparison of two rankings. Pure functions. */

/** Relevance by document id; what is missing or 0 is not relevant. */
export type Judgements = ReadonlyMap<string, number>;

/**
 * Normalised discounted cumulative gain: gains are the judged values, rank r is divided by log2(r + 1), the ideal
 * order is that of the judgements. 0 when nothing is relevant.
 */
export function ndcgAt(depth: number, ranking: readonly string[], judgements: Judgements): number {
  let gain = 0;
  for (let rank = 0; rank < Math.min(depth, ranking.length); rank++) {
    gain += Math.max(0, judgements.get(ranking[rank]!) ?? 0) / Math.log2(rank + 2);
  }
  const ideal = [...judgements.values()].filter((value) => value > 0).sort((a, b) => b - a);
  let best = 0;
  for (let rank = 0; rank < Math.min(depth, ideal.length); rank++) best += ideal[rank]! / Math.log2(rank + 2);
  return best === 0 ? 0 : gain / best;
}

/** The share of all relevant documents among the first `depth`. */
export function recallAt(depth: number, ranking: readonly string[], judgements: Judgements): number {
  let relevant = 0;
  for (const value of judgements.values()) if (value > 0) relevant++;
  if (relevant === 0) return 0;
  let found = 0;
  for (const id of ranking.slice(0, depth)) if ((judgements.get(id) ?? 0) > 0) found++;
  return found / relevant;
}

/** One over the rank of the first relevant document, 0 if there is none. */
export function reciprocalRank(ranking: readonly string[], judgements: Judgements): number {
  const rank = ranking.findIndex((id) => (judgements.get(id) ?? 0) > 0);
  return rank < 0 ? 0 : 1 / (rank + 1);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The value below which `share` of the values lie, by nearest rank. */
export function percentile(share: number, values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}

export type PairedComparison = {
  readonly queries: number;
  readonly better: number;
  readonly equal: number;
  readonly worse: number;
  /** Mean of b - a, with the ends of its 95 % interval by the normal approximation. */
  readonly meanDifference: number;
  readonly low: number;
  readonly high: number;
};

/** Query by query, `b` against `a`; both in the same order of queries. */
export function comparePaired(a: readonly number[], b: readonly number[]): PairedComparison {
  const differences = a.map((value, index) => (b[index] ?? 0) - value);
  const count = differences.length;
  const meanDifference = mean(differences);
  const variance =
    differences.reduce((sum, d) => sum + (d - meanDifference) ** 2, 0) / Math.max(1, count - 1);
  const half = count === 0 ? 0 : 1.96 * Math.sqrt(variance / count);
  return {
    queries: count,
    better: differences.filter((d) => d > 1e-12).length,
    equal: differences.filter((d) => Math.abs(d) <= 1e-12).length,
    worse: differences.filter((d) => d < -1e-12).length,
    meanDifference,
    low: meanDifference - half,
    high: meanDifference + half,
  };
}
