/**
 * The parts of a query that look like code, and the term by which a note is known to hold one whole. How such a name is
 * spelled in a note is looked at in exact-names.ts, which only a query with one loads.
 */

import { isAscii } from '../text/fold.js';
import type { PlannedWord, QueryPlan } from './plan.js';

export type Identifier = {
  /** As typed, without the punctuation around it. */
  readonly spelling: string;
  /** The indexed term of the whole. */
  readonly term: string;
  /** The terms of the whole and of its parts. */
  readonly terms: ReadonlySet<string>;
};

/**
 * `snake_case` `a::b` `a->b` `lowerCamel` `ThreeHumpsOrMore` `CWnd` `file.ext` `a/b/c` `/flag` `--flag` `#pragma` `$HOME`
 * `.NET` `call()` `C2440` `LNK-2019` `v1.2` `1.2.3` `mailto:x`. Not `LeBron`, `and/or`, `3.5`, `24-yard`: prose has those.
 */
const code = () =>
  new RegExp(
    [
      '[A-Za-z0-9]_|_[A-Za-z0-9]|(?:::|->)[A-Za-z_]',
      '^[a-z]+[0-9]*[A-Z]|(?:[A-Z][a-z0-9]+){3}|^[A-Z]{2,}[a-z]{2}',
      '[A-Za-z][A-Za-z0-9]+\\.[A-Za-z]|[A-Za-z]+:[A-Za-z/]|[A-Za-z0-9]@[A-Za-z]',
      '[/\\\\].*[A-Za-z].*[/\\\\]|^[./~]{0,3}/[A-Za-z]|^--[A-Za-z]|^[#@$.][A-Za-z]|[A-Za-z]\\(\\)',
      '^[A-Z]{2,}-?[0-9]+$|^[A-Z][0-9]{3,}$|^v[0-9]+\\.[0-9]|^[0-9]+(?:\\.[0-9]+){2}',
    ].join('|'),
  );
/** What wraps a name in prose: `(CWnd::Create())`, `"a.b",`. A sign that begins a name stays: `.NET`, `--flag`. */
const BEFORE = /^["'`([{<*,;:!?]+/;
const BEHIND = /["'`)\]}>*,;:!?.]+$/;
const FROM_BRACKET = /[([{<].*$/;

/** Those of the query, in order. */
export function identifiersOf({ asked, words }: Pick<QueryPlan, 'asked' | 'words'>): readonly Identifier[] {
  const found = new Map<string, Identifier>();
  for (const token of asked.split(/\s+/)) {
    const identifier = identifierIn(token.replace(BEFORE, ''), words);
    if (identifier) found.set(identifier.spelling, identifier);
  }
  return [...found.values()];
}

function identifierIn(token: string, words: readonly PlannedWord[]): Identifier | undefined {
  if (isPlainWord(token)) return undefined;
  const spelling = token.replace(FROM_BRACKET, '').replace(BEHIND, '');
  const isCode = code().test(spelling) || /[A-Za-z]\(\)/.test(token);
  if (!isCode || !isLatin(spelling) || spelling.includes("'")) return undefined;
  const inside = words.filter(({ text }) => isPieceOf(spelling, text));
  const [whole] = inside
    .filter(({ kind }) => kind !== 'part')
    .sort((a, b) => rankOf(b) - rankOf(a) || b.term.length - a.term.length);
  return whole && { spelling, term: whole.term, terms: new Set(inside.map(({ term }) => term)) };
}

/** Letters without capitals inside, as most words are: no pattern has to be prepared for them. */
function isPlainWord(token: string): boolean {
  const length = token.length - (/[,.?!]$/.test(token) ? 1 : 0);
  for (let at = 0; at < length; at++) {
    const letter = token.charCodeAt(at) | (at === 0 ? 32 : 0);
    if (letter < 97 || letter > 122) return false;
  }
  return true;
}

function isLatin(text: string): boolean {
  return isAscii(text) || /^[\p{ASCII}\p{Script=Latin}]+$/u.test(text);
}

/** In `/Zc:wchar_t` it is the longest whole by which a note is known to hold it, in `__declspec` the word. */
function rankOf({ kind }: PlannedWord): number {
  return kind === 'whole' ? 1 : 0;
}

function isPieceOf(spelling: string, text: string): boolean {
  const at = spelling.indexOf(text);
  if (at < 0) return false;
  return (
    !/[A-Za-z0-9]$/.test(spelling.slice(0, at)) && !/^[A-Za-z0-9]/.test(spelling.slice(at + text.length))
  );
}
