/** Dates and other signs of a task: inline fields such as `[due:: 2026-01-31]`, and the Tasks plugin's emoji. */

import { normaliseKey } from './fields.js';

export type TaskSigns = {
  readonly due?: string;
  readonly scheduled?: string;
  readonly start?: string;
  readonly created?: string;
  readonly done?: string;
  readonly cancelled?: string;
  readonly repeat?: string;
  readonly priority?: string;
};

const EMOJI: readonly (readonly [sign: string, key: keyof TaskSigns])[] = [
  ['📅', 'due'],
  ['📆', 'due'],
  ['🗓', 'due'],
  ['⏳', 'scheduled'],
  ['⌛', 'scheduled'],
  ['🛫', 'start'],
  ['➕', 'created'],
  ['✅', 'done'],
  ['❌', 'cancelled'],
];

const PRIORITIES: readonly (readonly [sign: string, name: string])[] = [
  ['🔺', 'highest'],
  ['⏫', 'high'],
  ['🔼', 'medium'],
  ['🔽', 'low'],
  ['⏬', 'lowest'],
];

const FIELD_KEYS: Readonly<Record<string, keyof TaskSigns>> = {
  due: 'due',
  scheduled: 'scheduled',
  start: 'start',
  created: 'created',
  completion: 'done',
  completed: 'done',
  done: 'done',
  cancelled: 'cancelled',
  repeat: 'repeat',
  priority: 'priority',
};

const FIELD = /[[(]([^[\]()\n:]{1,40})::\s+([^[\]()\n]{0,200})[\])]/g;
const DATE_AFTER = /^\ufe0f?\s*(\d{4}-\d{2}-\d{2})/;
const SIGNS = [...EMOJI, ...PRIORITIES].map(([sign]) => sign);
const REPEAT = '🔁';

/** Reads the text of one task. Where a sign stands twice, the first counts. */
export function readTaskSigns(text: string): TaskSigns {
  const signs: { -readonly [K in keyof TaskSigns]: string } = {};
  for (const [, key, value] of text.matchAll(FIELD)) {
    const known = FIELD_KEYS[normaliseKey(key!)];
    if (known !== undefined && value!.trim() !== '') signs[known] ??= value!.trim();
  }
  for (const [sign, key] of EMOJI) {
    const at = text.indexOf(sign);
    const date =
      at < 0 ? undefined : DATE_AFTER.exec(text.slice(at + sign.length, at + sign.length + 20))?.[1];
    if (date !== undefined) signs[key] ??= date;
  }
  const priority = PRIORITIES.find(([sign]) => text.includes(sign));
  if (priority !== undefined) signs.priority ??= priority[1];
  const repeat = text.indexOf(REPEAT);
  if (repeat >= 0) {
    const rule = text.slice(repeat + REPEAT.length, endOfRule(text, repeat + REPEAT.length)).trim();
    if (rule !== '') signs.repeat ??= rule;
  }
  return signs;
}

function endOfRule(text: string, from: number): number {
  let end = text.length;
  for (const sign of [...SIGNS, '[', '(', ' ^']) {
    const at = text.indexOf(sign, from);
    if (at >= 0 && at < end) end = at;
  }
  return end;
}
