/**
 * What an index hands to core for ranking: postings of terms, and the lengths and owners of all passages.
 * Core scores from this alone (score.ts), so every index ranks alike.
 */

import type { PostingsRun } from './postings.js';

/**
 * The fields a term can stand in. A note's first passage is its head: it holds title, aliases, tags and file
 * name and no text; all further passages hold body and headings.
 */
export const FIELDS = ['body', 'headings', 'title', 'aliases', 'tags', 'name'] as const;
export type Field = (typeof FIELDS)[number];
export const FIELD_COUNT = 6;

export type TermEvidence = {
  readonly term: string;
  /** Number of notes that hold the term in any field; undefined where postings of notes that are gone may be among them. */
  readonly noteFrequency: number | undefined;
  /** In rising passage number. Passages that are gone may be named: `CollectionShape.noteOf` has 0 for them. */
  readonly postings: readonly PostingsRun[];
};

/**
 * Sizes of the whole collection. Arrays are indexed by passage number; numbers of deleted passages are holes
 * with note 0 and length 0. Passages of one note have neighbouring numbers, head first. Note numbers start at 1.
 */
export type CollectionShape = {
  readonly noteCount: number;
  readonly noteOf: Uint32Array;
  /** Number of terms in the body field, per passage. */
  readonly bodyLength: Uint16Array;
  /** Number of terms in all other fields, per passage. */
  readonly otherLength: Uint16Array;
};

/** `KEY_BYTES` for each row, and rows as packVectors (pack-vectors.ts) makes them. Rows of one passage follow one another. */
export type PassageVectors = { readonly keys: Uint8Array; readonly vectors: Uint8Array };

/** Of a vector's component in a row. */
export type RowFormat = 'bytes' | 'half-bytes';

/** Rows of vectors as they are kept: blocks of VECTOR_BLOCK rows, first the keys of a block, then its vectors. */
export type VectorRows = {
  readonly count: number;
  /** Writes the blocks from this byte on to the beginning of `target`; what it has no room for is left out. */
  readonly copyTo: (target: Uint8Array, from?: number) => void;
};

export const VECTOR_BLOCK = 1_024;

/**
 * Vectors of passages by key, in no order: a passage has a run of rows; of several runs the last counts, and there may be
 * some of passages that are gone.
 * The object stays the same while nothing changes.
 */
export type VectorSpace = {
  readonly format: RowFormat;
  readonly rowBytes: number;
  readonly rows: VectorRows;
  /** `KEY_BYTES` for each passage number of the collection's shape, all zero for heads and holes. */
  readonly passageKeys: Uint8Array;
};

/** Of the hash of heading path and text; enough to tell any two passages of a vault apart. */
export const KEY_BYTES = 8;

/** A term of a passage and its place among all terms of the field, counted from 0. */
export type PlacedTerm = { readonly term: string; readonly at: number };

/** One passage as the index keeps it, without its text. */
export type StoredPassage = {
  readonly number: number;
  readonly note: number;
  /** 0 is the head, text starts at 1. */
  readonly ordinal: number;
  /** First and last line in the note, counted from 1. */
  readonly line: number;
  readonly endLine: number;
  /** UTF-16 offsets in the note, valid while the note's stamp is the one indexed. */
  readonly start: number;
  readonly end: number;
  readonly headings: readonly string[];
  /** Level of the last heading, 0 where there is none. */
  readonly level: number;
  /** Hash of heading path and text, lower-case hex. */
  readonly key: string;
  /** Of the terms asked for: where they stand, by field, in the order of the text. */
  readonly terms: readonly (readonly PlacedTerm[])[];
};
