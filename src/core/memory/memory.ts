/** The product as its callers see it: one method per use case, each in a file of its own in this folder. */

import type { SkippedFile } from '../ports.js';
import type { Band } from '../retrieval/bands.js';
import type { ProfileName } from '../retrieval/profile-names.js';
import type { SearchExplanation } from './explain-search.js';
import type { FindingKind } from './finding-kinds.js';
import type { FollowOptions } from './follow-options.js';

export type SearchInput = {
  readonly query: string;
  /** Most hits to return; 10 unless given. */
  readonly limit?: number | undefined;
  readonly folder?: string | undefined;
  readonly tag?: string | undefined;
  readonly type?: string | undefined;
  /** `key=value`, `key!=value`, `key<value`, `key>=value` … on properties. */
  readonly where?: readonly string[] | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
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

export type ReindexInput = {
  readonly verify?: boolean | undefined;
  readonly wait?: boolean | undefined;
};

export type ReindexOutput = {
  readonly indexed: number;
  readonly unchanged: number;
  readonly moved: number;
  readonly removed: number;
  readonly ignored: number;
  readonly skipped: readonly SkippedFile[];
  /** Of the further model, where one is set: passages that got a vector, and those without one. */
  readonly embedded?: number;
  readonly pending?: number;
  readonly failed?: number;
  readonly ms: number;
};

export type ShowInput = {
  /** A path, title, alias, or `path:line`. */
  readonly note: string;
  readonly section?: string | undefined;
  readonly block?: string | undefined;
  /** `12`, `12-40` or `12-`. */
  readonly lines?: string | undefined;
  readonly maxTokens?: number | undefined;
};

export type ShowOutput = {
  readonly path: string;
  readonly title: string;
  /** Of the last change: a year, month or day, or a moment in UTC. */
  readonly updated: string;
  readonly text: string;
  /** SHA-256 of the whole note's bytes, lower-case hex. */
  readonly hash: string;
  readonly truncated: boolean;
};

export type StatusOutput = {
  readonly notes: number;
  readonly ignored: number;
  readonly skipped: readonly SkippedFile[];
  readonly passages: number;
  readonly links: number;
  readonly indexBytes: number;
  readonly schema: number;
  /** ISO moment of the last complete comparison with the vault; empty when there was none. */
  readonly lastCheck: string;
  readonly vault: string;
  /** Of meaning; empty for none. */
  readonly model: string;
  /** Passages with a vector and without one, and vectors that no passage has. */
  readonly embedded: number;
  readonly pending: number;
  readonly stale: number;
  readonly vectorBytes: number;
  /** Where one is set. Of its pending passages it refused `failed`. */
  readonly further?: {
    readonly model: string;
    readonly embedded: number;
    readonly pending: number;
    readonly failed: number;
    readonly stale: number;
    readonly bytes: number;
  };
  /** That the profile `precise` asks, by its name; where one is chosen that is there. */
  readonly reranker?: string;
  /** ISO moment of the calibration that searches go by; empty where the usual thresholds hold. */
  readonly calibrated: string;
  /** How many notes there were then. */
  readonly calibratedNotes: number;
  /** As in DoctorOutput. */
  readonly lockedBy: string;
  readonly orphans: readonly string[];
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

export type LinksInput = {
  readonly note: string;
  /** Most links to list of each group; 100 unless given. Totals count all. */
  readonly limit?: number | undefined;
};

export type LinkPlace = {
  /** The note at the other end; empty where there is none. */
  readonly path: string;
  /** Where the link stands, counted from 1: in this note, for `back` in the other. */
  readonly line: number;
  /** As written, decoded, with its heading or block part. */
  readonly target: string;
  /** The line around it. */
  readonly text: string;
  readonly state: 'resolved' | 'ambiguous' | 'inferred' | 'unresolved' | 'attachment';
  /** The note is there, but not the heading or block that the link names. */
  readonly partMissing: boolean;
  /** Other notes it could have meant. */
  readonly candidates: readonly string[];
};

export type LinksOutput = {
  readonly path: string;
  readonly title: string;
  /** Links that lead somewhere, whichever their state; embeds are a list of their own. */
  readonly out: readonly LinkPlace[];
  readonly back: readonly LinkPlace[];
  readonly embeds: readonly LinkPlace[];
  readonly unresolved: readonly LinkPlace[];
  /** Those of all the note's links that could mean another note; `inferred`: that only an alias or title leads to. */
  readonly ambiguous: readonly LinkPlace[];
  readonly inferred: readonly LinkPlace[];
  readonly totals: {
    readonly out: number;
    readonly back: number;
    readonly embeds: number;
    readonly unresolved: number;
    readonly ambiguous: number;
    readonly inferred: number;
  };
};

export type TagsInput = {
  /** Only this tag and what is nested in it. */
  readonly below?: string | undefined;
  readonly sort?: 'name' | 'count' | undefined;
  /** Most tags to list; 500 unless given. The total counts all. */
  readonly limit?: number | undefined;
};

export type TagCount = {
  readonly tag: string;
  /** How deep it is nested: 0 for `a`, 1 for `a/b`. */
  readonly depth: number;
  /** Notes that bear it or one nested in it. */
  readonly notes: number;
  /** Notes that bear just it. */
  readonly direct: number;
};

export type TagsOutput = { readonly tags: readonly TagCount[]; readonly total: number };

export type RecentInput = {
  readonly limit?: number | undefined;
  readonly by?: 'updated' | 'created' | undefined;
  readonly folder?: string | undefined;
  readonly tag?: string | undefined;
  readonly type?: string | undefined;
  readonly where?: readonly string[] | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
};

export type RecentOutput = {
  /** The date that the notes are ordered by. */
  readonly by: 'updated' | 'created';
  readonly notes: readonly {
    readonly path: string;
    readonly title: string;
    readonly created: string;
    readonly updated: string;
    readonly uri: string;
  }[];
  readonly total: number;
};

export type DoctorInput = {
  /** Only what concerns this note. */
  readonly note?: string | undefined;
  /** Most findings to list of each kind; 20 unless given. Totals count all. */
  readonly limit?: number | undefined;
};

export type FindingItem = {
  readonly path: string;
  /** Counted from 1; 0 where the whole note is meant. */
  readonly line: number;
  readonly message: string;
  /** The command or edit that mends it. */
  readonly fix: string;
};

export type DoctorOutput = {
  readonly vault: string;
  readonly notes: number;
  readonly findings: readonly {
    readonly kind: FindingKind;
    readonly total: number;
    readonly items: readonly FindingItem[];
  }[];
  readonly index: {
    readonly place: string;
    readonly schema: number;
    readonly bytes: number;
    readonly lastCheck: string;
    /** Process and host that write to it now; empty where nobody does. */
    readonly lockedBy: string;
    /** Files beside it that no run needs: remains of killed rebuilds, indexes of other versions. */
    readonly orphans: readonly string[];
  };
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

/** Progress of a long call, for whoever listens. */
export type Progress = {
  readonly done: number;
  readonly total: number;
  readonly path?: string;
  /** What is counted: notes unless given. */
  readonly unit?: 'notes' | 'passages' | 'bytes';
  /** As the caller measures it; undefined where the listener shall. */
  readonly perSecond?: number;
  readonly secondsLeft?: number;
};

export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly report?: ((progress: Progress) => void) | undefined;
  /** One line for people about something out of the ordinary; goes to stderr. */
  readonly notice?: ((text: string) => void) | undefined;
  /** Asks a person for a yes; undefined where nobody can be asked. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
};

/** An opened vault with its index. */
export interface Memory {
  search(input: SearchInput, options?: CallOptions): Promise<SearchOutput>;
  reindex(input: ReindexInput, options?: CallOptions): Promise<ReindexOutput>;
  show(input: ShowInput, options?: CallOptions): Promise<ShowOutput>;
  status(options?: CallOptions): Promise<StatusOutput>;
  /** Finds the thresholds of the bands of confidence for this vault and its models, and keeps them with the index. */
  explain(input: ExplainInput, options?: CallOptions): Promise<ExplainOutput>;
  calibrate(options?: CallOptions): Promise<CalibrateOutput>;
  links(input: LinksInput, options?: CallOptions): Promise<LinksOutput>;
  tags(input: TagsInput, options?: CallOptions): Promise<TagsOutput>;
  recent(input: RecentInput, options?: CallOptions): Promise<RecentOutput>;
  doctor(input: DoctorInput, options?: CallOptions): Promise<DoctorOutput>;
  /** On the vault's own golden questions; collections need no memory (core/evaluation). */
  eval(input: EvalInput, options?: CallOptions): Promise<EvalOutput>;
  add(input: AddInput, options?: CallOptions): Promise<AddOutput>;
  edit(input: EditInput, options?: CallOptions): Promise<EditOutput>;
  move(input: MoveInput, options?: CallOptions): Promise<MoveOutput>;
  delete(input: DeleteInput, options?: CallOptions): Promise<DeleteOutput>;
  undo(input: UndoInput, options?: CallOptions): Promise<UndoOutput>;
  open(input: OpenInput, options?: CallOptions): Promise<OpenOutput>;
  claim(input: ClaimInput, options?: CallOptions): Promise<ClaimOutput>;
  /** Keeps the index fresh, and the other calls' answers with it, until the signal says stop. Once at a time. */
  follow(options: FollowOptions): Promise<void>;
  /** Frees what the model of meaning holds; the next call that needs it loads it again. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export type AddInput = {
  readonly title: string;
  readonly content?: string | undefined;
  readonly folder?: string | undefined;
  readonly type?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  /** `key=value`. */
  readonly set?: readonly string[] | undefined;
  /** A note whose text is the beginning of the new one. */
  readonly template?: string | undefined;
  readonly handoff?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
};

export type AddOutput = {
  readonly path: string;
  readonly title: string;
  readonly hash: string;
  /** Of the journal entry, for undo; empty where nothing was written. */
  readonly id: string;
  readonly diff: string;
};

export type EditInput = {
  readonly note: string;
  readonly section?: string | undefined;
  readonly block?: string | undefined;
  readonly lines?: string | undefined;
  /** Takes the place of the section, block or lines. */
  readonly content?: string | undefined;
  readonly append?: string | undefined;
  readonly prepend?: string | undefined;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
  readonly replace?: string | undefined;
  readonly with?: string | undefined;
  /** How often `replace` must stand there; 1 unless given. */
  readonly count?: number | undefined;
  readonly set?: readonly string[] | undefined;
  readonly unset?: readonly string[] | undefined;
  readonly addTag?: readonly string[] | undefined;
  readonly removeTag?: readonly string[] | undefined;
  /** The hash of the note as the caller saw it. */
  readonly ifHash?: string | undefined;
  readonly dryRun?: boolean | undefined;
};

export type EditOutput = {
  readonly path: string;
  /** Of the note as it is now. */
  readonly hash: string;
  readonly changed: boolean;
  readonly id: string;
  /** Unified, of a dry run; else empty. */
  readonly diff: string;
};

export type MoveInput = {
  readonly note: string;
  /** The new path; with a slash at its end the folder to move to. */
  readonly to: string;
  readonly ifHash?: string | undefined;
  readonly dryRun?: boolean | undefined;
};

export type MoveOutput = {
  readonly from: string;
  readonly path: string;
  readonly hash: string;
  readonly id: string;
  /** How many links were rewritten in how many notes. */
  readonly links: number;
  readonly notes: number;
  /** Links that were not touched: they lead here by alias or title, or could not be rewritten. */
  readonly left: readonly {
    readonly path: string;
    readonly line: number;
    readonly target: string;
    readonly reason: string;
  }[];
  readonly diff: string;
};

export type DeleteInput = {
  readonly note: string;
  readonly ifHash?: string | undefined;
  readonly dryRun?: boolean | undefined;
};

export type DeleteOutput = {
  readonly path: string;
  /** Where it lies now. */
  readonly trash: string;
  readonly id: string;
  /** Links of other notes that led here. */
  readonly broken: readonly { readonly path: string; readonly line: number; readonly target: string }[];
  readonly totalBroken: number;
};

export type UndoInput = {
  /** Of a journal entry; the last that was written here and not taken back unless given. */
  readonly id?: string | undefined;
  readonly dryRun?: boolean | undefined;
};

export type UndoOutput = {
  /** The entry that was taken back, what it had done, and when. */
  readonly undone: string;
  readonly operation: string;
  readonly at: string;
  /** Of the new entry: undoing it does again what was undone. */
  readonly id: string;
  readonly notes: readonly { readonly path: string; readonly hash: string }[];
  readonly diff: string;
};

export type OpenInput = {
  readonly limit?: number | undefined;
  readonly folder?: string | undefined;
  readonly tag?: string | undefined;
};

export type OpenHandoff = {
  readonly path: string;
  readonly title: string;
  /** A year, month or day, or a moment in UTC. */
  readonly created: string;
  readonly ageMs: number;
  /** Empty where none is given. */
  readonly project: string;
  /** The first lines of where it stopped. */
  readonly stopped: string;
  readonly uri: string;
};

export type OpenOutput = { readonly handoffs: readonly OpenHandoff[]; readonly total: number };

export type ClaimInput = {
  readonly note?: string | undefined;
  /** The first that `open` lists, instead of a note. */
  readonly next?: boolean | undefined;
  readonly folder?: string | undefined;
  readonly tag?: string | undefined;
  /** Who takes it, for those who come too late. */
  readonly by?: string | undefined;
  readonly dryRun?: boolean | undefined;
};

export type ClaimOutput = {
  readonly path: string;
  readonly title: string;
  /** As it stands in the note now. */
  readonly status: string;
  readonly hash: string;
  /** Of the journal entry, for undo; empty where nothing was written. */
  readonly id: string;
  readonly diff: string;
};
