/** A line that a person types, for questions on the way (surfaces/cli/confirm.ts). The terminal edits and ends it. */

import { createInterface } from 'node:readline';

/** Undefined where stdin ends or `stop` is aborted first. */
export function readLine(stop: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, terminal: false });
    const close = () => lines.close();
    stop.addEventListener('abort', close, { once: true });
    if (stop.aborted) close();
    lines.once('line', (line) => {
      resolve(line);
      close();
    });
    lines.once('close', () => {
      stop.removeEventListener('abort', close);
      resolve(undefined);
    });
  });
}
