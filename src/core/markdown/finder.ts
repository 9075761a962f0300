/**
 * Searching forward for closing signs in linear time: what was found, or found missing, is remembered, so that
 * a thousand openers without a closer cost one search. Queries go from left to right.
 */

const SIGNS = ['-->', '?>', ']]>', '>', '$$', '%%', ']]', '"', "'", ')'] as const;
export type ClosingSigns = (typeof SIGNS)[number];

export type Finder = { readonly text: string; readonly found: Int32Array };

export function startFinder(text: string): Finder {
  return { text, found: new Int32Array(SIGNS.length).fill(-2) };
}

/** Offset of the next `signs` at or after `from`, -1 if there is none before `to`. */
export function findNext(finder: Finder, signs: ClosingSigns, from: number, to: number): number {
  const slot = SIGNS.indexOf(signs);
  let at = finder.found[slot]!;
  if (at !== -1 && at < from) finder.found[slot] = at = finder.text.indexOf(signs, from);
  return at >= 0 && at + signs.length <= to ? at : -1;
}
