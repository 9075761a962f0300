/** How failures reach a person or a program: text or JSON on stderr, and the exit code. */

import { type ErrorCode, toMemoryError } from '../../core/errors.js';
import { cleanText, safeJson } from '../../operations/clean-text.js';
import type { GlobalOptions } from './global-options.js';
import type { Outlet } from './host.js';

export const EXIT_CODES: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 2,
  not_found: 3,
  conflict: 4,
  unavailable: 5,
  corrupt: 70,
  internal: 70,
};

export const EXIT_INTERRUPTED = 130;

/** Writes the failure and returns the exit code. */
export function printFailure(
  thrown: unknown,
  command: string | undefined,
  options: Pick<GlobalOptions, 'json' | 'debug'>,
  stderr: Outlet,
): number {
  const error = toMemoryError(thrown);
  const hint = error.hint ?? fallbackHint(error.code, command, options.debug);
  const stack = options.debug ? fullStack(error) : undefined;
  if (options.json) {
    const { code, message, details } = error;
    stderr.write(`${safeJson({ code, message, hint, details, stack })}\n`);
  } else {
    const lines = [`memory: ${error.message}`];
    if (hint !== undefined) lines.push(`hint: ${hint}`);
    if (stack !== undefined) lines.push(stack);
    stderr.write(`${cleanText(lines.join('\n'))}\n`);
  }
  return EXIT_CODES[error.code];
}

function fallbackHint(code: ErrorCode, command: string | undefined, debug: boolean): string | undefined {
  if (code === 'invalid_input') return `Run \`memory help${command === undefined ? '' : ` ${command}`}\`.`;
  if (code === 'internal' && !debug) return 'This is a fault of the program; --debug shows where it arose.';
  return undefined;
}

function fullStack(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${fullStack(error.cause)}` : own;
}
