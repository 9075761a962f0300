/**
 * Whether a ranking answers its query at all, and how sure each hit is. Looks at nothing but the ranking: it reads no
 * note and costs microseconds. The figures are those of confidence.ts.
 */

import { type Band, type BandThresholds, bandOf, DEFAULT_THRESHOLDS, higherBand } from './bands.js';
import {
  type AskedWeight,
  type Confidence,
  type ConfidenceProfile,
  confidenceOf,
  weighQuery,
} from './confidence.js';
import type { QueryPlan } from './plan.js';
import { DEFAULT_PROFILE } from './profile.js';
import type { RankedNote, WordRanking } from './rank.js';

export type Judgement = {
  /** Of the query: the best of its first hits; `none` is a reason to show no hits. */
  readonly band: Band;
  /** Of the hit that gave the band; undefined where there is no hit at all. */
  readonly confidence: Confidence | undefined;
  /** Why there are no hits, and what to try; both empty unless the band is `none`. */
  readonly reason: string;
  readonly hint: string;
  /** Whatever the band of the query: the true label of a hit that is shown all the same. */
  readonly bandOfHit: (hit: RankedNote) => Band;
};

/** A share of the query this near to all of it is all of it: counts come from floating point. */
const ALL = 0.999;
/** Words that no note holds, at most so many are named. */
const MOST_NAMED = 4;

export function judge(
  plan: QueryPlan,
  ranking: WordRanking,
  thresholds: BandThresholds = DEFAULT_THRESHOLDS,
  profile: ConfidenceProfile = DEFAULT_PROFILE,
): Judgement {
  const asked = weighQuery(ranking);
  const judged = (hit: RankedNote) => confidenceOf(hit, ranking, asked, profile);
  const labelled = (hit: RankedNote, confidence: Confidence) =>
    higherBand(bandOf(confidence.value, thresholds), leastBand(hit, confidence, asked));
  let band: Band = 'none';
  let best: Confidence | undefined;
  for (const hit of ranking.leaders) {
    const confidence = judged(hit);
    band = higherBand(band, labelled(hit, confidence));
    if (best === undefined || confidence.value > best.value) best = confidence;
  }
  const isNone = band === 'none';
  return {
    band,
    confidence: best,
    reason: isNone ? reasonFor(plan, ranking, best) : '',
    hint: isNone ? hintFor(plan, ranking) : '',
    bandOfHit: (hit) => labelled(hit, judged(hit)),
  };
}

/** What is called as the query is asked for by name; what holds all of it is no chance find, however common the words. */
function leastBand({ contributions }: RankedNote, { share }: Confidence, { held }: AskedWeight): Band {
  const isNamed = contributions.some(({ kind }) => kind === 'title' || kind === 'alias');
  if (isNamed) return 'medium';
  return held > 0 && share >= ALL ? 'low' : 'none';
}

function reasonFor(plan: QueryPlan, ranking: WordRanking, best: Confidence | undefined): string {
  if (plan.words.length === 0) return 'the query has no word to look for';
  const unknown = unknownWords(ranking);
  const nowhere = unknown.length === 0 ? '' : `no note holds ${listed(unknown)}`;
  if (best === undefined || best.share === 0) {
    return nowhere === '' ? 'no note holds a word of the query' : nowhere;
  }
  const held = `the best note holds ${Math.round(100 * best.share)} % of what was asked, no more than chance would`;
  return nowhere === '' ? held : `${nowhere}, and ${held}`;
}

function hintFor(plan: QueryPlan, ranking: WordRanking): string {
  if (plan.words.length === 0) return 'Ask with a word that the notes would hold.';
  if (ranking.hits.length > 0)
    return 'List the nearest notes with --nearest, or ask in the words of the notes.';
  return 'Ask in the words and the language of the notes; `memory tags` lists their subjects.';
}

/** As typed, each once. */
function unknownWords({ words, missing }: WordRanking): readonly string[] {
  const held = new Set(words.map(({ word }) => word.position));
  const lacking = missing.filter(({ word }) => !held.has(word.position) && word.kind !== 'compound');
  return [...new Set(lacking.map(({ word }) => word.text))];
}

function listed(texts: readonly string[]): string {
  const named = texts.slice(0, MOST_NAMED).map((text) => `"${text}"`);
  const rest = texts.length - named.length;
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ');
}
