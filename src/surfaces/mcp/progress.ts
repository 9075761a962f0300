/** Progress of a call as notifications, for a client that asked for them. */

import { cleanText } from '../../operations/clean-text.js';
import type { OperationContext } from '../../operations/operation.js';
import type { ServerContext } from './sdk.js';

type Report = OperationContext['report'];

const LEAST_MS_BETWEEN = 100;

/** Undefined where the client did not ask. */
export function progressReport({ mcpReq }: ServerContext): Report | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = -1;
  let lastMs = Number.NEGATIVE_INFINITY;
  return ({ done, total, path }) => {
    const nowMs = performance.now();
    // The protocol wants it to rise with each notification.
    if (done <= last || (nowMs - lastMs < LEAST_MS_BETWEEN && done < total)) return;
    last = done;
    lastMs = nowMs;
    const message = path === undefined ? {} : { message: cleanText(path) };
    const params = { progressToken, progress: done, total, ...message };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
