/** The piece of a passage that shows best why it was found. What is stripped for show: plain-view.ts. */

import { placedTermsOf } from '../text/terms.js';
import type { Stretch } from './focus.js';
import type { ScoredWord } from './gather.js';
import { plainView } from './plain-view.js';

export type Snippet = {
  /** One line, at most `maxChars` long, with `…` where it was cut. */
  readonly text: string;
  /** Matched words in `text`, start and end. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** Offset in the given text of the best place: its first matched word, else what is shown first. */
  readonly offset: number;
};

type Match = { readonly start: number; readonly end: number; readonly terms: readonly string[] };

/** A further mention of a word already in view, as a share of its weight. */
const REPEATED = 0.1;
/** How far before the first matched word a sentence may start to be shown from its start, as a share of the space. */
const LEAD = 0.3;
/** No combining mark comes before it. */
const FIRST_MARK = 0x300;

/** What to look for in the passages of a ranking: every form of every word, the rarer the heavier. */
export function snippetTerms(words: readonly ScoredWord[]): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { gain, forms } of words) {
    for (const { evidence, share } of forms) {
      weights.set(evidence.term, Math.max(weights.get(evidence.term) ?? 0, gain * share));
    }
  }
  return weights;
}

/** `terms` are as indexed; with weights the rarer words decide where to look. */
export function snippet(
  text: string,
  terms: readonly string[] | ReadonlyMap<string, number>,
  { maxChars }: { readonly maxChars: number },
): Snippet {
  const source = text.normalize('NFC');
  const weights =
    terms instanceof Map ? terms : new Map((terms as readonly string[]).map((term) => [term, 1]));
  const view = plainView(source);
  const matches = matchesIn(view.text, weights);
  const room = Math.max(1, maxChars);
  const best = bestRun(matches, weights, room);
  const first = matches[best.from];
  const paragraph = paragraphStart(source, view.origins, first, room);
  const start = paragraph ?? startOf(view.text, first, matches[best.to], room);
  const cut = cutOut(view.text, start, room, start > 0 && paragraph === undefined);
  const ranges: [number, number][] = [];
  for (const match of matches) {
    if (match.start < cut.start || match.end > cut.end) continue;
    const range: [number, number] = [match.start - cut.start + cut.shift, match.end - cut.start + cut.shift];
    const last = ranges.at(-1);
    if (last !== undefined && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else ranges.push(range);
  }
  const offset = view.origins[first?.start ?? cut.start] ?? 0;
  return { text: cut.text, ranges, offset: Math.min(offset, text.length) };
}

function matchesIn(text: string, weights: ReadonlyMap<string, number>): Match[] {
  const matches: Match[] = [];
  for (const stretch of candidateStretches(text, weights)) {
    for (const { start, end, terms } of placedTermsOf(text.slice(stretch.start, stretch.end))) {
      const matched = terms.filter((term) => weights.has(term));
      if (matched.length > 0) {
        matches.push({ start: stretch.start + start, end: stretch.start + end, terms: matched });
      }
    }
  }
  return matches;
}

/** A stem begins like its forms; two letters are enough to pass by most words. */
const START_LENGTH = 2;
const ASCII_ONLY = /^[\0-\x7f]*$/;

/**
 * Runs without white space that hold the beginning of a term. Reading every word the way the index does costs a
 * process that has just started more than the search did. Letters that fold into others need the full reading.
 */
function candidateStretches(text: string, weights: ReadonlyMap<string, number>): readonly Stretch[] {
  if (!ASCII_ONLY.test(text)) return [{ start: 0, end: text.length }];
  const starts = new Set<string>();
  for (const term of weights.keys()) starts.add(term.slice(0, START_LENGTH));
  const lower = text.toLowerCase();
  const stretches = new Map<number, Stretch>();
  for (const part of starts) {
    let at = lower.indexOf(part);
    while (at >= 0) {
      // A plain view has no other white space.
      const start = lower.lastIndexOf(' ', at) + 1;
      const space = lower.indexOf(' ', at);
      const end = space < 0 ? lower.length : space;
      stretches.set(start, { start, end });
      at = lower.indexOf(part, end + 1);
    }
  }
  return [...stretches.values()].sort((a, b) => a.start - b.start);
}

/** The run of matches that fits and weighs most, each word counting once in full; the earliest of equals. */
function bestRun(
  matches: readonly Match[],
  weights: ReadonlyMap<string, number>,
  room: number,
): { readonly from: number; readonly to: number } {
  let best = { from: 0, to: 0, weight: 0 };
  for (let from = 0; from < matches.length; from++) {
    const seen = new Set<string>();
    let weight = 0;
    for (let to = from; to < matches.length && matches[to]!.end - matches[from]!.start <= room; to++) {
      for (const term of matches[to]!.terms) {
        weight += (weights.get(term) ?? 0) * (seen.has(term) ? REPEATED : 1);
        seen.add(term);
      }
      if (weight > best.weight + 1e-9) best = { from, to, weight };
    }
  }
  return best;
}

/** Where the paragraph of the first matched word begins, if that is near enough to be shown from there. */
function paragraphStart(
  source: string,
  origins: Int32Array,
  first: Match | undefined,
  room: number,
): number | undefined {
  if (first === undefined) return undefined;
  const earliest = Math.max(0, first.start - Math.ceil(room * LEAD));
  for (let at = first.start; at >= Math.max(1, earliest); at -= 1) {
    if (/\n[^\S\n]*\n/.test(source.slice(origins[at - 1], origins[at]! + 1))) return at;
  }
  return undefined;
}

/** A sentence's start if it is near, else a word's, so that the matched words stand inside. */
function startOf(text: string, first: Match | undefined, last: Match | undefined, room: number): number {
  if (first === undefined || last === undefined || text.length <= room) return 0;
  const spare = Math.max(0, room - (last.end - first.start) - 2);
  const earliest = Math.max(0, first.start - Math.min(spare, Math.ceil(room * LEAD)));
  if (earliest === 0) return 0;
  const sentence = /[.!?:;。！？：；][)"'”’」』]*\s*(?=\S)/gu;
  sentence.lastIndex = Math.max(0, earliest - 2);
  for (let found = sentence.exec(text); found !== null; found = sentence.exec(text)) {
    const start = found.index + found[0].length;
    if (start > first.start) break;
    const isBorder = /\s$/.test(found[0]) || /[。！？：；]/.test(found[0]);
    if (start >= earliest && isBorder) return start;
  }
  const space = text.indexOf(' ', earliest - 1);
  if (space >= 0 && space < first.start) return space + 1;
  return afterPair(text, earliest);
}

function cutOut(text: string, start: number, room: number, isCutBefore: boolean) {
  const lead = isCutBefore ? '…' : '';
  let end = text.length;
  if (text.length - start + lead.length > room) {
    end = Math.max(start, start + room - lead.length - 1);
    const space = text.lastIndexOf(' ', end);
    if (space > start + (end - start) * 0.7) end = space;
    end = beforePair(text, end);
  }
  const body = text.slice(start, end).trimEnd();
  return {
    text: lead + body + (end < text.length ? '…' : ''),
    start,
    end: start + body.length,
    shift: lead.length,
  };
}

/** Never between the halves of a character, nor before a mark that belongs to it. */
function beforePair(text: string, at: number): number {
  let end = at;
  while (end > 0 && end < text.length && isLaterPart(text, end)) end--;
  return end;
}

function afterPair(text: string, at: number): number {
  let start = at;
  while (start < text.length && isLaterPart(text, start)) start++;
  return start;
}

function isLaterPart(text: string, at: number): boolean {
  return text.charCodeAt(at) >= FIRST_MARK && /[\udc00-\udfff]|\p{M}/u.test(text[at]!);
}
