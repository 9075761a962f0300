/** Notes for tests of whole vaults, the same on every run. */

import { seededRandom } from '../random.js';

const SYLLABLES = 'ka ro mi den tal vo sur pel nak fi'.split(' ');

/** Notes of words that exist nowhere else, some of them common to all, by path. */
export function inventedNotes(count: number, first = 0): Record<string, string> {
  const made: Record<string, string> = {};
  for (let at = first; at < first + count; at += 1) {
    const random = seededRandom(at + 1);
    const word = () => Array.from({ length: 2 + random.below(2) }, () => random.pick(SYLLABLES)).join('');
    made[`note-${at}.md`] = `# Note ${at}\n\n${Array.from({ length: 40 }, word).join(' ')}.\n`;
  }
  return made;
}
