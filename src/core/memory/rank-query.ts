/**
 * The ways of finding of one search, in turn: words and the built-in table, the gate's word on them, a further model
 * where that opens, and the judgement on what came out.
 */

import type { NoteIndex } from '../ports.js';
import { decideGate, type GateDecision } from '../retrieval/gate.js';
import { type Judgement, judge } from '../retrieval/judge.js';
import type { QueryPlan } from '../retrieval/plan.js';
import { type RankingOptions, rankByWords, type WordRanking } from '../retrieval/rank.js';
import type { Places } from './bring-up-to-date.js';
import { judgingOf } from './calibration.js';
import { type FurtherReading, furtherMeaningOf, meaningOf } from './meaning-of.js';
import type { CallOptions, SearchInput } from './memory.js';

export type RankedQuery = {
  readonly ranking: WordRanking;
  readonly judgement: Judgement;
  /** Undefined where only words were wanted. */
  readonly gate: GateDecision | undefined;
  /** Undefined where the further model was not asked. */
  readonly further: FurtherReading | undefined;
  readonly streams: readonly string[];
};

export async function rankQuery(
  places: Places,
  plan: QueryPlan,
  input: Pick<SearchInput, 'words' | 'semantic'>,
  limits: Pick<RankingOptions, 'limit' | 'scope' | 'exclude'>,
  options: CallOptions,
): Promise<RankedQuery> {
  const { index } = places;
  if (input.words) {
    const ranking = await rankByWords(plan, index, limits);
    const judgement = await judgeWith(index, '', plan, ranking);
    return { ranking, judgement, gate: undefined, further: undefined, streams: ['words'] };
  }
  const meaning = await meaningOf(places, plan, options);
  const first = await rankByWords(plan, index, { ...limits, meaning });
  const gate = decideGate(plan, first);
  const isAsked = input.semantic === true || (gate.opens && places.further !== undefined);
  const further = isAsked ? await furtherMeaningOf(places, plan, options) : undefined;
  const ranking = further?.meaning
    ? await rankByWords(plan, index, { ...limits, meaning, further: further.meaning })
    : first;
  const opened = further?.meaning ? places.further : meaning && places.embedder;
  const fingerprint = (await opened?.())?.model.fingerprint ?? '';
  return {
    ranking,
    judgement: await judgeWith(index, fingerprint, plan, ranking),
    gate,
    further,
    streams: ['words', ...(meaning ? ['meaning'] : []), ...(further?.meaning ? [further.model] : [])],
  };
}

async function judgeWith(
  index: NoteIndex,
  fingerprint: string,
  plan: QueryPlan,
  ranking: WordRanking,
): Promise<Judgement> {
  const { thresholds, profile } = judgingOf(await index.readCalibration(fingerprint));
  return judge(plan, ranking, thresholds, profile);
}
