/** The one error class of the product and its closed list of codes. Expected outcomes are values, not errors. */

export const ERROR_CODES = [
  'invalid_input',
  'not_found',
  'conflict',
  'unavailable',
  'corrupt',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export type MemoryErrorOptions = {
  /** One next step, preferably a command that works. */
  readonly hint?: string;
  readonly cause?: unknown;
  readonly details?: Readonly<Record<string, unknown>>;
};

/** A failure a caller can act on. The message names the action that failed and quotes the values. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: MemoryErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
  }
}

/** Any thrown value as a MemoryError; what is not one already becomes `internal`. */
export function toMemoryError(error: unknown): MemoryError {
  if (error instanceof MemoryError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new MemoryError('internal', message, { cause: error });
}
