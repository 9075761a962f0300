/** What goes into and comes out of writing notes and of handoffs; the methods are those of memory.ts. */

import type { TextEdits } from '../edit/edit-text.js';

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

export type EditInput = TextEdits & {
  readonly note: string;
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
