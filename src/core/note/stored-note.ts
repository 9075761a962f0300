/** A note and its links as the index gives them back, and the filters that choose notes. */

import type { IndexedLink, NoteDate, NoteFlag } from './indexed-note.js';
import type { ComparedStamp } from './same-stamp.js';

export type StoredNote = {
  readonly number: number;
  readonly path: string;
  /** Of the file when it was indexed. */
  readonly stamp: ComparedStamp;
  readonly title: string;
  readonly titleSource: 'property' | 'heading' | 'name';
  readonly hash: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly properties: readonly (readonly [key: string, values: readonly string[]])[];
  readonly created: NoteDate;
  readonly updated: NoteDate;
  readonly flags: readonly NoteFlag[];
  /** Block ids that are built like those of facts and relations. */
  readonly factIds: readonly { readonly id: string; readonly line: number }[];
};

/** What a hit needs of its note. */
export type NoteCard = Pick<StoredNote, 'number' | 'path' | 'stamp' | 'title' | 'aliases' | 'created'>;

export type StoredLink = IndexedLink & { readonly from: number };

export type PropertyTest = {
  readonly key: string;
  readonly operator: '=' | '!=' | '<' | '<=' | '>' | '>=';
  readonly value: string;
};

/** Every given part must hold. */
export type NoteFilter = {
  /** Vault-relative folder without a trailing slash; notes below it at any depth. */
  readonly folder?: string | undefined;
  /** Without `#`; a nested tag answers to its parents. */
  readonly tag?: string | undefined;
  readonly type?: string | undefined;
  readonly where?: readonly PropertyTest[] | undefined;
  /** The date must reach beyond `fromMs` and begin before `beforeMs`. */
  readonly dated?:
    | { readonly by: 'created' | 'updated'; readonly fromMs: number; readonly beforeMs: number }
    | undefined;
  readonly paths?: readonly string[] | undefined;
  /** Title or alias, compared without regard to case. */
  readonly named?: string | undefined;
};
