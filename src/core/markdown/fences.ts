/** Fenced code: three or more backticks or tildes, closed by as many of the same sign or by their container. */

import { type BlockState, FENCE } from './block-state.js';
import { indexWithin, SPACE, skipBlanks, TAB } from './characters.js';
import { makeRoom } from './containers.js';
import { closeVerbatim, openVerbatim } from './leaves.js';

function countSigns(text: string, sign: number, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) === sign) at++;
  return at - from;
}

export function openFence(state: BlockState): boolean {
  const { text, next, end } = state;
  const sign = text.charCodeAt(next);
  const length = countSigns(text, sign, next, end);
  if (length < 3) return false;
  // A backtick behind the opening signs makes them inline code.
  if (sign === 96 && indexWithin(text, '`', next + length, end) >= 0) return false;
  makeRoom(state);
  openVerbatim(state, FENCE, 'fence', 'code');
  state.sign = sign;
  state.length = length;
  const start = skipBlanks(text, next + length, end);
  let stop = start;
  while (stop < end && text.charCodeAt(stop) !== SPACE && text.charCodeAt(stop) !== TAB) stop++;
  if (stop > start) state.regions[state.leafStart]!.language = text.slice(start, stop);
  return true;
}

/** Always true: each line of an open fence is its own, the closing one too. */
export function continueFence(state: BlockState): boolean {
  const { text, next, end, sign } = state;
  if (state.blank || text.charCodeAt(next) !== sign || state.indent > 3) return true;
  const length = countSigns(text, sign, next, end);
  if (length < state.length || skipBlanks(text, next + length, end) < end) return true;
  closeVerbatim(state, state.line, next + length, true);
  return true;
}
