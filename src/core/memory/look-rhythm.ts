/** When the next look at the vault is due: after a burst of signs, after a failure, now and then. Looking is follow-vault.ts. */

import type { Clock } from '../ports.js';

/** So long without a sign, and a burst is over … */
const QUIET_MS = 120;
/** … or when it lasts so long, so that an edit is found within a second while others go on … */
const LONGEST_BURST_MS = 600;
/** … or so long, where there are so many signs that a checkout or a copy is under way. */
const LONGEST_STORM_MS = 5_000;
export const MANY_SIGNS = 200;

/** How often is looked whether the clock has jumped or the vault is another one. */
const BEAT_MS = 1_000;
/** A wall clock that ran so much further than the time between two beats has slept, or was set. */
const JUMP_MS = 5_000;
/** A change within the tick of a file system's clock may hide another: a second look after it. */
const SETTLE_MS = 2_500;
/** Some changes give no sign, such as those that another machine makes on a shared disk. */
const SAFETY_MS = 60_000;
const POLL_MS = 2_000;
/** Looks take at most this share of the time, whatever the vault's size. */
const SAFETY_SHARE = 1 / 200;
const POLL_SHARE = 1 / 20;
const BUSY_SHARE = 1 / 3;
const LONGEST_REST_MS = 2_000;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;

export type LookReport = {
  readonly ms: number;
  /** No note changed so shortly before the look that it must be looked at again. */
  readonly isSettled: boolean;
  readonly isBlind: boolean;
};

export class LookRhythm {
  readonly beatMs = BEAT_MS;
  /** The next look is due to nothing but the time that has passed since the last. */
  isSafetyLook = false;
  private nextMs = 0;
  private restUntilMs = 0;
  private retryMs = FIRST_RETRY_MS;

  constructor(private readonly clock: Pick<Clock, 'nowMs' | 'elapsedMs'>) {}

  succeeded({ ms, isSettled, isBlind }: LookReport): void {
    const now = this.clock.elapsedMs();
    this.retryMs = FIRST_RETRY_MS;
    this.restUntilMs = now + Math.min(LONGEST_REST_MS, ms / BUSY_SHARE - ms);
    const pauseMs = isBlind ? Math.max(POLL_MS, ms / POLL_SHARE) : Math.max(SAFETY_MS, ms / SAFETY_SHARE);
    this.isSafetyLook = isSettled && !isBlind;
    this.nextMs = now + (isSettled ? pauseMs : Math.min(pauseMs, SETTLE_MS));
  }

  /** `isExpected`: what is away may be back soon; anything else is given more and more time. */
  failed(isExpected: boolean): void {
    const now = this.clock.elapsedMs();
    this.isSafetyLook = false;
    this.restUntilMs = now;
    this.nextMs = now + this.retryMs;
    if (!isExpected) this.retryMs = Math.min(LONGEST_RETRY_MS, this.retryMs * 2);
  }

  untilNextMs(): number {
    return this.nextMs - this.clock.elapsedMs();
  }

  /** Between two looks, for noticing that the machine slept or its clock was set. */
  startPulse(): { readonly hasJumped: () => boolean } {
    let wallMs = this.clock.nowMs();
    let elapsedMs = this.clock.elapsedMs();
    return {
      hasJumped: () => {
        const wall = this.clock.nowMs() - wallMs;
        const elapsed = this.clock.elapsedMs() - elapsedMs;
        wallMs += wall;
        elapsedMs += elapsed;
        return Math.abs(wall - elapsed) > JUMP_MS || elapsed > BEAT_MS + JUMP_MS;
      },
    };
  }

  startBurst(): Burst {
    return new Burst(this.clock, this.restUntilMs);
  }
}

class Burst {
  private readonly startMs: number;
  private lastSignMs: number;

  constructor(
    private readonly clock: Pick<Clock, 'elapsedMs'>,
    private readonly restUntilMs: number,
  ) {
    this.startMs = clock.elapsedMs();
    this.lastSignMs = this.startMs;
  }

  /** `signs` now, and when it was last asked. */
  isOver(signs: number, before: number): boolean {
    const now = this.clock.elapsedMs();
    if (signs !== before) this.lastSignMs = now;
    if (now < this.restUntilMs) return false;
    const longestMs = signs > MANY_SIGNS ? LONGEST_STORM_MS : LONGEST_BURST_MS;
    return now - this.lastSignMs >= QUIET_MS || now - this.startMs >= longestMs;
  }

  waitMs(): number {
    return Math.max(QUIET_MS, this.restUntilMs - this.clock.elapsedMs());
  }
}
