/** The three versions that a merge is made of, and what it comes to. */

/** `base` is what `ours` and `theirs` both come from. */
export type Versions<T> = { readonly base: T; readonly ours: T; readonly theirs: T };

export const SIDES = ['base', 'ours', 'theirs'] as const;
export type Side = (typeof SIDES)[number];

export type MergedText = {
  readonly text: string;
  /** How many sets of conflict markers were put into the text. */
  readonly conflicts: number;
};

/** A part of a text, in UTF-16 units. */
export type Span = { readonly start: number; readonly end: number };

/** Merges texts line by line, with conflict markers where both changed the same lines. */
export type MergeLines = (texts: Versions<string>) => MergedText;

export function mapVersions<T, U>(versions: Versions<T>, turn: (value: T, side: Side) => U): Versions<U> {
  return {
    base: turn(versions.base, 'base'),
    ours: turn(versions.ours, 'ours'),
    theirs: turn(versions.theirs, 'theirs'),
  };
}

/** Names of the sides in conflict markers. */
export const LABELS: Versions<string> = { base: 'base', ours: 'ours', theirs: 'theirs' };

/** Lines between git's markers. */
export function conflictLines(ours: readonly string[], theirs: readonly string[]): readonly string[] {
  return [`<<<<<<< ${LABELS.ours}`, ...ours, '=======', ...theirs, `>>>>>>> ${LABELS.theirs}`];
}
