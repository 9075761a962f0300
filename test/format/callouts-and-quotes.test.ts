/** NOTE-FORMAT section 2, row "callouts, quotes". */

import { expect, test } from 'vitest';
import { findFacts } from '../../src/core/facts/find-facts.js';
import { scan } from '../../src/core/markdown/scan.js';
import { fieldsOf, lines, regionsOf } from './views.js';

const CALLOUTS: readonly (readonly [what: string, markdown: string, callouts: readonly string[]])[] = [
  ['a type', lines('> [!note]', '> text'), ['note "" 1-2']],
  ['a title', '> [!Tip] Be *quick* #tag', ['tip "Be *quick* #tag" 1-1']],
  ['a fold', '> [!faq]- Why\n> x\n\n> [!faq]+ How', ['faq- "Why" 1-2', 'faq+ "How" 4-4']],
  ['a type with blanks and signs', '> [!my type-2] T', ['my type-2 "T" 1-1']],
  ['metadata', '> [!info|wide left] T', ['info "T" 1-1']],
  ['a lazy line', lines('> [!note] T', '> a', 'b'), ['note "T" 1-3']],
  ['callouts in callouts', lines('> [!a]', '> > [!b] B', '> > c', '>', '> d'), ['a "" 1-5', 'b "B" 2-3']],
  ['a callout in a list', lines('- x', '  > [!a] A', '  > b'), ['a "A" 2-3']],
  ['no blank behind the sign', '>[!note] T', ['note "T" 1-1']],
  ['no plain quote', '> text [!note]', []],
  ['not on the second line', lines('> a', '> [!note] b'), []],
  ['no include', '> [!INCLUDE [x](y.md)]', []],
  ['no link', '> [!note](x.md)', []],
  ['nothing', '> [!] a', []],
  ['not outside a quote', '[!note] a', []],
];

test.each(CALLOUTS)('scan() reads callouts: %s', (_, markdown, callouts) => {
  expect(
    scan(markdown).callouts.map(
      ({ type, fold, title, line, endLine }) => `${type}${fold} "${title}" ${line}-${endLine}`,
    ),
  ).toEqual(callouts);
});

const QUOTES: readonly (readonly [what: string, markdown: string, regions: readonly string[]])[] = [
  ['lines', lines('> a', '> b', '', 'c'), ['quote 1-2']],
  ['a lazy line', lines('> a', 'b', '', 'c'), ['quote 1-2']],
  ['quotes in quotes', lines('> a', '>> b', '> c'), ['quote 1-3', 'quote 2-3']],
  ['a fence in a quote', lines('> ```', '> x', '> ```', 'y'), ['quote 1-3', 'fence 1-3']],
  ['a fence that its quote closes', lines('> ```', '> x', 'y'), ['quote 1-2', 'fence 1-2']],
  ['two quotes', lines('> a', '', '> b'), ['quote 1-1', 'quote 3-3']],
  ['a quote in an item', lines('- a', '  > b', '- c'), ['quote 2-2']],
  ['no code', '    > a', ['indented-code 1-1']],
];

test.each(QUOTES)('scan() reads quotes: %s', (_, markdown, regions) => {
  expect(regionsOf(markdown)).toEqual(regions);
});

test('fields of quotes are read, facts are not', () => {
  const markdown = lines('## Facts', '', '> - Quoted (src:: x) ^f-1mtan4c7x2m4', '', '- Stated');
  expect(fieldsOf(markdown)).toEqual(['src=x']);
  expect(findFacts(scan(markdown)).map(({ text }) => text)).toEqual(['Stated']);
});
