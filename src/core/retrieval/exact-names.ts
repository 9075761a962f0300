/**
 * The stream `exact`: notes that hold an identifier of the query (identifiers.ts) as it is spelled there gain most, those
 * that spell it otherwise less. Texts are read by memory/lift-exact-names.ts.
 */

import { isAscii } from '../text/fold.js';
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
  const composed = isAscii(name) ? text : text.normalize('NFC');
  let place: 'heading' | 'text' | undefined;
  for (let at = composed.indexOf(name); at >= 0; at = composed.indexOf(name, at + 1)) {
    if (!isWhole(composed, at, at + name.length)) continue;
    if (isInHeading(composed, at)) return { spelling: name, place: 'heading' };
    place = 'text';
  }
  if (place) return { spelling: name, place };
  const other = otherSpelling(composed, name);
  return other === undefined ? undefined : { spelling: other, place: 'other' };
}

function shareOf(
  place: FoundSpelling['place'],
  { exactHeadingShare, exactOtherShare }: Pick<RankingProfile, 'exactHeadingShare' | 'exactOtherShare'>,
): number {
  if (place === 'heading') return exactHeadingShare;
  return place === 'text' ? 1 : exactOtherShare;
}

// V8 takes up to two milliseconds to prepare a pattern with classes of Unicode, which few names and their neighbours need.

/** Two code units hold any character that stands beside it. */
function isWhole(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const behind = text.slice(end, end + 2);
  if (isAscii(before) && isAscii(behind)) return !/\w$/.test(before) && !/^\w/.test(behind);
  return !/[\p{L}\p{M}\p{N}_]$/u.test(before) && !/^[\p{L}\p{M}\p{N}_]/u.test(behind);
}

function isInHeading(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^(?:#{1,6}[ \t]|title:)/.test(line);
}

const JOINT = '(?:::|->|[-_./:\\\\@])?';

/** Its parts in any case, with other joints or none between them. */
function otherSpelling(text: string, name: string): string | undefined {
  const isPlain = isAscii(name);
  const parts = isPlain
    ? name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]|\d+/g)
    : name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]|\p{N}+/gu);
  if (!parts) return undefined;
  const pattern = new RegExp(`_{0,2}${parts.join(JOINT)}`, isPlain ? 'gi' : 'giu');
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [spelling] = found;
    if (isWhole(text, found.index, found.index + spelling.length)) return spelling;
    // Into the middle of a pair a pattern with `u` would step back.
    pattern.lastIndex = found.index + (text.codePointAt(found.index)! > 0xffff ? 2 : 1);
  }
  return undefined;
}

/** `\_CrtSetDbgFlag` is Markdown for `_CrtSetDbgFlag`. */
function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replace(/\\([_*#.:<>-])/g, '$1') : text;
}
