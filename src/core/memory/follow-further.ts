/** Embeds beside the looks of a follower (follow-vault.ts): one run at a time, another where something changed meanwhile. */

import { toMemoryError } from '../errors.js';
import type { UpdateOutcome } from './bring-up-to-date.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';

export class FurtherFollower {
  private running: Promise<void> | undefined;
  private isDue = false;
  /** Of the state of the index in which nothing was left to embed. */
  private doneWith: Uint8Array | undefined;
  private readonly told = new Set<string>();

  constructor(
    private readonly places: Places,
    private readonly options: Pick<CallOptions, 'signal' | 'notice'>,
  ) {}

  /** After a look: notes may have come in, by it or by a call of this program. */
  tookIn(outcome: UpdateOutcome): void {
    if (!this.places.further || outcome.kind !== 'done') return;
    this.isDue = true;
    this.running ??= this.run();
  }

  /** A batch in hand is finished. */
  async end(): Promise<void> {
    await this.running;
  }

  private async run(): Promise<void> {
    const { embedFurther } = await import('./embed-further.js');
    const { calibrateFurtherWhenGrown } = await import('./calibrate-further.js');
    while (this.isDue && !this.options.signal?.aborted) {
      this.isDue = false;
      try {
        const keys = await this.places.index.passageKeys();
        if (keys === this.doneWith) continue;
        const calls = { signal: this.options.signal, notice: (text: string) => this.tellOnce(text) };
        const { model, pending, failed } = await embedFurther(this.places, calls);
        if (model === '' || pending !== failed) continue;
        this.doneWith = keys;
        await calibrateFurtherWhenGrown(this.places, calls);
      } catch (error) {
        if (!this.options.signal?.aborted) this.tellOnce(toMemoryError(error).message);
      }
    }
    this.running = undefined;
  }

  /** Looks come every minute, and what is wrong with a model stays wrong for long. */
  private tellOnce(text: string): void {
    if (!this.told.has(text)) this.options.notice?.(text);
    this.told.add(text);
  }
}
