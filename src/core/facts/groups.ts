/** `(…)` and `[…]` at the end of a line, read backwards: the fields of facts and the context of relations. */

import { fieldSign, normaliseKey, opensValue } from '../markdown/fields.js';
import { isBackslashed } from '../markdown/link-parts.js';

export type Group = {
  readonly start: number;
  readonly end: number;
  /** Normalised; undefined where the group is no field. */
  readonly key: string | undefined;
  /** Value of a field, or all that stands between the brackets, raw. */
  readonly value: string;
  readonly round: boolean;
};

/** The group that ends exactly at `end`, its brackets balanced; undefined if none does. */
export function trailingGroup(text: string, end: number): Group | undefined {
  const close = text[end - 1];
  if (close !== ')' && close !== ']') return undefined;
  const open = close === ')' ? '(' : '[';
  let depth = 0;
  for (let at = end - 1; at >= 0; at--) {
    const sign = text[at];
    if ((sign !== close && sign !== open) || isBackslashed(text, 0, at)) {
      if (at === end - 1) return undefined;
      continue;
    }
    depth += sign === close ? 1 : -1;
    if (depth === 0) return readGroup(text, at, end);
  }
  return undefined;
}

function readGroup(text: string, start: number, end: number): Group {
  const round = text[start] === '(';
  const inner = start + 1 + blanksAt(text, start + 1);
  const sign = fieldSign(text, inner, end - 1);
  if (sign < 0 || !opensValue(text, sign, end - 1))
    return { start, end, key: undefined, value: text.slice(start + 1, end - 1), round };
  const key = normaliseKey(text.slice(inner, sign));
  return {
    start,
    end,
    key: key === '' ? undefined : key,
    value: text.slice(sign + 2, end - 1).trim(),
    round,
  };
}

function blanksAt(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return end - at;
}

/** The unbroken run of fields that ends the text, first to last, and where the text before it ends. */
export function trailingFields(text: string): {
  readonly fields: readonly Group[];
  readonly textEnd: number;
} {
  const fields: Group[] = [];
  let textEnd = text.length;
  let end = text.length;
  for (;;) {
    const group = trailingGroup(text, end);
    if (group?.key === undefined) break;
    // What stands next to a word, or makes a link with the bracket before it, is text.
    const before = text[group.start - 1];
    if (before !== undefined && !/[\s,·)\]]/.test(before)) break;
    if (!group.round && text[end] === '(') break;
    fields.unshift(group);
    textEnd = skipBack(text, group.start, /[ \t]/);
    end = skipBack(text, group.start, /[ \t,·]/);
  }
  return { fields, textEnd };
}

function skipBack(text: string, from: number, signs: RegExp): number {
  let at = from;
  while (at > 0 && signs.test(text[at - 1]!)) at--;
  return at;
}
