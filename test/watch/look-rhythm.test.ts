/** LookRhythm: when the next look is due. Time is told by the test. */

import { describe, expect, test } from 'vitest';
import { LookRhythm, MANY_SIGNS } from '../../src/core/memory/look-rhythm.js';

function makeClock() {
  let wallMs = Date.UTC(2026, 0, 31);
  let elapsedMs = 1_000;
  return {
    nowMs: () => wallMs,
    elapsedMs: () => elapsedMs,
    pass: (ms: number) => {
      wallMs += ms;
      elapsedMs += ms;
    },
    setWall: (ms: number) => {
      wallMs += ms;
    },
  };
}

const QUICK = { ms: 10, isSettled: true, isBlind: false };

describe('after a look', () => {
  test.each([
    ['nothing but safety asks for the next', QUICK, 60_000],
    ['a fresh change is looked at again', { ...QUICK, isSettled: false }, 2_500],
    ['without signs the next comes soon', { ...QUICK, isBlind: true }, 2_000],
    ['a long one is followed by a longer pause', { ...QUICK, ms: 1_000 }, 200_000],
    ['a long one without signs, too', { ...QUICK, ms: 1_000, isBlind: true }, 20_000],
  ])('%s', (_, report, expected) => {
    const rhythm = new LookRhythm(makeClock());
    rhythm.succeeded(report);
    expect(rhythm.untilNextMs()).toBe(expected);
  });

  test('that failed, as expected, the next comes after a second each time', () => {
    const clock = makeClock();
    const rhythm = new LookRhythm(clock);
    for (let times = 0; times < 5; times += 1) {
      rhythm.failed(true);
      expect(rhythm.untilNextMs()).toBe(1_000);
      clock.pass(1_000);
    }
  });

  test('that failed otherwise, ever later, until one succeeds', () => {
    const rhythm = new LookRhythm(makeClock());
    const pauses = Array.from({ length: 7 }, () => {
      rhythm.failed(false);
      return rhythm.untilNextMs();
    });
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    rhythm.succeeded(QUICK);
    rhythm.failed(false);
    expect(rhythm.untilNextMs()).toBe(1_000);
  });
});

describe('a pulse', () => {
  test.each([
    ['nothing when time passes', 1_000, 0, false],
    ['nothing when a busy machine is late', 4_000, 0, false],
    ['a sleep in which the running time stood still', 1_000, 3_600_000, true],
    ['a sleep in which it went on', 3_600_000, 0, true],
    ['a clock that is set back', 1_000, -3_600_000, true],
    ['nothing when a clock is corrected a little', 1_000, 800, false],
  ])('notices %s', (_, passedMs, wallMs, hasJumped) => {
    const clock = makeClock();
    const pulse = new LookRhythm(clock).startPulse();
    expect(pulse.hasJumped()).toBe(false);
    clock.pass(passedMs);
    clock.setWall(wallMs);
    expect(pulse.hasJumped()).toBe(hasJumped);
    expect(pulse.hasJumped()).toBe(false);
  });
});

describe('a burst of signs', () => {
  /** Signs at an even pace; returns how long it lasted. */
  function lastsMs(paceMs: number, signs: number, report = QUICK): number {
    const clock = makeClock();
    const rhythm = new LookRhythm(clock);
    rhythm.succeeded(report);
    clock.pass(3_000);
    const burst = rhythm.startBurst();
    const startMs = clock.elapsedMs();
    let before = 1;
    let now = 1;
    let nextSignMs = startMs + paceMs;
    for (let left = signs - 1; !burst.isOver(now, before); ) {
      before = now;
      const wakeMs = clock.elapsedMs() + burst.waitMs();
      if (left > 0 && nextSignMs <= wakeMs) {
        clock.pass(nextSignMs - clock.elapsedMs());
        nextSignMs += paceMs;
        now += 1;
        left -= 1;
      } else clock.pass(wakeMs - clock.elapsedMs());
    }
    return clock.elapsedMs() - startMs;
  }

  test('of one is over after a moment', () => expect(lastsMs(0, 1)).toBe(120));

  test('of a few is over a moment after the last', () => expect(lastsMs(50, 4)).toBe(150 + 120));

  test('that does not end is cut, so that an edit is found within a second', () =>
    expect(lastsMs(100, 1_000)).toBe(600));

  test('of a checkout is waited for', () => {
    expect(lastsMs(1, 2_000)).toBeGreaterThan(2_000);
    expect(lastsMs(1, 100_000)).toBeLessThanOrEqual(5_001);
    expect(MANY_SIGNS).toBeLessThan(600);
  });

  test('waits until the index had a rest from a long look', () => {
    const clock = makeClock();
    const rhythm = new LookRhythm(clock);
    rhythm.succeeded({ ...QUICK, ms: 500 });
    const burst = rhythm.startBurst();
    expect(burst.waitMs()).toBe(1_000);
    clock.pass(200);
    expect(burst.isOver(1, 1)).toBe(false);
    clock.pass(800);
    expect(burst.isOver(1, 1)).toBe(true);
  });
});
