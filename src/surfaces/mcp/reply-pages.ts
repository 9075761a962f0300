/**
 * Cuts a reply into pages that fit a budget. Each page holds a part of the data and about the same part of the text;
 * over all pages both are complete. Pieces are in pieces.ts; replies that are not read to their end, in kept.ts.
 */

import { estimateTokens } from '../../operations/estimate-tokens.js';
import {
  jsonTokens,
  linesOf,
  type Output,
  type PieceRules,
  pageOf,
  pieceCosts,
  shortened,
} from './pieces.js';

/** Where a page begins: so many pieces of the data, so many characters of the text. */
export type Place = { readonly piece: number; readonly character: number };

export const START: Place = { piece: 0, character: 0 };

export type Reply = {
  readonly output: Output;
  readonly text: string;
  readonly rules: PieceRules;
  readonly costs: readonly number[];
};

export type Page = {
  readonly output: Output;
  readonly text: string;
  /** Where the next page begins; undefined after the last. */
  readonly next: Place | undefined;
};

export type Budget = {
  readonly maxTokens: number;
  /** What stands around text and data in each page. */
  readonly textExtra: number;
  readonly outputExtra: number;
};

/** Parts of a page that is full: a list below an eighth of it is short, a line beyond a quarter is cut. */
const SHORT_SHARE = 8;
const LINE_SHARE = 4;

export function makeReply(output: Output, text: string, maxTokens: number): Reply {
  const rules = {
    longTokens: Math.floor(maxTokens / SHORT_SHARE),
    mostCharacters: Math.floor(maxTokens / LINE_SHARE),
  };
  return { output, text, rules, costs: pieceCosts(output, rules) };
}

/** All of it, where it fits. */
export function wholePage(output: Output, text: string, { maxTokens, textExtra }: Budget): Page | undefined {
  const fits = estimateTokens(text) + textExtra <= maxTokens && jsonTokens(output) <= maxTokens;
  return fits ? { output, text, next: undefined } : undefined;
}

export function cutPage(reply: Reply, start: Place, budget: Budget): Page {
  const { output, rules, costs } = reply;
  const room = budget.maxTokens - budget.outputExtra;
  const all = costs.length;
  let used = jsonTokens(pageOf(output, rules, 0, 0));
  let end = start.piece;
  while (end < all && used + costs[end]! <= room) used += costs[end++]!;
  if (end === start.piece && end < all) end += 1;
  let text = textUpTo(reply, start, end, budget);
  // Less data, where its text does not fit beside it; always a piece, so that there is an end.
  while (text.isCut && end > start.piece + 1) {
    end = start.piece + Math.max(1, Math.floor((end - start.piece) * text.share));
    text = textUpTo(reply, start, end, budget);
  }
  let data = pageOf(output, rules, start.piece, end);
  while (jsonTokens(data) > room && end > start.piece + 1) data = pageOf(output, rules, start.piece, --end);
  for (const characters of [1_000, 300, 100, 30]) {
    if (jsonTokens(data) <= room) break;
    data = shortened(data, characters);
  }
  const isLast = end === all && text.end === reply.text.length;
  return {
    output: data,
    text: reply.text.slice(start.character, text.end),
    next: isLast ? undefined : { piece: end, character: text.end },
  };
}

type TextPart = { readonly end: number; readonly isCut: boolean; readonly share: number };

/** As much of the text as belongs to the pieces before `end`; `share` of it fits where it is cut. */
function textUpTo(reply: Reply, start: Place, end: number, budget: Budget): TextPart {
  const { text, costs, rules } = reply;
  const aim = end === costs.length ? text.length : aimAt(reply, end);
  const wanted = Math.max(start.character, aim);
  const room = budget.maxTokens - budget.textExtra;
  const part = text.slice(start.character, wanted);
  if (estimateTokens(part) <= room) return { end: wanted, isCut: false, share: 1 };
  let used = 0;
  let length = 0;
  for (const line of linesOf(part, rules.mostCharacters)) {
    const cost = estimateTokens(line);
    if (used + cost > room && length > 0) break;
    used += cost;
    length += line.length;
  }
  const fitting = start.character + length;
  const cut = lineStart(text, fitting, start.character, rules.mostCharacters);
  return { end: cut, isCut: true, share: Math.min(0.95, length / part.length) };
}

/** The beginning of a line that stands as far in the text as the piece does in the data. */
function aimAt({ text, costs, rules }: Reply, end: number): number {
  const before = costs.slice(0, end).reduce((sum, cost) => sum + cost, 0);
  const all = costs.reduce((sum, cost) => sum + cost, 0);
  const about = Math.round((text.length * before) / Math.max(1, all));
  return lineStart(text, about, -1, rules.mostCharacters);
}

const LINES_LOOKED_AT = 12;

/** Below this a line is never cut for the sake of a full page. */
const LEAST_LONG_LINE = 400;

/**
 * The nearest beginning of a line at or before a place, after `from` and not too far back; of the last few one that
 * does not go on with what the line before it began, as deeper indentation shows. In a long line the place itself.
 */
function lineStart(text: string, place: number, from: number, mostBack: number): number {
  let nearest: number | undefined;
  let at = place;
  for (let looked = 0; looked < LINES_LOOKED_AT; looked += 1) {
    if (at < text.length) at = text.lastIndexOf('\n', at - 1) + 1;
    if (at <= from || place - at > Math.max(mostBack, LEAST_LONG_LINE)) break;
    nearest ??= at;
    if (indentation(text, at) <= indentation(text, text.lastIndexOf('\n', at - 2) + 1)) return at;
    at -= 1;
  }
  if (nearest !== undefined) return nearest;
  // Half a character outside the basic plane is none.
  return /[\ud800-\udbff]/.test(text[place - 1] ?? '') ? place + 1 : place;
}

function indentation(text: string, lineAt: number): number {
  let at = lineAt;
  while (text[at] === ' ') at += 1;
  return at - lineAt;
}
