/** Inline fields: `[key:: value]`, `(key:: value)`, and lines `key:: value`. */

import {
  indexWithin,
  isAlphanumeric,
  isMarkdownSpace,
  isWordBeyondAscii,
  skipBlanks,
  trimEnd,
} from './characters.js';
import { type InlineState, lineAt } from './inline-state.js';
import type { Field } from './scanned-note.js';

const MAX_KEY = 100;

/** Offset of the `::` that ends the key starting at `from`, -1 if no field starts there. */
export function fieldSign(text: string, from: number, to: number): number {
  const limit = Math.min(to - 1, from + MAX_KEY);
  let hasName = false;
  let at = from;
  for (; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === 58) break;
    if (code < 128) {
      if (isAlphanumeric(code)) hasName = true;
      else if (!isKeySign(code)) return -1;
    } else {
      const point = text.codePointAt(at)!;
      if (!isWordBeyondAscii(point)) return -1;
      hasName = true;
      if (point > 0xffff) at++;
    }
  }
  if (!hasName || text.charCodeAt(at) !== 58 || text.charCodeAt(at + 1) !== 58) return -1;
  return at;
}

/** Space, `*`, `_`, `~`, `-`, `/`. */
function isKeySign(code: number): boolean {
  return code === 32 || code === 42 || code === 95 || code === 126 || code === 45 || code === 47;
}

/** Lower-cased, spaces as `-`, emphasis signs dropped; `_` inside a word stays. */
export function normaliseKey(written: string): string {
  // V8 takes a millisecond to prepare the pattern.
  const hasSigns = /[*~_]/.test(written);
  const bare = hasSigns ? written.replace(/[*~]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '') : written;
  return bare.trim().toLowerCase().replace(/\s+/g, '-');
}

/** Whether white space or the end follows `::`. `close` is the field's last character or the text's end. */
export function opensValue(text: string, sign: number, end: number): boolean {
  return sign + 2 >= end || isMarkdownSpace(text.charCodeAt(sign + 2));
}

/** Records the field between the signs at `start` and `close`. */
export function addBracketField(
  state: InlineState,
  form: 'bracket' | 'paren',
  start: number,
  sign: number,
  close: number,
): void {
  if (opensValue(state.text, sign, close))
    addField(state, form, start, start + 1, sign, close, close + 1, false);
}

/** Reads the line that starts at `from` if it is `key:: value`. */
export function readLineField(state: InlineState, from: number, isFirst: boolean): void {
  const { text, to } = state;
  let start = skipBlanks(text, from, to);
  if (state.inComment && isBullet(text, start)) start = skipBlanks(text, start + 1, to);
  const isHidden = text.startsWith('%%', start);
  if (isHidden) start = skipBlanks(text, start + 2, to);
  const sign = fieldSign(text, start, to);
  if (sign < 0) return;
  let end = endOf(text, '\n', sign, to);
  if (isHidden) end = endOf(text, '%%', sign, end);
  end = trimEnd(text, sign + 2, end);
  if (!opensValue(text, sign, end)) return;
  addField(state, 'line', start, start, sign, end, end, state.isItemText && !isFirst);
}

function endOf(text: string, signs: string, from: number, to: number): number {
  const at = indexWithin(text, signs, from, to);
  return at < 0 ? to : at;
}

function isBullet(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === 45 || code === 42 || code === 43) && text.charCodeAt(at + 1) === 32;
}

function addField(
  state: InlineState,
  form: Field['form'],
  start: number,
  keyStart: number,
  sign: number,
  valueLimit: number,
  end: number,
  outliner: boolean,
): void {
  const { text, shift } = state;
  const key = normaliseKey(text.slice(keyStart, sign));
  if (key === '') return;
  const valueStart = Math.min(skipBlanks(text, sign + 2, valueLimit), valueLimit);
  const valueEnd = trimEnd(text, valueStart, valueLimit);
  state.fields.push({
    key,
    value: text.slice(valueStart, valueEnd),
    form,
    start: start + shift,
    end: end + shift,
    valueStart: valueStart + shift,
    valueEnd: valueEnd + shift,
    line: lineAt(state, start),
    item: state.item,
    outliner,
  });
}
