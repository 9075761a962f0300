/** Trouble with models that the user's settings name, for whoever can do without them. */

import { MemoryError, toMemoryError } from '../core/errors.js';

/** A name for this very process must be right. Settings of long ago should not keep anybody from searching. */
export function asUnavailable(error: unknown, path?: string): MemoryError {
  const { message, hint } = toMemoryError(error);
  const full = path === undefined || message.includes(path) ? message : `${message} (${path})`;
  return new MemoryError('unavailable', full, { ...(hint === undefined ? {} : { hint }), cause: error });
}
