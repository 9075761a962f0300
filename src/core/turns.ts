/** Long work in short turns: a file of 10 MB takes a second to read and must not keep a whole process waiting. */

import type { Clock } from './ports.js';

/** Work that stops at each `yield`, some milliseconds from the last. */
export type Steps<T> = Generator<undefined, T>;

/** Between two turns. A fifth of what somebody who waits would notice, as a busy machine may take five times as long. */
const TURN_MS = 40;

export class Turns {
  private startedMs: number;

  constructor(private readonly clock: Pick<Clock, 'elapsedMs' | 'giveTurn'>) {
    this.startedMs = clock.elapsedMs();
  }

  /** Runs all steps, with a turn for others whenever the last is long ago. */
  async take<T>(steps: Steps<T>): Promise<T> {
    for (let step = steps.next(); ; step = steps.next()) {
      if (this.isDue) await this.give();
      if (step.done) return step.value;
    }
  }

  /** For work that is no steps: a turn for others, if the last is long ago. */
  async giveIfDue(): Promise<void> {
    if (this.isDue) await this.give();
  }

  private get isDue(): boolean {
    return this.clock.elapsedMs() - this.startedMs > TURN_MS;
  }

  private async give(): Promise<void> {
    await this.clock.giveTurn();
    this.startedMs = this.clock.elapsedMs();
  }
}

/** Runs all steps at once. */
export function runAll<T>(steps: Steps<T>): T {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
