/** Why a search answered as it did, in plain values: what `search --explain` adds to its answer. */

import type { QueryPlan } from '../retrieval/plan.js';
import type { RankedNote } from '../retrieval/rank.js';
import type { RankedQuery } from './rank-query.js';

export type SearchExplanation = {
  /** Words that took part, by falling gain, with the notes that hold them and their other forms. */
  readonly words: readonly {
    readonly term: string;
    readonly kind: string;
    readonly notes: number;
    readonly gain: number;
    readonly forms: readonly string[];
  }[];
  /** Words of the query that no note holds. */
  readonly missing: readonly string[];
  /** The gate's figures, each a share; none where only words were wanted. */
  readonly gate?: {
    readonly reason: string;
    readonly coverage: number;
    readonly passageCoverage: number;
    readonly unknown: number;
    readonly lead: number;
  };
  /** Notes that hold a word of the query; a lower bound in large vaults. */
  readonly candidates: number;
  /** Hits that were ranked and not shown. */
  readonly cut: number;
  /** Milliseconds by stage. */
  readonly ms: { readonly check: number; readonly rank: number; readonly model: number };
  readonly hits: readonly {
    readonly path: string;
    /** The sum of the contributions. */
    readonly score: number;
    readonly coverage: number;
    readonly contributions: readonly {
      readonly kind: string;
      readonly text: string;
      readonly amount: number;
    }[];
    /** Words of the query that this note lacks. */
    readonly lacks: readonly string[];
  }[];
};

export function explainSearch(
  plan: QueryPlan,
  { ranking, gate, further }: RankedQuery,
  shown: readonly RankedNote[],
  ms: { readonly check: number; readonly rank: number },
): SearchExplanation {
  const words = [...ranking.words].sort((a, b) => b.gain - a.gain);
  return {
    words: words.map(({ word, forms, gain }) => ({
      term: word.term,
      kind: word.kind,
      notes: forms.reduce((most, { evidence }) => Math.max(most, evidence.noteFrequency), 0),
      gain,
      forms: forms.map(({ evidence }) => evidence.term).filter((term) => term !== word.term),
    })),
    missing: [...new Set(ranking.missing.map(({ word }) => word.text))],
    ...(gate
      ? {
          gate: {
            reason: gate.reason,
            coverage: gate.coverage,
            passageCoverage: gate.passageCoverage,
            unknown: gate.unknown,
            lead: gate.lead,
          },
        }
      : {}),
    candidates: ranking.matched,
    cut: ranking.hits.length - shown.length,
    ms: { ...ms, model: further?.openedMs ?? 0 },
    hits: shown.map((hit) => ({
      path: hit.path,
      score: hit.score,
      coverage: hit.coverage,
      contributions: hit.contributions,
      lacks: lacking(plan, ranking, hit),
    })),
  };
}

function lacking(plan: QueryPlan, { words }: RankedQuery['ranking'], hit: RankedNote): readonly string[] {
  const held = new Set(hit.contributions.filter(({ kind }) => kind === 'word').map(({ text }) => text));
  const positions = new Set(words.filter(({ word }) => held.has(word.term)).map(({ word }) => word.position));
  return [...new Set(plan.words.filter(({ position }) => !positions.has(position)).map(({ text }) => text))];
}
