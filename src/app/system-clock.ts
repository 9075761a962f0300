/** The machine's clock and randomness as the Clock port. */

import type { Clock } from '../core/ports.js';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  giveTurn: () => new Promise((resolve) => setImmediate(resolve)),
  randomId: (length) =>
    Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => CROCKFORD[byte & 31]).join(''),
};
