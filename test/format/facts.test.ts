/** NOTE-FORMAT section 3: which items are facts, and what they say. */

import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/core/facts/fact.js';
import { findFacts } from '../../src/core/facts/find-facts.js';
import { parseFact } from '../../src/core/facts/parse-fact.js';
import { printFact } from '../../src/core/facts/print-fact.js';
import { scan } from '../../src/core/markdown/scan.js';
import { lines } from './views.js';

const ID = 'f-1mtan4c7x2m4';
const facts = (markdown: string, more?: readonly string[]) =>
  findFacts(scan(markdown), more && { facts: more });
const texts = (markdown: string, more?: readonly string[]) => facts(markdown, more).map(({ text }) => text);

test('findFacts() reads the example of the contract', () => {
  const markdown = lines(
    ...[
      '---',
      'type: project',
      'aliases: [Billing]',
      '---',
      '# Billing Service',
      '',
      'Charges customers.',
      '',
    ],
    ...['## Facts', '', '- Runs on Postgres 16 (src:: PR 412) ^f-1mtan4c7x2m4'],
    '- ~~Runs on Postgres 14~~ (now:: [[#^f-1mtan4c7x2m4|newer]]) ^f-1mge3w0ta3nd',
    '- First invoice sent (occurred:: 2024-05) (importance:: 5) ^f-1mtan6sh2x7v',
    ...['- Prefers short mails', '', '## Relations', '', '- depends_on [[Postgres]]'],
  );
  const show = ({ text, state, fields, id, line }: Fact) => ({ text, state, fields, id, line });
  expect(facts(markdown).map(show)).toEqual([
    {
      text: 'Runs on Postgres 16',
      state: 'active',
      fields: { src: 'PR 412' },
      id: 'f-1mtan4c7x2m4',
      line: 11,
    },
    {
      ...{ text: 'Runs on Postgres 14', state: 'superseded', fields: { now: '[[#^f-1mtan4c7x2m4|newer]]' } },
      ...{ id: 'f-1mge3w0ta3nd', line: 12 },
    },
    {
      ...{ text: 'First invoice sent', state: 'active', fields: { occurred: '2024-05', importance: '5' } },
      ...{ id: 'f-1mtan6sh2x7v', line: 13 },
    },
    { text: 'Prefers short mails', state: 'active', fields: {}, id: undefined, line: 14 },
  ]);
});

const PLACES: readonly (readonly [what: string, markdown: string, texts: readonly string[]])[] = [
  [
    'sections named Facts or Observations',
    lines('# Facts', '- a', '# X', '- b', '## Observations', '- c'),
    ['a', 'c'],
  ],
  [
    'names in any case, with emphasis and emoji',
    lines('## **FACTS** 📌', '- a', '## 🔎 _observations_:', '- b'),
    ['a', 'b'],
  ],
  [
    'a section up to the next heading of its level',
    lines('## Facts', '- a', '### Sub', '- b', '## Next', '- c'),
    ['a', 'b'],
  ],
  ['a section that ends at a higher heading', lines('### Facts', '- a', '# Next', '- b'), ['a']],
  ['any list marker', lines('# Facts', '* a', '', '1. b', '', '+ c'), ['a', 'b', 'c']],
  ['items with an id anywhere', lines(`- a ^${ID}`, '- b', '  - c ^f-x'), ['a', 'c']],
  ['nested items only by their id', lines('# Facts', '- a', `  - b ^${ID}`, '  - c'), ['a', 'b']],
  ['no tasks', lines('# Facts', '- [ ] a', '- [x] b'), []],
  ['tasks with an id', lines('# Facts', `- [x] a ^${ID}`), ['a']],
  ['no quotes and callouts', lines('# Facts', `> - a ^${ID}`, '', '> [!note]', '> - b'), []],
  ['no code', lines('# Facts', '```', `- a ^${ID}`, '```'), []],
  ['no empty items', lines('# Facts', '-', '- (src:: x)'), []],
  ['no items elsewhere', lines('# Notes', '- a ^x', '- b (src:: y)'), []],
  ['wrapped texts as one', lines('# Facts', '- a', '  b', '- c'), ['a b', 'c']],
  ['a text without its detail', lines('# Facts', '- a', '', '  detail', '  - more', '- b'), ['a', 'b']],
];

test.each(PLACES)('findFacts() takes %s', (_, markdown, expected) => {
  expect(texts(markdown)).toEqual(expected);
});

test('findFacts() takes further names from the ontology', () => {
  expect(texts(lines('# Fakten', '- a'), ['fakten'])).toEqual(['a']);
});

test('findFacts() tells the lines of the detail', () => {
  const [fact] = facts(lines('# Facts', '- a', '  - b', '', '  c', '- d'));
  expect([fact!.line, fact!.endLine]).toEqual([2, 5]);
});

describe('parseFact()', () => {
  const parse = (text: string, id: string | undefined = ID) => {
    const { text: read, fields, others, struck } = parseFact(text, id);
    return { text: read, fields, ...(others.length > 0 ? { others } : {}), ...(struck ? { struck } : {}) };
  };

  const CASES: readonly (readonly [text: string, expected: object])[] = [
    ['a (src:: x)', { text: 'a', fields: { src: 'x' } }],
    ['a [src:: x] [by:: y]', { text: 'a', fields: { src: 'x', by: 'y' } }],
    [
      'a (src:: x), (by:: y) · (occurred:: 2024-05-01T10:00Z)',
      { text: 'a', fields: { src: 'x', by: 'y', occurred: '2024-05-01T10:00Z' } },
    ],
    ['a (source:: x) (author:: y)', { text: 'a', fields: { src: 'x', by: 'y' } }],
    ['a (valid_from:: 2024) (valid_until:: 2025)', { text: 'a', fields: { from: '2024', until: '2025' } }],
    ['a (superseded_by:: [[#^f-x]])', { text: 'a', fields: { now: '[[#^f-x]]' } }],
    [
      'a (importance:: 5) (layer:: L0) (kind:: decision)',
      { text: 'a', fields: { importance: '5', layer: 'L0', kind: 'decision' } },
    ],
    ['a (evidence:: [[Note (2020)]])', { text: 'a', fields: { evidence: '[[Note (2020)]]' } }],
    ['a (src:: f(x, g(y)))', { text: 'a', fields: { src: 'f(x, g(y))' } }],
    [
      'a (mood:: good) (Place of Work:: B)',
      {
        text: 'a',
        fields: {},
        others: [
          ['mood', 'good'],
          ['place-of-work', 'B'],
        ],
      },
    ],
    ['a (src:: x) (src:: y)', { text: 'a', fields: { src: 'x' }, others: [['src', 'y']] }],
    ['a (src:: x) b', { text: 'a (src:: x) b', fields: {} }],
    ['a (see below)', { text: 'a (see below)', fields: {} }],
    ['a (see below) (src:: x)', { text: 'a (see below)', fields: { src: 'x' } }],
    ['a, (src:: x)', { text: 'a,', fields: { src: 'x' } }],
    ['f(a:: b)', { text: 'f(a:: b)', fields: {} }],
    ['a (std::vector)', { text: 'a (std::vector)', fields: {} }],
    ['a [t :: u](url)', { text: 'a [t :: u](url)', fields: {} }],
    ['[decision] a', { text: 'a', fields: { kind: 'decision' } }],
    ['[tech stack-2] a (src:: x)', { text: 'a', fields: { kind: 'tech stack-2', src: 'x' } }],
    ['[decision] a (kind:: fact)', { text: 'a', fields: { kind: 'fact' } }],
    ['[2024] a', { text: '[2024] a', fields: {} }],
    ['[decision]: a', { text: '[decision]: a', fields: {} }],
    ['[a](b.md) c', { text: '[a](b.md) c', fields: {} }],
    ['~~a~~', { text: 'a', fields: {}, struck: true }],
    ['~~a~~ (retired:: 2024)', { text: 'a', fields: { retired: '2024' }, struck: true }],
    ['~~[fact] a~~', { text: 'a', fields: { kind: 'fact' }, struck: true }],
    ['~~a~~ b', { text: '~~a~~ b', fields: {} }],
    ['~~a~~ and ~~b~~', { text: '~~a~~ and ~~b~~', fields: {} }],
    ['a \\* b \\(c:: d\\)', { text: 'a * b (c:: d)', fields: {} }],
    ['C:\\temp', { text: 'C:\\temp', fields: {} }],
  ];
  for (const [text, expected] of CASES) test(`reads ${text}`, () => expect(parse(text)).toEqual(expected));

  test('leaves backslashes alone where the program has written no id', () => {
    expect(parse('a \\* b', 'own-id').text).toBe('a \\* b');
  });
});

test('stateOf() goes by the fields, and by a strike alone only under Facts', () => {
  const markdown = lines(
    ...['# Facts', '- ~~a~~', '- ~~b~~ (now:: [[#^x]])', '- ~~c~~ (retired:: 2024)', '- d', '# X'],
    ...[`- ~~e~~ ^${ID}`, '- ~~f~~ (retired:: 2024) ^f-x'],
  );
  expect(facts(markdown).map(({ text, state }) => `${text} ${state}`)).toEqual([
    ...['a retired', 'b superseded', 'c retired', 'd active', 'e active', 'f retired'],
  ]);
});

describe('printFact()', () => {
  const print = (text: string, struck = false) => printFact({ text, fields: {}, others: [], id: ID, struck });
  const CASES: readonly (readonly [text: string, written: string])[] = [
    ['- a', '\\- a'],
    ['+ a', '\\+ a'],
    ['# a', '\\# a'],
    ['> a', '\\> a'],
    ['1. a', '1\\. a'],
    ['1) a', '1\\) a'],
    ['[x] a', '\\[x] a'],
    ['[word] a', '\\[word] a'],
    ['[^1]: a', '\\[^1]: a'],
    ['``` a', '\\``` a'],
    ['<div> a', '\\<div> a'],
    ['a (b:: c)', 'a (b:: c\\)'],
    ['a [b:: c]', 'a [b:: c\\]'],
    ['a ^b', 'a \\^b'],
    ['~~a~~', '\\~~a~~'],
    ['a <!-- b', 'a \\<!-- b'],
    ['a %% b', 'a \\%\\% b'],
    ['a \\* b', 'a \\\\* b'],
    ['#tag and -5 and 1.5', '#tag and -5 and 1.5'],
    ['a `b` ~~c~~ $d$ %%e%%', 'a `b` ~~c~~ $d$ %%e%%'],
    ['a\nb\r\n c', 'a b c'],
  ];
  for (const [text, written] of CASES)
    test(`writes ${JSON.stringify(text)}`, () => expect(print(text)).toBe(`${written} ^${ID}`));

  test('writes fields in one order, without defaults and empty values', () => {
    const fields = { why: 'w', importance: '3', src: 'PR 412', weight: '1', by: '', occurred: '2024-05' };
    expect(printFact({ text: 'a', fields, others: [['mood', 'good']], id: ID, struck: false })).toBe(
      `a (src:: PR 412) (occurred:: 2024-05) (why:: w) (mood:: good) ^${ID}`,
    );
  });

  test('strikes what is past, and escapes signs that would pair with its fields', () => {
    const past = { text: 'a ~ `b', fields: { now: '[[#^x|`newer`]]' }, others: [], id: ID, struck: true };
    expect(printFact(past)).toBe(`~~a \\~ \\\`b~~ (now:: [[#^x|\`newer\`]]) ^${ID}`);
  });
});
