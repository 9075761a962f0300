/** What a cursor leads to: lists and replies that were not read to their end, kept for a while. */

import { randomWord } from './random-word.js';

/** The latest so many, and of those as many as are not too large together. */
const MOST = 32;
const MOST_CHARACTERS = 16_000_000;

export type Kept<Entry> = {
  /** Keeps an entry and returns its key. */
  readonly keep: (entry: Entry, characters: number) => string;
  readonly find: (key: string) => Entry | undefined;
};

export function makeKept<Entry>(): Kept<Entry> {
  const entries = new Map<string, { readonly entry: Entry; readonly characters: number }>();
  const dropOldest = (): void => {
    let total = [...entries.values()].reduce((sum, { characters }) => sum + characters, 0);
    for (const [key, { characters }] of entries) {
      // The last stays, however large: somebody is about to ask for the rest of it.
      if (entries.size === 1 || (entries.size <= MOST && total <= MOST_CHARACTERS)) return;
      entries.delete(key);
      total -= characters;
    }
  };
  return {
    keep: (entry, characters) => {
      const key = randomWord();
      entries.set(key, { entry, characters });
      dropOldest();
      return key;
    },
    find: (key) => {
      const found = entries.get(key);
      if (found === undefined) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found.entry;
    },
  };
}

/** `key.number.number`: a key, and where in the entry. */
export function writeCursor(key: string, ...places: readonly number[]): string {
  return [key, ...places].join('.');
}

export function readCursor(cursor: string): { readonly key: string; readonly places: readonly number[] } {
  const [key = '', ...places] = cursor.split('.');
  const areNumbers = places.every((place) => /^\d{1,12}$/.test(place));
  return { key: areNumbers ? key : '', places: places.map(Number) };
}
