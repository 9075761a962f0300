/** Measures a ranking on questions with known answers: the whole road from the plan to ordered notes. */

import type { Places } from '../memory/bring-up-to-date.js';
import { meaningOf } from '../memory/meaning-of.js';
import type { CallOptions, EvalComparison, EvalMeasures } from '../memory/memory.js';
import { decideGate } from '../retrieval/gate.js';
import type { Meaning } from '../retrieval/meaning.js';
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
import { rankByWords, type WordRanking } from '../retrieval/rank.js';
import type { MeasuredProfile } from './profiles.js';

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
  /** Whether the gate let meaning be asked for; undefined for a ranking without one. */
  readonly opened?: boolean;
};

const DEPTH = 100;
/** Queries run before the clock counts, so that the first do not pay for cold code. */
const WARM_UP = 20;

export async function runQueries(
  { index, clock, embedder }: Omit<Places, 'vault'>,
  queries: readonly JudgedQuery[],
  profile: MeasuredProfile,
  options: CallOptions,
): Promise<readonly QueryResult[]> {
  const ask = async (query: JudgedQuery): Promise<{ ranking: WordRanking; opened?: boolean }> => {
    const scope = query.scope ? { scope: query.scope } : {};
    const plan = planQuery(query.text, profile);
    const rank = (meaning?: Meaning) =>
      rankByWords(plan, index, { limit: DEPTH, profile, meaning, ...scope });
    const rankByBoth = async () => rank(await meaningOf({ index, embedder }, plan));
    if (profile.meaningWeight === 0) return { ranking: await rank() };
    if (!profile.isGated) return { ranking: await rankByBoth() };
    const byWords = await rank();
    const { opens } = decideGate(plan, byWords, profile);
    return { ranking: opens ? await rankByBoth() : byWords, opened: opens };
  };
  for (const query of queries.slice(0, WARM_UP)) await ask(query);
  const results: QueryResult[] = [];
  for (const query of queries) {
    const startMs = clock.elapsedMs();
    const { ranking, opened } = await ask(query);
    const ms = clock.elapsedMs() - startMs;
    const paths = ranking.hits.map((hit) => hit.path);
    results.push({
      query,
      ndcg10: ndcgAt(10, paths, query.judgements),
      recall10: recallAt(10, paths, query.judgements),
      recall100: recallAt(DEPTH, paths, query.judgements),
      reciprocalRank: reciprocalRank(paths, query.judgements),
      ms,
      ...(opened === undefined ? {} : { opened }),
    });
    options.report?.({ done: results.length, total: queries.length });
    options.signal?.throwIfAborted();
  }
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
