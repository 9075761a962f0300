/**
 * The gate: whether a ranking by words (and the built-in table) is trusted, or a further model is worth opening. It looks
 * at nothing but the ranking (rank.ts). The rule was found by measurement: docs/gate.md has the curves,
 * judging-constants.ts the constants.
 */

import type { QueryPlan } from './plan.js';
import { DEFAULT_PROFILE, type RankingProfile } from './profile.js';
import type { WordRanking } from './rank.js';
import { type Candidate, highestScore } from './score.js';

/**
 * Trusted: `nothing asked` · `exact name` a note is called so · `identifier` the query is one, and the best note holds it
 * · `clear lead`. Opened: `no hits` · `unknown words` no note holds much of the query · `low coverage` nor does the best
 * note · `close rivals`.
 */
export type GateReason =
  | 'nothing asked'
  | 'exact name'
  | 'identifier'
  | 'clear lead'
  | 'no hits'
  | 'unknown words'
  | 'low coverage'
  | 'close rivals';

export type GateFigures = {
  /** Shares of the query's weight, words that no note holds included: of the best note, and of its best passage. */
  readonly coverage: number;
  readonly passageCoverage: number;
  /** Of the query's weight, what stands in words that no note holds. */
  readonly unknown: number;
  /**
   * How far the best note is ahead of its rival by words, as a share of the highest score that the query can give; below
   * 0 where meaning has put it first.
   */
  readonly lead: number;
  /** One of the first notes has the query as its title or alias. */
  readonly isNamed: boolean;
};

export type GateDecision = GateFigures & { readonly opens: boolean; readonly reason: GateReason };

/** `ranking` is without a further model. */
export function decideGate(
  plan: QueryPlan,
  ranking: WordRanking,
  profile: RankingProfile = DEFAULT_PROFILE,
): GateDecision {
  const figures = gateFigures(ranking, profile);
  const trusted = (reason: GateReason) => ({ opens: false, reason, ...figures });
  const opened = (reason: GateReason) => ({ opens: true, reason, ...figures });
  if (plan.words.length === 0) return trusted('nothing asked');
  if (ranking.leaders.length === 0) return opened('no hits');
  if (figures.isNamed) return trusted('exact name');
  if (figures.unknown >= profile.gateUnknown) return opened('unknown words');
  if (holdsIdentifier(ranking, profile)) return trusted('identifier');
  if (figures.coverage < profile.gateCoverage) return opened('low coverage');
  return figures.lead >= profile.gateLead ? trusted('clear lead') : opened('close rivals');
}

export function gateFigures(ranking: WordRanking, profile: RankingProfile): GateFigures {
  const { leaders, words } = ranking;
  const [best] = leaders;
  const found = words.reduce((sum, { gain }) => sum + gain, 0);
  const missing = askedFor(ranking).reduce((sum, { gain }) => sum + gain, 0);
  const unknown = askedFor(ranking).filter(({ word }) => word.kind !== 'pair' && word.kind !== 'letter');
  const whole = found + missing;
  const shareOf = (weight: number) => (whole === 0 ? 0 : weight / whole);
  const highest = highestScore(words, profile) + missing * (profile.k1 + 1);
  const ahead = scoreByWords(best) - scoreByWords(leaders[profile.gateRival - 1]);
  return {
    coverage: shareOf(found) * (best?.coverage ?? 0),
    passageCoverage: shareOf(found) * (best?.passageCoverage ?? 0),
    // A pair of letters across the border of two words is in no note either, and nothing is unknown.
    unknown: shareOf(unknown.reduce((sum, { gain }) => sum + gain, 0)),
    lead: highest === 0 ? 0 : ahead / highest,
    isNamed: leaders.some(({ contributions }) =>
      contributions.some(({ kind }) => kind === 'title' || kind === 'alias'),
    ),
  };
}

/** Missing words without `wellknown`, which is looked for beside `well-known` but nobody asked for. */
function askedFor({ missing }: WordRanking): WordRanking['missing'] {
  return missing.filter(({ word }) => word.kind !== 'compound');
}

/** The query is little else than identifiers, and the best note has each as it stands. */
function holdsIdentifier(ranking: WordRanking, profile: RankingProfile): boolean {
  const {
    leaders: [best],
    words,
    missing,
  } = ranking;
  const wholes = words.filter(({ word }) => word.kind === 'whole');
  if (wholes.length === 0 || missing.some(({ word }) => word.kind === 'whole')) return false;
  const held = new Set(best?.contributions.map(({ kind, text }) => (kind === 'word' ? text : '')));
  if (!wholes.every(({ word }) => held.has(word.term))) return false;
  const pieces = new Set(wholes.map(({ word }) => word.position));
  let named = 0;
  let all = askedFor(ranking).reduce((sum, { gain }) => sum + gain, 0);
  for (const { word, gain } of words) {
    all += gain;
    if (pieces.has(word.position)) named += gain;
  }
  return named >= profile.gateIdentifier * all;
}

function scoreByWords(candidate: Candidate | undefined): number {
  if (candidate === undefined) return 0;
  return candidate.contributions.reduce(
    (score, { kind, amount }) => (kind === 'meaning' || kind === 'recency' ? score - amount : score),
    candidate.score,
  );
}
