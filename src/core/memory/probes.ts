/**
 * Queries that a vault is calibrated with (calibrate.ts), made from its own passages: words of one passage, which the vault
 * can answer; words of as many passages, which hang together by nothing; and what nobody could answer: words whose letters
 * were mixed, and sentences in many languages.
 */

import { planQuery } from '../retrieval/plan.js';
import { FOREIGN_SENTENCES } from '../text/foreign-sentences.js';
import { type SeededChoice, seededChoice } from '../text/seeded-choice.js';

export type Probe =
  | { readonly kind: 'own' | 'mixed' | 'letters'; readonly text: string }
  /** `language` as ISO 639-1 has it. */
  | { readonly kind: 'foreign'; readonly text: string; readonly language: string };

/** Passages with fewer words are links and headings, and say nothing of questions. */
const LEAST_WORDS = 6;
const LETTER_PROBES = 40;
const SHORTEST = 3;
const LONGEST = 7;

/** At most two for each passage, and a fixed number beside them; none where too few passages have words. */
export function makeProbes(passages: readonly string[], seed: number): readonly Probe[] {
  const choice = seededChoice(seed);
  const words = passages.map(wordsOf).filter((found) => found.length >= LEAST_WORDS);
  if (words.length < LONGEST) return [];
  const length = () => SHORTEST + choice.below(LONGEST - SHORTEST + 1);
  const own = words.map((found) => ({
    kind: 'own' as const,
    text: joined(choice.mix(found).slice(0, length())),
  }));
  const mixed = words.map(() => {
    const chosen = choice.mix(words).slice(0, length());
    return { kind: 'mixed' as const, text: joined(chosen.map((found) => choice.pick(found))) };
  });
  const letters = Array.from({ length: LETTER_PROBES }, () => {
    const chosen = Array.from({ length: 1 + choice.below(5) }, () => choice.pick(choice.pick(words)));
    return { kind: 'letters' as const, text: joined(chosen.map((word) => withMixedLetters(word, choice))) };
  });
  const foreign = Object.entries(FOREIGN_SENTENCES).flatMap(([language, texts]) =>
    texts.map((text) => ({ kind: 'foreign' as const, text, language })),
  );
  return [...own, ...mixed, ...letters, ...foreign];
}

/** Those that a query would look for, each once, as written. */
function wordsOf(passage: string): readonly string[] {
  const words = planQuery(passage).words.filter(({ kind }) => kind === 'word' || kind === 'pair');
  return [...new Set(words.map(({ text }) => text))].filter((text) => /\p{L}/u.test(text));
}

/** Two words' worth of letters where one is short: three letters in another order are a word too often. */
function withMixedLetters(word: string, choice: SeededChoice): string {
  const letters = [...word];
  return choice.mix(letters.length < 6 ? [...letters, ...letters] : letters).join('');
}

function joined(words: readonly string[]): string {
  return words.join(' ');
}
