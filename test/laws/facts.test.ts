/** Laws of facts and relations: what is written is read back, whatever the text. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toOneLine } from '../../src/core/facts/escapes.js';
import type { RelationStatement, Statement } from '../../src/core/facts/fact.js';
import { findFacts, findRelations } from '../../src/core/facts/find-facts.js';
import { printFact } from '../../src/core/facts/print-fact.js';
import { printRelation } from '../../src/core/facts/print-relation.js';
import { makeRecordId, recordTimeMs } from '../../src/core/facts/record-id.js';
import { scan } from '../../src/core/markdown/scan.js';

/** The same texts on every run; others with FUZZ_SEED=<number>. */
const seed = Number(process.env['FUZZ_SEED'] ?? 3);

const SIGNS = [
  ...[
    '- ',
    '+ ',
    '* ',
    '# ',
    '> ',
    '1. ',
    '2) ',
    '[x] ',
    '[word] ',
    '[x]:',
    '[^1]: ',
    '```',
    '~~~',
    '---',
    '***',
  ],
  ...[
    '~~',
    '`',
    '``',
    '$',
    '$$',
    '%%',
    '<!--',
    '-->',
    '<div>',
    '</b>',
    '\\',
    '\\\\',
    '^id',
    ' ^f-abc',
    '|',
    '==',
  ],
  ...[
    '(a:: b)',
    '[a:: b]',
    '(src:: x)',
    '(',
    ')',
    '[',
    ']',
    '::',
    ':',
    ', ',
    ' · ',
    '[[A]]',
    '[[',
    ']]',
    '![',
    '](x)',
  ],
  ...[
    '\n',
    '\r\n',
    '\t',
    '  ',
    ' ',
    '\u00a0',
    '\u2028',
    'é',
    '日本',
    '👍🏽',
    '#tag',
    'word',
    'a',
    '1',
    '"',
    "'",
    '&amp;',
  ],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const filled = text.filter((value) => toOneLine(value) !== '');
const id = fc.constantFrom('f-1mtan4c7x2m4', 'f-1mge3w0ta3nd');
const fieldNames = ['src', 'by', 'occurred', 'evidence', 'kind', 'why', 'now', 'retired', 'trust'] as const;
const fields = fc
  .dictionary(fc.constantFrom(...fieldNames), text, { maxKeys: 4 })
  .map((values) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => toOneLine(value).trim() !== '')),
  );
const others = fc.array(fc.tuple(fc.constantFrom('mood', 'place-of-work'), filled), { maxLength: 2 });

const oneLine = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, toOneLine(value).trim()]));

describe('printFact() then findFacts()', () => {
  const written = (fact: Statement) => `# Billing\n\n## Facts\n\n- Before\n- ${printFact(fact)}\n- After\n`;

  test('gives the fact back', () => {
    fc.assert(
      fc.property(filled, fields, others, id, fc.boolean(), (words, known, unknown, factId, struck) => {
        const fact: Statement = { text: words, fields: known, others: unknown, id: factId, struck };
        const facts = findFacts(scan(written(fact)));
        expect(facts.map(({ text: read }) => read)).toEqual(['Before', toOneLine(words), 'After']);
        expect(facts[1]).toMatchObject({
          fields: oneLine(known),
          others: unknown
            .map(([key, value]) => [key, toOneLine(value).trim()])
            .filter(([, value]) => value !== ''),
          id: factId,
          struck,
        });
      }),
      { seed, numRuns: 5000 },
    );
  });

  test('leaves the link to the successor a link', () => {
    fc.assert(
      fc.property(filled, fc.boolean(), (words, struck) => {
        const successor = '[[#^f-1mtan4c7x2m4|newer]]';
        const fact = { text: words, fields: { now: successor }, others: [], id: 'f-1mge3w0ta3nd', struck };
        const note = scan(written(fact));
        const links = note.links.map(({ start, end }) => note.text.slice(start, end));
        expect(links).toContain(successor);
      }),
      { seed, numRuns: 5000 },
    );
  });

  test('writes no backslash into words that need none', () => {
    for (const words of [
      'Runs on Postgres 16',
      'C:\\temp is full',
      'a * b - c # d',
      'costs $5',
      'see [[A]] (2024)',
    ])
      expect(printFact({ text: words, fields: {}, others: [], id: 'f-1mtan4c7x2m4', struck: false })).toBe(
        `${words} ^f-1mtan4c7x2m4`,
      );
  });
});

describe('printRelation() then findRelations()', () => {
  test('gives the relation back', () => {
    const types = fc.constantFrom('depends_on', 'works at', 'hängt-ab', 'löst');
    const links = fc.constantFrom('[[Postgres]]', '[[dir/Note#H|shown]]', '[Acme](Acme%20Inc.md)');
    fc.assert(
      fc.property(types, links, text, fields, fc.boolean(), (type, link, context, known, struck) => {
        const relation: RelationStatement = {
          ...{ type, link, context: toOneLine(context).trim(), fields: known, others: [] },
          ...{ id: 'r-1mtan4c7x2m4', struck },
        };
        const read = findRelations(scan(`## Relations\n\n- ${printRelation(relation)}\n`));
        expect(read).toHaveLength(1);
        expect(read[0]).toMatchObject({ ...relation, fields: oneLine(known) });
      }),
      { seed, numRuns: 3000 },
    );
  });
});

describe('makeRecordId()', () => {
  test('keeps the second and sorts by it', () => {
    fc.assert(
      fc.property(fc.nat({ max: 4e9 }), fc.nat({ max: 4e9 }), (one, other) => {
        const [first, second] = [
          makeRecordId('f', one * 1000, 'zzzzz'),
          makeRecordId('f', other * 1000, '00000'),
        ];
        expect(recordTimeMs(first)).toBe(one * 1000);
        if (one < other) expect(first < second).toBe(true);
      }),
    );
  });
});
