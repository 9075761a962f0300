/** A note as it goes into the index: made by read-note.ts from the bytes of a file. */

import type { FileStamp } from '../ports.js';

/** A date with the span of time it covers. */
export type NoteDate = {
  /** A year, month or day as such, or a moment in UTC. */
  readonly text: string;
  /** First millisecond, and the first behind it. */
  readonly fromMs: number;
  readonly toMs: number;
  /** `file`: its times, which change without its content. */
  readonly source: 'property' | 'name' | 'file';
};

/** A note whose content was found unchanged though its stamp differs; the dates count where they come from the file. */
export type TouchedNote = {
  readonly stamp: FileStamp;
  readonly created: NoteDate;
  readonly updated: NoteDate;
};

/** Something about a note that a person should mend. */
export type NoteFlag = {
  readonly kind: 'encoding' | 'properties' | 'conflict-markers' | 'duplicate-block';
  readonly line: number;
  readonly message: string;
};

export type IndexedLink = {
  readonly kind: 'link' | 'embed';
  /** The target's path as written, decoded, without heading or block part; empty for a link within the note. */
  readonly target: string;
  /** Look-up key of the target: last path segment without `.md`, NFC, lower-cased. */
  readonly targetKey: string;
  readonly form: 'wiki' | 'markdown' | 'reference' | 'property';
  readonly heading: string;
  readonly block: string;
  readonly shown: string;
  /** Counted from 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
};

/**
 * Terms in the order of the text: as such, as places in a list of names that many notes share and that only grows, or as
 * the text itself, of which whoever needs the terms reads them.
 */
export type TermList =
  | readonly string[]
  | { readonly names: readonly string[]; readonly places: Uint32Array }
  | { readonly text: string };

export type IndexedPassage = {
  readonly line: number;
  readonly endLine: number;
  /** UTF-16 offsets in the note's text. */
  readonly start: number;
  readonly end: number;
  readonly headings: readonly string[];
  /** Level of the last heading, 0 where there is none. */
  readonly level: number;
  /** Hash of heading path and text, lower-case hex, 32 characters. */
  readonly key: string;
  /** Heading path, with the note's title before it where that does not come from the file's name. */
  readonly context: string;
  /** Text without headings and what is not searched. */
  readonly text: string;
  /** Of context and text: what its vectors depend on; lower-case hex, 16 characters. */
  readonly vectorKey: string;
  readonly headingTerms: TermList;
  readonly bodyTerms: TermList;
};

/** The terms of what stands outside the text: the note's first passage. */
export type NoteHead = {
  readonly titleTerms: TermList;
  readonly aliasTerms: TermList;
  readonly tagTerms: TermList;
  readonly nameTerms: TermList;
  /** Of the property values that are neither title, alias nor tag. */
  readonly propertyTerms: TermList;
  /** Where the property block stands; all zero without one. */
  readonly endLine: number;
  readonly start: number;
  readonly end: number;
};

/** A note whose path changed and whose text did not: what has to be written anew. */
export type MovedNote = Pick<IndexedNote, 'stamp' | 'title' | 'titleSource' | 'created' | 'updated'> & {
  readonly from: string;
  readonly head: Omit<NoteHead, 'start' | 'end' | 'endLine'>;
};

export type IndexedNote = {
  readonly stamp: FileStamp;
  /** SHA-256 of the bytes, lower-case hex. */
  readonly hash: string;
  readonly title: string;
  readonly titleSource: 'property' | 'heading' | 'name';
  readonly aliases: readonly string[];
  /** As written, without `#`, each once. */
  readonly tags: readonly string[];
  /** Properties in order, scalars as the text written, lists as several values. */
  readonly properties: readonly (readonly [key: string, values: readonly string[]])[];
  /** Inline fields in order, by the scanner's keys; a value of several links as several values. */
  readonly fields: readonly (readonly [key: string, values: readonly string[]])[];
  readonly created: NoteDate;
  readonly updated: NoteDate;
  /** What doctor reports: invalid UTF-8, property trouble, conflict markers … */
  readonly flags: readonly NoteFlag[];
  /** Block ids that are built like those of facts and relations. */
  readonly factIds: readonly { readonly id: string; readonly line: number }[];
  readonly links: readonly IndexedLink[];
  readonly head: NoteHead;
  readonly passages: readonly IndexedPassage[];
};
