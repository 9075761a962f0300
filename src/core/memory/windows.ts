/** The texts that a passage is embedded as: the whole of it, or equal parts, each under the passage's context. */

import type { IndexedPassage } from '../note/indexed-note.js';

export type Window = { readonly vectorKey: string; readonly text: string };

type WindowedPassage = Pick<IndexedPassage, 'vectorKey' | 'context' | 'text'>;

/** Without `chars` one window; else as many as make them about so long, cut between words. */
export function windowsOf(passage: WindowedPassage, chars: number | undefined): readonly Window[] {
  return cut(passage, chars === undefined ? 1 : Math.max(1, Math.round(passage.text.length / chars)));
}

/** As many windows as it takes for none to be longer, context and all: for models that drop what comes after. */
export function windowsWithin(passage: WindowedPassage, chars: number | undefined): readonly Window[] {
  if (chars === undefined) return cut(passage, 1);
  const room = Math.max(chars / 2, chars - passage.context.length - 1);
  return cut(passage, Math.max(1, Math.ceil(passage.text.length / room)));
}

function cut({ vectorKey, context, text }: WindowedPassage, count: number): readonly Window[] {
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
