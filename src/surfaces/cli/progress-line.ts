/** Shows progress of a long call: one line that renews itself on a terminal, lines with `--verbose`, else nothing. */

import type { Progress } from '../../core/memory/memory.js';
import { cleanText } from '../../operations/clean-text.js';
import { byteSize, grouped } from '../../operations/wording.js';
import type { GlobalOptions } from './global-options.js';
import type { Outlet } from './host.js';

const FIRST_AFTER_MS = 400;
const RENEW_MS = 100;
const VERBOSE_EVERY_MS = 1_000;
const BAR_WIDTH = 20;
const CLEAR_LINE = '\r\u001b[K';

export type ProgressLine = {
  readonly update: (progress: Progress) => void;
  /** Takes the line away, so that other text can follow. */
  readonly clear: () => void;
};

export function progressLine(
  stderr: Outlet,
  options: Pick<GlobalOptions, 'json' | 'quiet' | 'verbose'>,
  nowMs: () => number,
): ProgressLine {
  const startedMs = nowMs();
  let nextMs = startedMs + (options.verbose ? 0 : FIRST_AFTER_MS);
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr.write(CLEAR_LINE);
    isShown = false;
  };
  const update = (progress: Progress): void => {
    const atMs = nowMs();
    if (atMs < nextMs || options.quiet) return;
    const text = progressText(progress, atMs - startedMs);
    if (options.verbose) {
      nextMs = atMs + VERBOSE_EVERY_MS;
      stderr.write(`${text}${progress.path === undefined ? '' : ` ${cleanText(progress.path)}`}\n`);
    } else if (stderr.isTerminal && !options.json) {
      nextMs = atMs + RENEW_MS;
      isShown = true;
      stderr.write(`${CLEAR_LINE}${bar(progress)} ${text}`);
    }
  };
  return { update, clear };
}

function progressText(progress: Progress, elapsedMs: number): string {
  const { done, total, unit = 'notes' } = progress;
  const isMeasured = unit === 'passages';
  const ownPerSecond = elapsedMs > 0 && !isMeasured ? (done / elapsedMs) * 1_000 : 0;
  const perSecond = progress.perSecond ?? ownPerSecond;
  const amount = unit === 'bytes' ? byteSize : grouped;
  const parts = [`${amount(done)} of ${amount(total)}${unit === 'bytes' ? '' : ` ${unit}`}`];
  if (perSecond >= 1) parts.push(`${amount(Math.round(perSecond))} a second`);
  else if (isMeasured && perSecond > 0) parts.push(`${perSecond.toPrecision(1)} a second`);
  const secondsLeft = progress.secondsLeft ?? (perSecond >= 1 ? Math.ceil((total - done) / perSecond) : 0);
  if (secondsLeft > 0) parts.push(`${timeLeft(secondsLeft)} left`);
  return parts.join(' · ');
}

function timeLeft(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function bar({ done, total }: Progress): string {
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * BAR_WIDTH) : 0;
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}]`;
}
