/** The machine's clock and randomness as the Clock port. */

import type { Clock } from '../core/ports.js';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  // Asking for `performance` loads a dozen modules of Node's, some milliseconds of a search.
  elapsedMs: () => Number(process.hrtime.bigint()) / 1e6,
  giveTurn: () => new Promise((resolve) => setImmediate(resolve)),
  randomId: (length) =>
    Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => CROCKFORD[byte & 31]).join(''),
};
