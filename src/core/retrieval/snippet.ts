/** The piece of a passage to show for a hit. */

import { placedTermsOf } from '../text/terms.js';

export type Snippet = {
  readonly text: string;
  /** Matched words in `text`, start and end. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** Offset in the given text of the best place. */
  readonly offset: number;
};

export function snippet(text: string, terms: readonly string[], { maxChars }: { readonly maxChars: number }): Snippet {
  const wanted = new Set(terms);
  const first = placedTermsOf(text).find((piece) => piece.terms.some((term) => wanted.has(term)));
  const offset = first?.start ?? 0;
  const start = Math.max(0, offset - 40);
  return { text: text.slice(start, start + maxChars).replace(/\s+/g, ' ').trim(), ranges: [], offset };
}
