/** What a long call says of itself where nobody measures for it, and where its caller does. */

import { expect, test } from 'vitest';
import type { Progress } from '../../src/core/memory/memory.js';
import { progressLine } from '../../src/surfaces/cli/progress-line.js';

function said(progress: Progress, afterMs: number): string {
  let written = '';
  let nowMs = 0;
  const stderr = { write: (text: string) => void (written += text), isTerminal: false };
  const options = { json: false, quiet: false, verbose: true };
  const line = progressLine(stderr as never, options as never, () => nowMs);
  nowMs = afterMs;
  line.update(progress);
  return written.trimEnd();
}

test.each<[string, Progress, number]>([
  ['100 of 400 notes · 50 a second · 6 s left', { done: 100, total: 400 }, 2_000],
  ['8 of 42,000 passages', { done: 8, total: 42_000, unit: 'passages' }, 9_000],
  [
    '8,000 of 42,000 passages · 48 a second · 12 min left',
    { done: 8_000, total: 42_000, unit: 'passages', perSecond: 48.2, secondsLeft: 706 },
    9_000,
  ],
  [
    '10 of 9,000 passages · 0.4 a second · 6 h left',
    { done: 10, total: 9_000, unit: 'passages', perSecond: 0.41, secondsLeft: 21_900 },
    9_000,
  ],
  ['400 of 400 notes · 200 a second', { done: 400, total: 400 }, 2_000],
])('progressLine() says %s', (text, progress, afterMs) => {
  expect(said(progress, afterMs)).toBe(text);
});
