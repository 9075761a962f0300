/** stdout and stderr as the command line uses them: written at once, without the cost of opening a stream. */

import { fstatSync, statSync, writeSync } from 'node:fs';
import type { Outlet } from './host.js';

/** Thrown when whoever read our output has gone: the end of the work, but no failure. */
export class ClosedPipe extends Error {}

const FALLBACK_COLUMNS = 80;
const NULL_DEVICE = process.platform === 'win32' ? '\\\\.\\nul' : '/dev/null';

export function openOutlet(descriptor: 1 | 2, environment: NodeJS.ProcessEnv): Outlet {
  let terminal: boolean | undefined;
  return {
    get isTerminal() {
      terminal ??= isTerminal(descriptor, environment);
      return terminal;
    },
    get columns() {
      return streamOf(descriptor).columns || FALLBACK_COLUMNS;
    },
    write: (text) => writeAll(descriptor, text),
  };
}

/** Opening the stream costs some milliseconds, so what is no character device, or the one that swallows all, is told apart without it. */
function isTerminal(descriptor: 1 | 2, environment: NodeJS.ProcessEnv): boolean {
  if (environment['TERM'] === 'dumb') return false;
  try {
    const opened = fstatSync(descriptor);
    if (!opened.isCharacterDevice() || opened.rdev === statSync(NULL_DEVICE).rdev) return false;
  } catch {
    return false;
  }
  return streamOf(descriptor).isTTY === true;
}

function streamOf(descriptor: 1 | 2): NodeJS.WriteStream {
  return descriptor === 1 ? process.stdout : process.stderr;
}

const RETRY_MS = 5;

/** Writes everything, waiting where a pipe that somebody made non-blocking is full. */
function writeAll(descriptor: number, text: string): void {
  let rest = Buffer.from(text, 'utf8');
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE' || code === 'EBADF') throw new ClosedPipe();
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
