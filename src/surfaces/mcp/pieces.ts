/**
 * An operation's output as a row of pieces, so that a reply can be cut anywhere between two of them: an element of a
 * long list, or a line of a long text. What is short is no piece and stands in every page. How much of the row a page
 * takes is decided in reply-pages.ts.
 */

import { estimateTokens } from '../../operations/estimate-tokens.js';

export type Output = Readonly<Record<string, unknown>>;

export type PieceRules = {
  /** A list or text of more tokens is cut into pieces. */
  readonly longTokens: number;
  /** A line of more characters is several pieces. */
  readonly mostCharacters: number;
};

/** Asked for each piece, in order: whether the page has it. */
type Taking = (piece: unknown) => boolean;

/** Tokens of each piece. */
export function pieceCosts(output: Output, rules: PieceRules): readonly number[] {
  const costs: number[] = [];
  withPieces(output, rules, (piece) => {
    costs.push(jsonTokens(piece));
    return false;
  });
  return costs;
}

/** The output with the pieces from `start` up to `end`, and none of the others. */
export function pageOf(output: Output, rules: PieceRules, start: number, end: number): Output {
  let at = 0;
  return withPieces(output, rules, () => {
    const isIn = at >= start && at < end;
    at += 1;
    return isIn;
  }) as Output;
}

export function jsonTokens(value: unknown): number {
  return estimateTokens(JSON.stringify(value) ?? '');
}

function withPieces(value: unknown, rules: PieceRules, takes: Taking): unknown {
  if (typeof value === 'string') return isLong(value, rules) ? textPieces(value, rules, takes) : value;
  if (Array.isArray(value)) return isLong(value, rules) ? listPieces(value, rules, takes) : value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withPieces(inner, rules, takes)]),
  );
}

function isLong(value: string | readonly unknown[], { longTokens }: PieceRules): boolean {
  return jsonTokens(value) > longTokens;
}

function textPieces(text: string, { mostCharacters }: PieceRules, takes: Taking): string {
  return linesOf(text, mostCharacters).filter(takes).join('');
}

/** An element that holds a long list itself is in the page with what the page has of that list. */
function listPieces(list: readonly unknown[], rules: PieceRules, takes: Taking): unknown[] {
  const taken: unknown[] = [];
  for (const element of list) {
    if (!holdsLongList(element, rules)) {
      if (takes(element)) taken.push(element);
      continue;
    }
    let isWanted = false;
    const part = withPieces(element, rules, (piece) => {
      const isIn = takes(piece);
      isWanted ||= isIn;
      return isIn;
    });
    if (isWanted) taken.push(part);
  }
  return taken;
}

function holdsLongList(element: unknown, rules: PieceRules): boolean {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return false;
  return Object.values(element).some((inner) => Array.isArray(inner) && isLong(inner, rules));
}

/** Lines with their line feeds, long ones in parts of so many characters; joined they are the text again. */
export function linesOf(text: string, mostCharacters: number): string[] {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    let end = Math.min(feed < 0 ? text.length : feed + 1, start + mostCharacters);
    // Half a character outside the basic plane is none.
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end += 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** The same value with each of its texts cut to so many characters. */
export function shortened<T>(value: T, characters: number): T {
  if (typeof value === 'string') {
    return (value.length > characters ? `${value.slice(0, characters)}…` : value) as T;
  }
  if (Array.isArray(value)) return value.map((inner) => shortened(inner, characters)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, shortened(inner, characters)]),
  ) as T;
}
