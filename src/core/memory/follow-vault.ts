/**
 * Keeps the index fresh while the vault changes: decides when to look. Signs of changes only say that it is time; what
 * has changed is always found by comparing the stamps of all notes (bring-up-to-date.ts), so that a sign too many
 * costs a look, and one too few a minute. The rhythm is in look-rhythm.ts.
 */

import { type MemoryError, toMemoryError } from '../errors.js';
import type { Clock, VaultWatch } from '../ports.js';
import type { UpdateOutcome } from './bring-up-to-date.js';
import type { FollowOptions } from './follow-options.js';
import { LookRhythm, MANY_SIGNS } from './look-rhythm.js';
import type { Places } from './places.js';

/** Brings the index up to date once. */
export type Look = () => Promise<UpdateOutcome>;

export class VaultFollower {
  private readonly clock: Clock;
  private readonly rhythm: LookRhythm;
  private watch: VaultWatch | undefined;
  /** Those who wait for the end of a look that begins after they asked. */
  private waiting: (() => void)[] = [];
  private looking: Promise<void> | undefined;
  private isHurried = false;
  /** What was told last, so that it is told once. */
  private trouble: string | undefined;
  private hasToldBlindness = false;
  private isFirst = true;

  constructor(
    private readonly places: Places,
    private readonly options: FollowOptions,
    private readonly look: Look,
  ) {
    this.clock = places.clock;
    this.rhythm = new LookRhythm(places.clock);
  }

  /** Until the signal says stop; a look in hand is finished first. */
  async run(): Promise<void> {
    const { signal } = this.options;
    this.watch = await this.places.vault.watch({ poll: this.options.poll ?? false });
    const stop = () => this.watch?.wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        this.tellBlindness();
        this.looking = this.lookOnce();
        await this.looking;
        this.looking = undefined;
        await this.untilDue();
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.watch.close();
      this.watch = undefined;
      this.release();
    }
  }

  /** Ends when the index holds all that was written before the call, or a look has failed. */
  async catchUp(): Promise<void> {
    // Events that the system has in hand come with one of the next turns.
    await this.clock.giveTurn();
    await this.clock.giveTurn();
    if (this.watch === undefined) return;
    if (this.watch.signs === 0) return this.looking;
    const done = new Promise<void>((resolve) => this.waiting.push(resolve));
    this.isHurried = true;
    this.watch.wake();
    return done;
  }

  private async lookOnce(): Promise<void> {
    const watch = this.watch!;
    const waiting = this.waiting;
    this.waiting = [];
    this.isHurried = false;
    const hadManySigns = watch.signs > MANY_SIGNS;
    watch.forget();
    const startMs = this.clock.elapsedMs();
    try {
      if (watch.isStale() || hadManySigns || this.rhythm.isSafetyLook) await watch.renew();
      // An unmounted disk leaves an empty folder, and no index in it that would know better.
      await this.places.vault.checkRoot();
      this.finish(await this.look(), startMs);
    } catch (error) {
      this.fail(toMemoryError(error));
    } finally {
      for (const resolve of waiting) resolve();
    }
  }

  private finish(outcome: UpdateOutcome, startMs: number): void {
    const ms = this.clock.elapsedMs() - startMs;
    if (outcome.kind !== 'done') {
      this.rhythm.failed(true);
      return;
    }
    const { counts, record } = outcome;
    const { indexed, moved, removed } = counts;
    this.rhythm.succeeded({ ms, isSettled: record.fingerprint !== '', isBlind: this.isBlind });
    if (this.trouble !== undefined) {
      this.trouble = undefined;
      this.options.tell({ kind: 'back' });
    }
    if (indexed + moved + removed === 0 && !this.isFirst) return;
    this.isFirst = false;
    const notes = indexed + moved + counts.unchanged;
    const skipped = record.skipped.length;
    this.options.tell({ kind: 'looked', indexed, moved, removed, notes, skipped, ms: Math.round(ms) });
  }

  private fail(error: MemoryError): void {
    this.rhythm.failed(error.code === 'unavailable');
    if (this.trouble === error.message) return;
    this.trouble = error.message;
    this.options.tell({ kind: 'waiting', message: error.message, hint: error.hint ?? '' });
  }

  private get isBlind(): boolean {
    return this.watch!.blindness !== undefined;
  }

  private tellBlindness(): void {
    const reason = this.watch!.blindness;
    if (reason === undefined || this.hasToldBlindness) return;
    this.hasToldBlindness = true;
    this.options.tell({ kind: 'polling', reason });
  }

  private async untilDue(): Promise<void> {
    const watch = this.watch!;
    const pulse = this.rhythm.startPulse();
    while (!this.isOver()) {
      if (watch.signs > 0) return this.untilQuiet();
      const ms = this.rhythm.untilNextMs();
      if (ms <= 0 || pulse.hasJumped()) return;
      // A vault that is away is looked for at each beat anyway.
      if (this.trouble === undefined && watch.isStale()) return;
      await watch.wait(Math.min(ms, this.rhythm.beatMs));
    }
  }

  /** Editors save in several steps, and a checkout writes thousands of notes. */
  private async untilQuiet(): Promise<void> {
    const watch = this.watch!;
    const burst = this.rhythm.startBurst();
    for (let seen = watch.signs; !this.isOver() && !burst.isOver(watch.signs, seen); ) {
      seen = watch.signs;
      await watch.wait(burst.waitMs());
    }
  }

  private isOver(): boolean {
    return this.isHurried || this.options.signal.aborted;
  }

  private release(): void {
    for (const resolve of this.waiting) resolve();
    this.waiting = [];
  }
}
