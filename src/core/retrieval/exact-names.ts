/**
 * The stream `exact`: notes that hold an identifier of the query (identifiers.ts) as it is spelled there gain most, those
 * that spell it otherwise less. Texts are read by memory/lift-exact-names.ts.
 */

import type { ScoredWord } from './gather.js';
import type { Identifier } from './identifiers.js';
import type { RankingProfile } from './profile.js';
import { type Candidate, type Contribution, highestScore } from './score.js';

/** The identifiers that the note holds whole, as the ranking by words knows: only their text is worth reading. */
export function heldBy(
  { contributions }: Pick<Candidate, 'contributions'>,
  identifiers: readonly Identifier[],
): readonly Identifier[] {
  const held = new Set(contributions.map(({ kind, text }) => (kind === 'word' ? text : '')));
  return identifiers.filter(({ term }) => held.has(term));
}

/** What a note's text adds for the identifiers that it holds. */
export function exactLifts(
  text: string,
  held: readonly Identifier[],
  words: readonly ScoredWord[],
  profile: RankingProfile,
): readonly Contribution[] {
  const plain = withoutEscapes(text);
  return held.flatMap((identifier): Contribution[] => {
    const found = spellingIn(plain, identifier.spelling);
    if (found === undefined) return [];
    const own = words.filter(({ word }) => identifier.terms.has(word.term));
    const amount = profile.exactWeight * shareOf(found.place, profile) * highestScore(own, profile);
    return amount > 0 ? [{ kind: 'exact', text: found.spelling, amount }] : [];
  });
}

export type FoundSpelling = {
  readonly spelling: string;
  /** As asked for, in the title or a heading or elsewhere; or spelled another way. */
  readonly place: 'heading' | 'text' | 'other';
};

/** How the text spells a name, at word boundaries: as given where it does, else the first other way. */
export function spellingIn(text: string, name: string): FoundSpelling | undefined {
  const composed = /^\p{ASCII}*$/u.test(name) ? text : text.normalize('NFC');
  let place: 'heading' | 'text' | undefined;
  for (let at = composed.indexOf(name); at >= 0; at = composed.indexOf(name, at + 1)) {
    if (!isWhole(composed, at, at + name.length)) continue;
    if (isInHeading(composed, at)) return { spelling: name, place: 'heading' };
    place = 'text';
  }
  if (place) return { spelling: name, place };
  const [other = ''] = otherSpelling(name).exec(composed) ?? [];
  return other === '' ? undefined : { spelling: other, place: 'other' };
}

function shareOf(
  place: FoundSpelling['place'],
  { exactHeadingShare, exactOtherShare }: Pick<RankingProfile, 'exactHeadingShare' | 'exactOtherShare'>,
): number {
  if (place === 'heading') return exactHeadingShare;
  return place === 'text' ? 1 : exactOtherShare;
}

const WORD_BEFORE = /[\p{L}\p{M}\p{N}_]$/u;
const WORD_BEHIND = /^[\p{L}\p{M}\p{N}_]/u;

/** Two code units hold any character that stands beside it. */
function isWhole(text: string, start: number, end: number): boolean {
  return (
    !WORD_BEFORE.test(text.slice(Math.max(0, start - 2), start)) &&
    !WORD_BEHIND.test(text.slice(end, end + 2))
  );
}

function isInHeading(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^(?:#{1,6}[ \t]|title:)/.test(line);
}

/** Its parts in any case, with other joints or none between them. */
function otherSpelling(name: string): RegExp {
  const parts = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]|\p{N}+/gu) ?? [];
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{N}_])_{0,2}${parts.join(JOINT)}(?![\\p{L}\\p{M}\\p{N}_])`, 'iu');
}

const JOINT = '(?:::|->|[-_./:\\\\@])?';

/** `\_CrtSetDbgFlag` is Markdown for `_CrtSetDbgFlag`. */
function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replace(/\\([_*#.:<>-])/g, '$1') : text;
}
