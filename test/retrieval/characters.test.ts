/** The kinds of characters that are known beforehand are those that Unicode's classes give. */

import { expect, test } from 'vitest';
import { BREAK, DENSE, kindOf, SURROGATE, SYMBOL, WORD } from '../../src/core/text/characters.js';

const DENSE_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\u30fc\uff70]/u;

function kindByClasses(code: number): number {
  if (code >= 0xd800 && code < 0xe000) return SURROGATE;
  const character = String.fromCharCode(code);
  if (code < 128) return /[A-Za-z0-9]/.test(character) ? WORD : BREAK;
  const isWord = /\p{L}|\p{M}|\p{N}|\u00ad|\u200c|\u200d|\u2060/u.test(character);
  if (isWord && DENSE_SCRIPT.test(character)) return DENSE;
  if (/\p{Extended_Pictographic}/u.test(character)) return SYMBOL;
  return isWord ? WORD : BREAK;
}

test('every code unit has the kind that its classes say', () => {
  const different: string[] = [];
  for (let code = 0; code < 0x10000; code += 1) {
    if (kindOf(code) !== kindByClasses(code)) different.push(code.toString(16));
  }
  expect(different).toEqual([]);
});

test('past the end of a text there is a break', () => {
  expect(kindOf(Number.NaN)).toBe(BREAK);
});
