/** Choices that look random and are the same for the same seed: core has no randomness of its own. */

export type SeededChoice = {
  /** A whole number from 0 to below `limit`. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  /** The same items in another order. */
  readonly mix: <T>(items: readonly T[]) => T[];
};

/** Mulberry32. */
export function seededChoice(seed: number): SeededChoice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const mix = <T>(items: readonly T[]): T[] => {
    const mixed = [...items];
    for (let at = mixed.length - 1; at > 0; at -= 1) {
      const other = below(at + 1);
      [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
    }
    return mixed;
  };
  return { below, mix, pick: (items) => items[below(items.length)]! };
}
