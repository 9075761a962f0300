/** Link definitions, `[label]: destination "title"`, at the start of a paragraph. */

import type { BlockState } from './block-state.js';
import { isMarkdownSpace, skipBlanks, skipWhiteSpace } from './characters.js';
import { type Finder, startFinder } from './finder.js';
import { paragraphSource } from './leaf-source.js';
import { destinationEnd, labelEnd, normaliseLabel, readDestination, titleEnd } from './link-parts.js';

/** Records the definitions that the open paragraph starts with; answers how many of its lines they take. */
export function readDefinitions(state: BlockState): number {
  const { segments, leafFrom } = state;
  const quoted = state.depth > 0 && state.containers[state.depth - 1]!.quotes > 0;
  const source = paragraphSource(state.text, segments, leafFrom, segments.length, quoted);
  const finder = quoted ? startFinder(source.text) : state.definitionFinder;
  let lines = 0;
  let at = source.from;
  while (at < source.to && source.text.charCodeAt(at) === 91) {
    const end = readDefinition(state, finder, at, source.to);
    if (end < 0) break;
    while (leafFrom + lines * 2 < segments.length && segments[leafFrom + lines * 2]! - source.shift < end)
      lines++;
    if (leafFrom + lines * 2 >= segments.length) break;
    at = segments[leafFrom + lines * 2]! - source.shift;
  }
  return lines;
}

/** End of the line on which the definition at `at` ends; -1 if it is none. */
function readDefinition(state: BlockState, finder: Finder, at: number, to: number): number {
  const { text } = finder;
  const close = labelEnd(text, at, to);
  if (close < 0 || text.charCodeAt(close) !== 58) return -1;
  const start = skipWhiteSpace(text, close + 1, to);
  const end = destinationEnd(text, start, to);
  if (end < 0) return -1;
  let after = lineRest(text, end, to);
  const titleStart = skipWhiteSpace(text, end, to);
  if (titleStart > end && titleStart < to) {
    const title = titleEnd(finder, titleStart, to);
    const rest = title < 0 ? -1 : lineRest(text, title, to);
    if (rest >= 0) after = rest;
  }
  if (after < 0) return -1;
  const label = normaliseLabel(text.slice(at + 1, close - 1));
  if (!state.definitions.has(label))
    state.definitions.set(label, { destination: readDestination(text.slice(start, end)) });
  return after;
}

/** The end of the line if nothing but blanks is left on it, else -1. */
function lineRest(text: string, at: number, to: number): number {
  const end = skipBlanks(text, at, to);
  return end >= to || isMarkdownSpace(text.charCodeAt(end)) ? end : -1;
}
