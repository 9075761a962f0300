/**
 * Ids of facts (`f-`), relations (`r-`) and triggers (`g-`): seven characters of lower-case Crockford base32 for
 * the record time in seconds since 1970, five random ones. They sort by record time.
 */

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 7;
const RANDOM_LENGTH = 5;
const ID = /^([frg])-([0-9a-hjkmnp-tv-z]{12})$/;

export type RecordKind = 'f' | 'r' | 'g';

/** `random`: five characters of the same alphabet, from the clock port. */
export function makeRecordId(kind: RecordKind, timeMs: number, random: string): string {
  if (random.length !== RANDOM_LENGTH)
    throw new RangeError(`A record id needs ${RANDOM_LENGTH} random characters`);
  let seconds = Math.max(0, Math.floor(timeMs / 1000));
  let time = '';
  for (let place = 0; place < TIME_LENGTH; place++) {
    time = ALPHABET[seconds % 32]! + time;
    seconds = Math.floor(seconds / 32);
  }
  return `${kind}-${time}${random}`;
}

/** The record time in an id that the program wrote, in milliseconds; undefined for other ids. */
export function recordTimeMs(id: string): number | undefined {
  const match = ID.exec(id);
  if (match === null) return undefined;
  let seconds = 0;
  for (const sign of match[2]!.slice(0, TIME_LENGTH)) seconds = seconds * 32 + ALPHABET.indexOf(sign);
  return seconds * 1000;
}

/** Whether the id has the prefix of that kind. Only the text of such lines is written, and read, with escapes. */
export function hasPrefix(id: string | undefined, kind: RecordKind): boolean {
  return id?.startsWith(`${kind}-`) ?? false;
}
