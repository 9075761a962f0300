/**
 * Tokens of a tokenizer.json that are looked for before words are: in the text as it is written, or in the normalised
 * one. Words are made by word-pieces.ts.
 */

import { isObject } from './model-file.js';

export type AddedToken = {
  readonly content: string;
  readonly number: number;
  readonly isNormalised: boolean;
  /** Nothing that belongs to a word may touch it. */
  readonly isWord: boolean;
};

export type Matcher = { readonly pattern: RegExp; readonly numbers: ReadonlyMap<string, number> };

export function readAddedTokens(list: unknown): readonly AddedToken[] {
  return (Array.isArray(list) ? list : []).flatMap((token) => {
    const { content, id, normalized, single_word } = isObject(token) ? token : {};
    if (typeof content !== 'string' || content === '' || typeof id !== 'number') return [];
    return [{ content, number: id, isNormalised: normalized === true, isWord: single_word === true }];
  });
}

const WORD_SIGN = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]';

/** Undefined where there is nothing to look for. */
export function matcherOf(tokens: readonly AddedToken[]): Matcher | undefined {
  const some = tokens.filter(({ content }) => content !== '');
  if (some.length === 0) return undefined;
  const longestFirst = [...some].sort((a, b) => b.content.length - a.content.length);
  const patterns = longestFirst.map(({ content, isWord }) => {
    const pattern = content.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return isWord ? `(?<!${WORD_SIGN})${pattern}(?!${WORD_SIGN})` : pattern;
  });
  return {
    pattern: new RegExp(`(${patterns.join('|')})`, 'u'),
    numbers: new Map(some.map(({ content, number }) => [content, number])),
  };
}

/** Hands out the tokens of the text, and what lies between them, in order. */
export function eachPiece(
  text: string,
  matcher: Matcher | undefined,
  onToken: (number: number) => void,
  onText: (piece: string) => void,
): void {
  if (matcher === undefined) {
    onText(text);
    return;
  }
  text.split(matcher.pattern).forEach((piece, at) => {
    if (at % 2 === 0) onText(piece);
    else onToken(matcher.numbers.get(piece)!);
  });
}
