/** Reads the first candidates that hold an identifier of the query, for the stream `exact` (retrieval/exact-names.ts). */

import { exactLifts, heldBy } from '../retrieval/exact-names.js';
import type { Identifier } from '../retrieval/identifiers.js';
import type { RankingProfile } from '../retrieval/profile.js';
import type { NoteLift } from '../retrieval/rank.js';
import type { TextSource } from './note-texts.js';

/** Texts are read once, however often the query is ranked. */
export function liftExactNames(
  identifiers: readonly Identifier[],
  texts: TextSource,
  { exactDepth }: Pick<RankingProfile, 'exactDepth'>,
): NoteLift {
  return {
    depth: exactDepth,
    liftsOf: async (candidates, { words, profile, pathsOf }) => {
      const holders = candidates
        .map((candidate) => ({ note: candidate.note, held: heldBy(candidate, identifiers) }))
        .filter(({ held }) => held.length > 0);
      const paths = await pathsOf(holders.map(({ note }) => note));
      await texts.load([...paths.values()]);
      return new Map(
        holders.map(({ note, held }) => {
          const text = texts.get(paths.get(note) ?? '');
          return [note, text === undefined ? [] : exactLifts(text, held, words, profile)];
        }),
      );
    },
  };
}
