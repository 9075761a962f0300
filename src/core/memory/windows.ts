/** The texts that a passage is embedded as: the whole of it, or equal parts, each under the passage's context. */

import type { IndexedPassage } from '../note/indexed-note.js';

export type Window = { readonly vectorKey: string; readonly text: string };

/** Without `chars` one window; else as many as make them about so long, cut between words. */
export function windowsOf(
  { vectorKey, context, text }: Pick<IndexedPassage, 'vectorKey' | 'context' | 'text'>,
  chars: number | undefined,
): readonly Window[] {
  const count = chars === undefined ? 1 : Math.max(1, Math.round(text.length / chars));
  const windows: Window[] = [];
  let start = 0;
  for (let part = 1; part <= count; part++) {
    const end = part === count ? text.length : nextSpace(text, Math.floor((text.length * part) / count));
    if (end > start || count === 1)
      windows.push({ vectorKey, text: `${context}\n${text.slice(start, end)}` });
    start = Math.max(start, end);
  }
  return windows;
}

/** The end of the word that stands there; in scripts without spaces, and in the middle of long signs, the place itself. */
function nextSpace(text: string, from: number): number {
  const LONGEST_WORD = 40;
  for (let at = from; at < Math.min(text.length, from + LONGEST_WORD); at++) {
    if (text.charCodeAt(at) <= 32) return at;
  }
  return from;
}
