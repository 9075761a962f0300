/**
 * A first, rough look at a long passage: which stretch of it is worth a snippet. The snippet itself (snippet.ts) reads
 * every word the way the index does, which costs a process that has just started more than the search did.
 */

export type Stretch = { readonly start: number; readonly end: number };

const STRETCH = 640;
const LEAD = 120;
/** Enough of a stem to be found in all its forms. */
const START_LENGTH = 4;
const MOST_PLACES = 64;

/** The stretch where most different terms begin; the whole text where it is short or none is found as it stands. */
export function focus(text: string, terms: readonly string[]): Stretch {
  const whole = { start: 0, end: text.length };
  if (text.length <= STRETCH) return whole;
  const lower = text.toLowerCase();
  // Some letters change their length with their case; places would shift.
  if (lower.length !== text.length) return whole;
  const places: { readonly at: number; readonly term: number }[] = [];
  const starts = new Set(terms.map((term) => term.slice(0, START_LENGTH)));
  [...starts].forEach((start, term) => {
    let at = lower.indexOf(start);
    for (let found = 0; at >= 0 && found < MOST_PLACES; found += 1) {
      places.push({ at, term });
      at = lower.indexOf(start, at + start.length);
    }
  });
  if (places.length === 0) return whole;
  places.sort((a, b) => a.at - b.at);
  let best = 0;
  let bestTerms = 0;
  places.forEach(({ at }, first) => {
    const seen = new Set<number>();
    for (let i = first; i < places.length && places[i]!.at < at + STRETCH - LEAD * 2; i += 1)
      seen.add(places[i]!.term);
    if (seen.size > bestTerms) {
      bestTerms = seen.size;
      best = at;
    }
  });
  const start = startOfWord(text, Math.max(0, best - LEAD));
  return { start, end: startOfWord(text, Math.min(text.length, start + STRETCH)) };
}

/** Back to white space if some is near, so that no word is shown cut. */
function startOfWord(text: string, at: number): number {
  if (at === 0 || at === text.length) return at;
  for (let back = at; back > at - 40 && back > 0; back -= 1) if (/\s/.test(text[back - 1]!)) return back;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 ? at - 1 : at;
}
