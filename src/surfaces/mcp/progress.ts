/** Progress of a call as notifications, for a client that asked for them. */

import type { Progress } from '../../core/memory/memory.js';
import { cleanText } from '../../operations/clean-text.js';
import type { OperationContext } from '../../operations/operation.js';
import type { ServerContext } from './sdk.js';

type Report = OperationContext['report'];

const LEAST_MS_BETWEEN = 100;

/** Undefined where the client did not ask. */
export function progressReport({ mcpReq }: ServerContext): Report | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return risingProgress((params) => {
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, ...params } })
      .catch(() => undefined);
  });
}

export type ToldProgress = { readonly progress: number; readonly total: number; readonly message: string };

/**
 * The protocol wants progress to rise with each notification. A call that first counts notes and then passages begins
 * anew with the second; what was counted before is added to it.
 */
export function risingProgress(
  tell: (told: ToldProgress) => void,
  nowMs: () => number = () => performance.now(),
): Report {
  let before = 0;
  let unit: Progress['unit'];
  let last = -1;
  let lastMs = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const { done, total, unit: counted = 'notes' } = progress;
    const isNext = unit !== undefined && unit !== counted;
    if (isNext) before = Math.max(0, last);
    unit = counted;
    const isDue = isNext || done >= total || nowMs() - lastMs >= LEAST_MS_BETWEEN;
    if (before + done <= last || !isDue) return;
    last = before + done;
    lastMs = nowMs();
    tell({ progress: last, total: before + Math.max(done, total), message: messageOf(progress) });
  };
}

/** What numbers alone do not say once they count several things. */
function messageOf({ done, total, path, unit = 'notes', secondsLeft = 0 }: Progress): string {
  const parts = [`${done} of ${total} ${unit}`];
  if (secondsLeft > 0) parts.push(`${secondsLeft} s left`);
  if (path !== undefined) parts.push(cleanText(path));
  return parts.join(' · ');
}
