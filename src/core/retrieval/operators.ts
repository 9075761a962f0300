/**
 * The signs of a query: "phrases" and -without. Everything else is words; see plan.ts. Negative numbers and flags of
 * one or two letters (`ls -la`) are no exclusions.
 */

import type { DroppedText } from './plan.js';

export type Operators = {
  /** The query with signs and exclusions taken out; the words of phrases stay. */
  readonly positive: string;
  readonly phrases: readonly string[];
  readonly without: readonly string[];
  readonly dropped: readonly DroppedText[];
};

const QUOTED = /"([^"\n]+)"|[“„]([^“”„\n]+)[”“]/gu;
/** Made when a query has signs: V8 takes a millisecond to prepare it. */
const excluded = () =>
  /(?<=^|\s)-(?:"([^"\n]+)"|[“„]([^“”„\n]+)[”“]|(?!\d{1,3}(?:[.,]\d+)?(?:\s|$)|\p{L}{1,2}(?:\s|$))([\p{L}\p{N}.#@_][^\s"“”]*))/gu;
/** After such a word a hyphen stands for the first half of a compound: `Vereine und -organisationen`. */
const BEFORE_SUSPENDED_HYPHEN = /(?:^|\s)(?:and|or|und|oder|bzw\.?|sowie|en|of|och|eller|og)\s$/iu;

/** Without one of these there is nothing to read, and no pattern to prepare. */
const SIGN = /["“„]|(?:^|\s)-/;

export function readOperators(text: string): Operators {
  if (!SIGN.test(text)) return { positive: text, phrases: [], without: [], dropped: [] };
  const without: string[] = [];
  const rest = text.replace(excluded(), (match, quoted, curly, word, offset: number) => {
    if (BEFORE_SUSPENDED_HYPHEN.test(text.slice(0, offset))) return match;
    without.push(quoted ?? curly ?? word);
    return ' ';
  });
  if (without.length > 0 && !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(rest)) {
    const dropped = [{ text: '-', reason: 'only exclusions' }] as const;
    return { positive: text.replace(/(?<=^|\s)-(?!-)/gu, ' '), phrases: [], without: [], dropped };
  }
  const phrases: string[] = [];
  const positive = rest.replace(QUOTED, (_match, straight, curly) => {
    phrases.push(straight ?? curly);
    return ` ${straight ?? curly} `;
  });
  return { positive, phrases, without, dropped: [] };
}
