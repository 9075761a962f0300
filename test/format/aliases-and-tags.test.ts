/** NOTE-FORMAT section 2, row "aliases, tags in properties". */

import { expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { readAliases, readTags, tagAndParents, tagKey } from '../../src/core/note/aliases-and-tags.js';

const block = (...inner: string[]) => ['---', ...inner, '---', ''].join('\n');

const ALIASES: readonly (readonly [what: string, markdown: string, aliases: readonly string[]])[] = [
  ['a list', block('aliases: [Billing, The biller]'), ['Billing', 'The biller']],
  ['a block list', block('aliases:', '- A', '- "B, C"'), ['A', 'B, C']],
  ['text', block('aliases: Foo Bar'), ['Foo Bar']],
  ['text with commas', block('alias: A, B c'), ['A', 'B c']],
  ['both keys', block('alias: A', 'aliases: [B]'), ['A', 'B']],
  ['keys in any case', block('Aliases: [A]'), ['A']],
  ['numbers', block('aliases: [2024, 01]'), ['2024', '01']],
  ['nothing', block('aliases:'), []],
  ['one alias written twice', block('aliases: [A, a, A]'), ['A']],
  ['no template code', block('aliases: ["{{title}}", B]'), ['B']],
  ['an empty text', block('aliases: ["", B]'), ['B']],
];

test.each(ALIASES)('readAliases() reads %s', (_, markdown, aliases) => {
  expect(readAliases(scan(markdown))).toEqual(aliases);
});

const TAGS: readonly (readonly [what: string, markdown: string, tags: readonly string[]])[] = [
  ['a list', block('tags: [a, b]'), ['a', 'b']],
  ['a list with signs', block('tags: ["#a", "#b/c"]'), ['a', 'b/c']],
  ['a block list', block('tags:', '  - a', '  - "#b"'), ['a', 'b']],
  ['text with commas', block('tags: a, b,c'), ['a', 'b', 'c']],
  ['text with spaces', block('tag: a b'), ['a', 'b']],
  ['text with signs', block('tags: "#a #b, #c"'), ['a', 'b', 'c']],
  ['both keys', block('tag: a', 'tags: [b]'), ['a', 'b']],
  ['a number', block('tags: [2024]'), ['2024']],
  ['tags of the text behind them', `${block('tags: [a]')}x #b #A`, ['a', 'b']],
  ['other scripts', block('tags: [日本語, Öl]'), ['日本語', 'Öl']],
  ['a slash at the end', `${block('tags: [a/]')}#b/`, ['a', 'b']],
  ['nothing', block('tags:'), []],
  ['no template code', block('tags: [{{x}}, b]'), ['b']],
];

test.each(TAGS)('readTags() reads %s', (_, markdown, tags) => {
  expect(readTags(scan(markdown))).toEqual(tags);
});

test('tagAndParents() names all that a nested tag answers to', () => {
  expect(tagAndParents('a/b/c')).toEqual(['a/b/c', 'a/b', 'a']);
  expect(tagAndParents('a')).toEqual(['a']);
});

test('tagKey() has no regard to case, sign and composition', () => {
  expect(tagKey('#Ünder/B')).toBe(tagKey('U\u0308nder/b/'));
});
