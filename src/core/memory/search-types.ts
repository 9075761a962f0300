/** What goes into and comes out of searching, explaining, calibrating and measuring a ranking; the methods are those of memory.ts. */

import type { Band } from '../retrieval/bands.js';
import type { ProfileName } from '../retrieval/profile-names.js';
import type { SearchExplanation } from './explain-search.js';

/** Every one that is given must hold. */
export type NoteFilters = {
  readonly folder?: string | undefined;
  readonly tag?: string | undefined;
  readonly type?: string | undefined;
  /** `key=value`, `key!=value`, `key<value`, `key>=value` … on properties. */
  readonly where?: readonly string[] | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
};

export type SearchInput = NoteFilters & {
  readonly query: string;
  /** Most hits to return; 10 unless given. */
  readonly limit?: number | undefined;
  /** Note paths to leave out: the hits already seen. */
  readonly exclude?: readonly string[] | undefined;
  /** Keep hits below a gap in the scores too. */
  readonly full?: boolean | undefined;
  /** How hits are ranked, by the name of a profile; `default` unless given. What follows wins over it. */
  readonly profile?: ProfileName | undefined;
  /** By words alone. */
  readonly words?: boolean | undefined;
  /** Ask the further model whatever the gate says. */
  readonly semantic?: boolean | undefined;
  /** List the nearest notes even where nothing answers the query. */
  readonly nearest?: boolean | undefined;
  readonly explain?: boolean | undefined;
  readonly maxTokens?: number | undefined;
  /** `always` compares with the vault now, `never` does not, `auto` decides by age and cost. */
  readonly freshness?: 'auto' | 'always' | 'never' | undefined;
};

export type SearchHit = {
  readonly path: string;
  /** Line of the snippet's best words, counted from 1. */
  readonly line: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly snippet: string;
  readonly score: number;
  readonly date: string;
  readonly uri: string;
  /** How sure it is that the note answers the query. */
  readonly band: Band;
};

export type SearchOutput = {
  readonly hits: readonly SearchHit[];
  readonly checkedMsAgo: number;
  /** Notes searched: all in the index, before filters. */
  readonly notes: number;
  /** Parts of the query that were left out, with the reason. */
  readonly dropped: readonly { readonly text: string; readonly reason: string }[];
  /** Which ways of finding took part. */
  readonly streams: readonly string[];
  /** Of the best hit; with `none` there are no hits, unless the nearest were asked for. */
  readonly band: Band;
  /** Why there are none, and what to try; else empty. */
  readonly reason: string;
  readonly hint: string;
  /**
   * Why words were trusted or a further model was asked, with the coverage; behind a semicolon what became of that, where
   * it was asked. Empty where only words were wanted.
   */
  readonly gate: string;
  readonly explain?: SearchExplanation;
};

/** The search that is asked about. */
export type ExplainInput = Pick<
  SearchInput,
  | 'query'
  | 'limit'
  | 'folder'
  | 'tag'
  | 'type'
  | 'where'
  | 'after'
  | 'before'
  | 'profile'
  | 'words'
  | 'semantic'
> & {
  /** A path, title or alias. */
  readonly note: string;
};

export type ExplainOutput = {
  readonly path: string;
  /** `ranked`: behind the limit. `cut`: below the gap in the scores. `abstained`: the query has no hits at all. */
  readonly verdict: 'shown' | 'ranked' | 'cut' | 'abstained' | 'no match' | 'filtered' | 'ignored';
  /** Counted from 1; 0 where it has none. */
  readonly rank: number;
  /** The sum of the contributions. */
  readonly score: number;
  readonly contributions: readonly {
    readonly kind: string;
    readonly text: string;
    readonly amount: number;
  }[];
  /** Words of the query that the note lacks. */
  readonly lacks: readonly string[];
  readonly why: string;
  readonly advice: string;
};

export type CalibrateOutput = {
  readonly notes: number;
  /** Passages that queries were made of, and queries in all; 0 where the vault has too little text: the usual thresholds hold. */
  readonly passages: number;
  readonly queries: number;
  /** Least confidence of each band. */
  readonly low: number;
  readonly medium: number;
  readonly high: number;
  /** What confidence each kind of query came to. */
  readonly probes: readonly {
    readonly kind: 'own' | 'mixed' | 'letters' | 'foreign';
    readonly queries: number;
    readonly p5: number;
    readonly p50: number;
    readonly p95: number;
  }[];
  readonly ms: number;
};

export type EvalInput = {
  /** Record this question, with `note` as its answer, before measuring. */
  readonly add?: string | undefined;
  readonly note?: string | undefined;
  readonly profile: ProfileName;
  /** A second profile to compare with, query by query. */
  readonly compare?: ProfileName | undefined;
  /** Of a collection's queries: `tune` and `report` are fixed halves. */
  readonly half: 'all' | 'tune' | 'report';
  /** Most changed queries to list. */
  readonly limit: number;
};

/** Means over the queries, 0-1; times in milliseconds a query. */
export type EvalMeasures = {
  readonly queries: number;
  readonly ndcg10: number;
  readonly recall10: number;
  readonly recall100: number;
  readonly mrr: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** The share that the gate answered by words alone, 0-1; only of a gated profile. */
  readonly gateSkipped?: number;
};

/** The second profile against the first, on nDCG@10; `low` and `high` bound the difference with 95 % confidence. */
export type EvalComparison = {
  readonly better: number;
  readonly equal: number;
  readonly worse: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly gateSkipped?: number;
  readonly changed: readonly { readonly query: string; readonly before: number; readonly after: number }[];
};

export type EvalOutput = EvalMeasures & {
  readonly collection: string;
  readonly documents: number;
  readonly profile: string;
  readonly comparison?: EvalComparison & { readonly profile: string };
};
