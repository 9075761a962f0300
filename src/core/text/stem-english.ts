/** The Porter2 (Snowball English) stemmer for words of a-z. Other scripts: stem.ts. */

const KEPT: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
]);
const DONE_AFTER_PLURAL = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);

type Rule = readonly [ending: string, replacement: string];
/** Longest first among those that share an ending. */
const STEP_2: readonly Rule[] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
];
const STEP_3: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];
const STEP_4 = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'ion',
  'al',
  'er',
  'ic',
];

const NO_RULES: readonly Rule[] = [];

/** Rules by the last letter of their ending, in the order above. */
function byLastLetter(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  const out: (readonly Rule[])[] = new Array(128).fill(NO_RULES);
  for (const rule of rules) {
    const last = rule[0].charCodeAt(rule[0].length - 1);
    out[last] = [...out[last]!, rule];
  }
  return out;
}

const DERIVE = byLastLetter(STEP_2);
const SIMPLIFY = byLastLetter(STEP_3);
const DROP = byLastLetter(STEP_4.map((ending) => [ending, '']));

export function stemEnglish(word: string): string {
  if (word.length <= 2) return word;
  const kept = KEPT.get(word);
  if (kept !== undefined) return kept;
  let w = markConsonantY(word);
  const r1 = regionAfter(w, startOfR1(w));
  const r2 = regionAfterVowelConsonant(w, r1);
  w = dropPlural(w);
  if (DONE_AFTER_PLURAL.has(w)) return w;
  w = dropPast(w, r1);
  const last = w.charCodeAt(w.length - 1);
  if (w.length > 2 && (last === 121 || last === 89) && !isVowel(w, w.length - 2)) w = `${w.slice(0, -1)}i`;
  w = derive(w, r1);
  w = simplify(w, r1, r2);
  w = dropEnding(w, r2);
  w = dropFinal(w, r1, r2);
  return w.includes('Y') ? w.replaceAll('Y', 'y') : w;
}

/** A `y` at the start or after a vowel counts as a consonant and is written `Y`. */
function markConsonantY(word: string): string {
  if (!word.includes('y')) return word;
  let out = '';
  for (let i = 0; i < word.length; i++) {
    const isY = word.charCodeAt(i) === 121;
    out += isY && (i === 0 || isVowel(out, i - 1)) ? 'Y' : word[i];
  }
  return out;
}

function isVowel(word: string, at: number): boolean {
  const c = word.charCodeAt(at);
  return c === 97 || c === 101 || c === 105 || c === 111 || c === 117 || c === 121;
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (isVowel(word, i)) return true;
  return false;
}

function startOfR1(w: string): number {
  if (w.startsWith('gener') || w.startsWith('arsen')) return -5;
  if (w.startsWith('commun')) return -6;
  return 0;
}

/** Where R1 starts; a negative start is a fixed length of the part before it. */
function regionAfter(w: string, start: number): number {
  return start < 0 ? -start : regionAfterVowelConsonant(w, 0);
}

function regionAfterVowelConsonant(w: string, from: number): number {
  for (let i = from + 1; i < w.length; i++) if (!isVowel(w, i) && isVowel(w, i - 1)) return i + 1;
  return w.length;
}

function dropPlural(w: string): string {
  if (!w.endsWith('s')) return w.endsWith('ied') ? (w.length > 4 ? w.slice(0, -2) : w.slice(0, -1)) : w;
  if (w.endsWith('sses')) return w.slice(0, -2);
  if (w.endsWith('ies')) return w.length > 4 ? w.slice(0, -2) : w.slice(0, -1);
  if (w.endsWith('us') || w.endsWith('ss')) return w;
  return hasVowel(w, w.length - 2) ? w.slice(0, -1) : w;
}

const PAST = ['ingly', 'edly', 'ing', 'ed'];

function dropPast(w: string, r1: number): string {
  if (w.endsWith('eed') || w.endsWith('eedly')) {
    const stem = w.slice(0, w.lastIndexOf('eed'));
    return stem.length >= r1 ? `${stem}ee` : w;
  }
  for (let at = 0; at < PAST.length; at++) {
    const ending = PAST[at]!;
    if (!w.endsWith(ending)) continue;
    const stem = w.slice(0, -ending.length);
    if (!hasVowel(stem, stem.length)) return w;
    if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`;
    if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1);
    return r1 >= stem.length && endsShort(stem) ? `${stem}e` : stem;
  }
  return w;
}

/** Ends in a short syllable: consonant, vowel, consonant other than w, x, Y; or a vowel and a consonant alone. */
function endsShort(w: string): boolean {
  const n = w.length;
  if (n < 2 || isVowel(w, n - 1) || !isVowel(w, n - 2)) return false;
  if (n === 2) return true;
  const last = w.charCodeAt(n - 1);
  return !isVowel(w, n - 3) && last !== 119 && last !== 120 && last !== 89;
}

/** By place: until V8 has compiled it, `for … of` makes two objects for each rule that it passes. */
function ruleFor(w: string, byLast: readonly (readonly Rule[])[]): Rule | undefined {
  const rules = byLast[w.charCodeAt(w.length - 1)]!;
  for (let at = 0; at < rules.length; at++) if (w.endsWith(rules[at]![0])) return rules[at];
  return undefined;
}

function derive(w: string, r1: number): string {
  const rule = ruleFor(w, DERIVE);
  if (rule === undefined) return w;
  const [ending, replacement] = rule;
  const stem = w.slice(0, -ending.length);
  if (stem.length < r1) return w;
  if (ending === 'ogi' && !stem.endsWith('l')) return w;
  if (ending === 'li' && !/[cdeghkmnrt]$/.test(stem)) return w;
  return stem + replacement;
}

function simplify(w: string, r1: number, r2: number): string {
  const rule = ruleFor(w, SIMPLIFY);
  if (rule === undefined) return w;
  const [ending, replacement] = rule;
  const stem = w.slice(0, -ending.length);
  return stem.length < (ending === 'ative' ? r2 : r1) ? w : stem + replacement;
}

function dropEnding(w: string, r2: number): string {
  const rule = ruleFor(w, DROP);
  if (rule === undefined) return w;
  const [ending] = rule;
  const stem = w.slice(0, -ending.length);
  if (stem.length < r2) return w;
  return ending === 'ion' && !/[st]$/.test(stem) ? w : stem;
}

function dropFinal(w: string, r1: number, r2: number): string {
  const stem = w.slice(0, -1);
  if (w.endsWith('e')) {
    return stem.length >= r2 || (stem.length >= r1 && !endsShort(stem)) ? stem : w;
  }
  return w.endsWith('l') && stem.length >= r2 && stem.endsWith('l') ? stem : w;
}
