/** Headings of both kinds and the outline they make. */

import { type BlockState, endOfLine, NO_LEAF, startTopBlock } from './block-state.js';
import { SPACE, skipBlanks, TAB, trimEnd } from './characters.js';
import { makeRoom } from './containers.js';
import { pushLeaf, stripDefinitions, takeItemText } from './leaves.js';

const MAX_LEVEL = 6;

/** `# text`, with closing signs or without. */
export function openAtxHeading(state: BlockState): boolean {
  const { text, next, end } = state;
  let at = next;
  while (at < end && text.charCodeAt(at) === 35) at++;
  const level = at - next;
  if (level > MAX_LEVEL || (at < end && text.charCodeAt(at) !== SPACE && text.charCodeAt(at) !== TAB))
    return false;
  makeRoom(state);
  if (state.depth === 0) startTopBlock(state, 'heading', next, state.line);
  else state.containers[state.depth - 1]!.hasContent = true;
  const contentStart = skipBlanks(text, at, end);
  let contentEnd = trimEnd(text, contentStart, end);
  let closing = contentEnd;
  while (closing > contentStart && text.charCodeAt(closing - 1) === 35) closing--;
  const before = text.charCodeAt(closing - 1);
  if (closing === contentStart || before === SPACE || before === TAB)
    contentEnd = trimEnd(text, contentStart, closing);
  addHeading(state, level, false, next, state.line, contentStart, contentEnd);
  return true;
}

/** A line of `=` or `-` under a paragraph. */
export function openSetextHeading(state: BlockState, level: number): boolean {
  const { text, next, end, segments } = state;
  const sign = text.charCodeAt(next);
  let at = next;
  while (at < end && text.charCodeAt(at) === sign) at++;
  if (skipBlanks(text, at, end) < end) return false;
  if (text.charCodeAt(segments[state.leafFrom]!) === 91 && !stripDefinitions(state)) {
    state.leaf = NO_LEAF;
    return false;
  }
  state.leaf = NO_LEAF;
  const start = segments[state.leafFrom]!;
  const last = segments.length - 1;
  segments[last] = trimEnd(text, segments[last - 1]!, segments[last]!);
  if (state.depth === 0) state.blocks[state.blocks.length - 1]!.kind = 'heading';
  addHeading(state, level, true, start, state.leafLine, start, segments[last]!);
  return true;
}

function addHeading(
  state: BlockState,
  level: number,
  setext: boolean,
  start: number,
  line: number,
  contentStart: number,
  contentEnd: number,
): void {
  const { headings, path } = state;
  const nested = state.depth > 0;
  const index = headings.length;
  let parent = path.at(-1) ?? -1;
  if (!nested) {
    while (parent >= 0 && headings[parent]!.level >= level) {
      path.pop();
      parent = path.at(-1) ?? -1;
    }
    path.push(index);
    state.heading = index;
  }
  headings.push({
    level,
    text: '',
    setext,
    start,
    end: endOfLine(state, state.line),
    line: line + 1,
    endLine: state.line + 1,
    contentStart,
    contentEnd,
    parent,
    nested,
  });
  if (!setext) {
    state.leafFrom = state.segments.length;
    state.segments.push(contentStart, contentEnd);
    state.leafLine = line;
  }
  const isText = takeItemText(state);
  pushLeaf(state, 'heading', line, state.leafFrom, index, isText);
}
