/** Measures a ranking on questions with known answers: the whole road from the plan to ordered notes. */

import type { CallOptions } from '../memory/memory.js';
import { type RankingPlaces, rankQuery } from '../memory/rank-query.js';
import type { EvalComparison, EvalMeasures } from '../memory/search-types.js';
import {
  comparePaired,
  type Judgements,
  mean,
  ndcgAt,
  percentile,
  recallAt,
  reciprocalRank,
} from '../retrieval/metrics.js';
import { planQuery } from '../retrieval/plan.js';
import type { SearchProfile } from '../retrieval/profiles.js';

export type JudgedQuery = {
  readonly id: string;
  readonly text: string;
  /** Relevance by note path. */
  readonly judgements: Judgements;
  /** Note numbers it is asked of; all when not given. */
  readonly scope?: Uint32Array;
};

export type QueryResult = {
  readonly query: JudgedQuery;
  readonly ndcg10: number;
  readonly recall10: number;
  readonly recall100: number;
  readonly reciprocalRank: number;
  readonly ms: number;
  /** Whether the gate let a model be asked; undefined where none hung on it. */
  readonly opened?: boolean;
};

const DEPTH = 100;
/** Queries run before the clock counts, so that the first do not pay for cold code. */
const WARM_UP = 20;

export async function runQueries(
  places: RankingPlaces,
  queries: readonly JudgedQuery[],
  profile: SearchProfile,
  options: CallOptions,
): Promise<readonly QueryResult[]> {
  const { clock } = places;
  const isGated = profile.table === 'gate' || (profile.further === 'gate' && places.further !== undefined);
  const ask = ({ text, scope }: JudgedQuery) => {
    const plan = planQuery(text, profile.constants);
    const limits = { limit: DEPTH, ...(scope ? { scope } : {}) };
    return rankQuery(places, plan, profile, limits, { signal: options.signal });
  };
  for (const query of queries.slice(0, WARM_UP)) await ask(query);
  const results: QueryResult[] = [];
  let lack: string | undefined;
  for (const query of queries) {
    const startMs = clock.elapsedMs();
    const { ranking, gate, reranking } = await ask(query);
    const ms = clock.elapsedMs() - startMs;
    lack ??= reranking?.lack;
    const paths = ranking.hits.map((hit) => hit.path);
    results.push({
      query,
      ndcg10: ndcgAt(10, paths, query.judgements),
      recall10: recallAt(10, paths, query.judgements),
      recall100: recallAt(DEPTH, paths, query.judgements),
      reciprocalRank: reciprocalRank(paths, query.judgements),
      ms,
      ...(isGated && gate ? { opened: gate.opens } : {}),
    });
    options.report?.({ done: results.length, total: queries.length });
    options.signal?.throwIfAborted();
  }
  if (lack !== undefined) options.notice?.(`${profile.name}: ${lack}`);
  return results;
}

export function measure(results: readonly QueryResult[]): EvalMeasures {
  const times = results.map((result) => result.ms);
  return {
    queries: results.length,
    ndcg10: round(mean(results.map((result) => result.ndcg10))),
    recall10: round(mean(results.map((result) => result.recall10))),
    recall100: round(mean(results.map((result) => result.recall100))),
    mrr: round(mean(results.map((result) => result.reciprocalRank))),
    p50Ms: round(percentile(0.5, times), 2),
    p95Ms: round(percentile(0.95, times), 2),
    ...gateSkipped(results),
  };
}

/** The share of the queries that the gate answered by words alone; nothing for a ranking without a gate. */
function gateSkipped(results: readonly QueryResult[]): { readonly gateSkipped?: number } {
  const gated = results.filter(({ opened }) => opened !== undefined);
  if (gated.length === 0) return {};
  return { gateSkipped: round(gated.filter(({ opened }) => !opened).length / gated.length) };
}

/** Query by query, `b` against `a`; the largest changes first. */
export function compare(a: readonly QueryResult[], b: readonly QueryResult[], limit: number): EvalComparison {
  const paired = comparePaired(
    a.map((result) => result.ndcg10),
    b.map((result) => result.ndcg10),
  );
  const changed = a
    .map((result, at) => ({
      query: result.query.text,
      before: round(result.ndcg10),
      after: round(b[at]!.ndcg10),
    }))
    .filter(({ before, after }) => before !== after)
    .sort(
      (x, y) => Math.abs(y.after - y.before) - Math.abs(x.after - x.before) || (x.query < y.query ? -1 : 1),
    );
  return {
    better: paired.better,
    equal: paired.equal,
    worse: paired.worse,
    difference: round(paired.meanDifference),
    low: round(paired.low),
    high: round(paired.high),
    ...gateSkipped(b),
    changed: changed.slice(0, limit),
  };
}

function round(value: number, digits = 4): number {
  return Number(value.toFixed(digits));
}
