/** Notes and branches of them for the laws of merging: a note as parts, random edits of the parts, and the note as text. */

import fc from 'fast-check';

export type Fact = { readonly id: string | undefined; readonly text: string };

export type Parts = {
  readonly properties: readonly (readonly [key: string, value: string])[];
  readonly tags: readonly string[];
  readonly paragraphs: readonly string[];
  /** Undefined: no such section. */
  readonly facts: readonly Fact[] | undefined;
  readonly relations: readonly Fact[] | undefined;
  readonly closing: readonly string[];
};

export type Style = {
  readonly ending: '\n' | '\r\n';
  readonly isLoose: boolean;
  readonly hasFinalNewline: boolean;
  readonly tagsOnLines: boolean;
};

const KEYS = ['type', 'status', 'owner', 'due', 'rank'];
const TAGS = ['a', 'b/c', '日本', 'x-1'];

const word = fc.constantFrom(
  'runs',
  'on',
  'port',
  '5432',
  'since',
  '2024',
  'the',
  'Bücher',
  '[[Acme]]',
  '`code`',
  'x::y',
);
const sentence = fc.array(word, { minLength: 2, maxLength: 6 }).map((words) => words.join(' '));

export const style: fc.Arbitrary<Style> = fc.record({
  ending: fc.constantFrom('\n', '\r\n'),
  isLoose: fc.boolean(),
  hasFinalNewline: fc.boolean(),
  tagsOnLines: fc.boolean(),
});

/** Texts are told apart by their numbers, so that a fact is known wherever it stands. */
const facts = (mark: string) =>
  fc.array(fc.tuple(fc.boolean(), sentence), { maxLength: 5 }).map((list) =>
    list.map(([hasId, text], at): Fact => {
      const name = `${mark}${at}`;
      return {
        id: hasId ? `f-1mtan4c${name.padStart(5, '0').slice(-5)}` : undefined,
        text: `${text} ${name}`,
      };
    }),
  );

export const parts: fc.Arbitrary<Parts> = fc.record({
  properties: fc
    .subarray(KEYS)
    .chain((keys) =>
      fc.tuple(...keys.map((key) => sentence.map((value) => [key, value.replace(/[[\]`:]/g, '')] as const))),
    ),
  tags: fc.subarray(TAGS),
  paragraphs: fc.array(sentence, { maxLength: 3 }),
  facts: fc.option(facts('b'), { nil: undefined }),
  relations: fc.option(
    facts('r').map((list) =>
      list.map(({ text }) => ({ id: undefined, text: `depends_on [[${text.replace(/[[\]`:]/g, '')}]]` })),
    ),
    { nil: undefined },
  ),
  closing: fc.array(sentence, { maxLength: 2 }),
});

type Edit = (given: Parts, mark: string) => Parts;

const inFacts =
  (change: (list: readonly Fact[]) => readonly Fact[]): Edit =>
  (given) =>
    given.facts === undefined || given.facts.length === 0 ? given : { ...given, facts: change(given.facts) };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(fc.boolean(), sentence, fc.nat()).map(
      ([hasId, text, nth]): Edit =>
        (given, mark) => {
          const list = given.facts ?? [];
          const name = `${mark}${nth % 90}n`;
          const id = hasId ? `f-1mtan4c${name.padStart(5, '0').slice(-5)}` : undefined;
          if (list.some((fact) => fact.text.endsWith(` ${name}`) || (id !== undefined && fact.id === id)))
            return given;
          return { ...given, facts: [...list, { id, text: `${text} ${name}` }] };
        },
    ),
  },
  fc.tuple(fc.nat(), sentence).map(
    ([nth, text]): Edit =>
      (given, mark) =>
        inFacts((list) =>
          list.map((fact, at) =>
            at === nth % list.length ? { ...fact, text: `${text} ${mark}${nth % 90}e` } : fact,
          ),
        )(given, mark),
  ),
  fc.nat().map((nth): Edit => inFacts((list) => list.filter((_, at) => at !== nth % list.length))),
  fc
    .nat()
    .map(
      (nth): Edit =>
        inFacts((list) => [...list.slice(nth % list.length), ...list.slice(0, nth % list.length)]),
    ),
  fc.tuple(fc.constantFrom(...KEYS), fc.nat(9)).map(
    ([key, value]): Edit =>
      (given, mark) => ({
        ...given,
        properties: given.properties.some(([name]) => name === key)
          ? given.properties.map(([name, old]) => [name, name === key ? `${mark} ${value}` : old] as const)
          : [...given.properties, [key, `${mark} ${value}`] as const],
      }),
  ),
  fc.constantFrom(...KEYS).map(
    (key): Edit =>
      (given) => ({
        ...given,
        properties: given.properties.filter(([name]) => name !== key),
      }),
  ),
  fc.constantFrom(...TAGS).map(
    (tag): Edit =>
      (given) => ({
        ...given,
        tags: given.tags.includes(tag) ? given.tags.filter((other) => other !== tag) : [...given.tags, tag],
      }),
  ),
  fc.tuple(fc.nat(), sentence).map(
    ([nth, text]): Edit =>
      (given, mark) => ({
        ...given,
        paragraphs: given.paragraphs.map((old, at) =>
          at === nth % given.paragraphs.length ? `${text} ${mark}` : old,
        ),
      }),
  ),
  sentence.map(
    (text): Edit =>
      (given, mark) => ({ ...given, closing: [...given.closing, `${text} ${mark}`] }),
  ),
  sentence.map(
    (text): Edit =>
      (given, mark) => ({
        ...given,
        relations: [
          ...(given.relations ?? []),
          { id: undefined, text: `uses [[${text.replace(/[[\]`:]/g, '')} ${mark}]]` },
        ],
      }),
  ),
);

/** A note and two branches of it, as parts. */
export const branches = fc
  .tuple(parts, fc.array(edit, { maxLength: 6 }), fc.array(edit, { maxLength: 6 }))
  .map(([base, ourEdits, theirEdits]) => ({
    base,
    ours: ourEdits.reduce((note, apply) => apply(note, 'o'), base),
    theirs: theirEdits.reduce((note, apply) => apply(note, 't'), base),
  }));

export function printParts(given: Parts, { ending, isLoose, hasFinalNewline, tagsOnLines }: Style): string {
  const lines: string[] = [];
  if (given.properties.length + given.tags.length > 0) {
    lines.push('---', ...given.properties.map(([key, value]) => `${key}: ${value}`));
    if (given.tags.length > 0 && tagsOnLines) lines.push('tags:', ...given.tags.map((tag) => `  - ${tag}`));
    else if (given.tags.length > 0) lines.push(`tags: [${given.tags.join(', ')}]`);
    lines.push('---');
  }
  lines.push('# Title', '');
  for (const paragraph of given.paragraphs) lines.push(paragraph, '');
  for (const [heading, list] of [
    ['Facts', given.facts],
    ['Relations', given.relations],
  ] as const) {
    if (list === undefined) continue;
    lines.push(`## ${heading}`, '');
    for (const { id, text } of list)
      lines.push(`- ${text}${id === undefined ? '' : ` ^${id}`}`, ...(isLoose ? [''] : []));
    if (!isLoose || list.length === 0) lines.push('');
  }
  lines.push('## Closing', '');
  for (const paragraph of given.closing) lines.push(paragraph, '');
  while (lines.at(-1) === '') lines.pop();
  return lines.join(ending) + (hasFinalNewline ? ending : '');
}
