/**
 * The ways of finding of one search, in turn: words and the built-in table, the gate's word on them, a further model
 * where that opens, the judgement on what came out, and a reranker's word on its order. Which of them run says the
 * profile (retrieval/profiles.ts).
 */

import type { EmbeddingModel, NoteIndex } from '../ports.js';
import { decideGate, type GateDecision } from '../retrieval/gate.js';
import { identifiersOf } from '../retrieval/identifiers.js';
import { type Judgement, judge } from '../retrieval/judge.js';
import type { QueryPlan } from '../retrieval/plan.js';
import type { SearchProfile, StreamUse } from '../retrieval/profiles.js';
import { type NoteLift, type RankingOptions, rankByWords, type WordRanking } from '../retrieval/rank.js';
import { judgingOf } from './calibration.js';
import { type FurtherReading, furtherMeaningOf, meaningOf } from './meaning-of.js';
import type { CallOptions } from './memory.js';
import type { TextSource } from './note-texts.js';
import type { Places } from './places.js';
import type { Reranking } from './rerank.js';

/** `texts` are those of the notes in the index. */
export type RankingPlaces = Pick<Places, 'index' | 'clock' | 'embedder' | 'further' | 'reranker'> & {
  readonly texts: TextSource;
};

export type RankedQuery = {
  readonly ranking: WordRanking;
  readonly judgement: Judgement;
  /** Undefined where only words were wanted. */
  readonly gate: GateDecision | undefined;
  /** Undefined where the further model was not asked. */
  readonly further: FurtherReading | undefined;
  readonly streams: readonly string[];
  /** Undefined where the profile asks for none. */
  readonly reranking?: Reranking;
};

export async function rankQuery(
  places: RankingPlaces,
  plan: QueryPlan,
  profile: SearchProfile,
  limits: Pick<RankingOptions, 'limit' | 'scope' | 'exclude'>,
  options: CallOptions,
): Promise<RankedQuery> {
  if (!profile.reranks) return rankByStreams(places, plan, profile, limits, options);
  const { constants } = profile;
  const { limit } = limits;
  const deep = { ...limits, limit: Math.max(limit, constants.rerankDepth) };
  const ranked = await rankByStreams(places, plan, profile, deep, options);
  const { rerank } = await import('./rerank.js');
  const found = await rerank(places, plan, ranked.ranking, { ...constants, limit }, options);
  const { ranking, reranking } = found;
  const streams = reranking.scored > 0 ? [...ranked.streams, reranking.model] : ranked.streams;
  return { ...ranked, ranking, reranking, streams };
}

async function rankByStreams(
  places: RankingPlaces,
  plan: QueryPlan,
  profile: SearchProfile,
  limits: Pick<RankingOptions, 'limit' | 'scope' | 'exclude'>,
  options: CallOptions,
): Promise<RankedQuery> {
  const { index } = places;
  const { constants } = profile;
  const lifts = await liftsFor(places, plan, profile);
  const rank = (streams: Pick<RankingOptions, 'meaning' | 'further'>) =>
    rankByWords(plan, index, { ...limits, profile: constants, lifts, ...streams });
  if (profile.table === 'never' && profile.further === 'never') {
    const ranking = await rank({});
    const judgement = await judgeWith(index, undefined, plan, ranking);
    return { ranking, judgement, gate: undefined, further: undefined, streams: byText(ranking, lifts) };
  }
  const atOnce = profile.table === 'always' ? await meaningOf(places, plan, options) : undefined;
  const first = await rank({ meaning: atOnce });
  const gate = decideGate(plan, first, constants);
  const isOpen = (use: StreamUse) => use === 'always' || (use === 'gate' && gate.opens);
  const meaning =
    atOnce ??
    (profile.table === 'gate' && isOpen('gate') ? await meaningOf(places, plan, options) : undefined);
  // A further model that there is not is missed only by who asks for it in any case.
  const isAsked = isOpen(profile.further) && (profile.further === 'always' || places.further !== undefined);
  const further = isAsked ? await furtherMeaningOf(places, plan, options) : undefined;
  const ranking =
    meaning !== atOnce || further?.meaning ? await rank({ meaning, further: further?.meaning }) : first;
  const opened = further?.meaning ? places.further : meaning && places.embedder;
  const model = (await opened?.())?.model;
  return {
    ranking,
    judgement: await judgeWith(index, model, plan, ranking),
    gate,
    further,
    streams: [
      ...byText(ranking, lifts),
      ...(meaning ? ['meaning'] : []),
      ...(further?.meaning ? [further.model] : []),
    ],
  };
}

/** Nothing is loaded for a query that needs neither. */
async function liftsFor(
  { index, clock, texts }: RankingPlaces,
  plan: QueryPlan,
  { constants }: SearchProfile,
): Promise<readonly NoteLift[]> {
  const lifts: NoteLift[] = [];
  const identifiers = constants.exactWeight > 0 ? identifiersOf(plan) : [];
  if (identifiers.length > 0) {
    const { liftExactNames } = await import('./lift-exact-names.js');
    lifts.push(liftExactNames(identifiers, texts, constants));
  }
  if (constants.recencyWeight > 0) {
    const { liftRecent } = await import('./lift-recent.js');
    lifts.push(liftRecent(index, clock, constants));
  }
  return lifts;
}

/** `exact` is named where it has lifted a note. */
function byText({ hits }: WordRanking, lifts: readonly NoteLift[]): readonly string[] {
  const isExact =
    lifts.length > 0 && hits.some(({ contributions }) => contributions.some(({ kind }) => kind === 'exact'));
  return isExact ? ['words', 'exact'] : ['words'];
}

async function judgeWith(
  index: NoteIndex,
  model: EmbeddingModel | undefined,
  plan: QueryPlan,
  ranking: WordRanking,
): Promise<Judgement> {
  const calibration = await index.readCalibration(model?.fingerprint ?? '');
  const { thresholds, profile } = judgingOf(calibration, model);
  return judge(plan, ranking, thresholds, profile);
}
