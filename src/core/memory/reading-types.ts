/** What goes into and comes out of reading notes, links and tags; the methods are those of memory.ts. */

import type { NoteFilters } from './search-types.js';

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

export type RecentInput = NoteFilters & {
  readonly limit?: number | undefined;
  readonly by?: 'updated' | 'created' | undefined;
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
