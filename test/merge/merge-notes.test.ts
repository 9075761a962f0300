/** mergeNotes(): three versions in, one out. Markers stand where a person has to decide. */

import { describe, expect, test } from 'vitest';
import { mergeFile } from '../../src/adapters/git/merge-file.js';
import { mergeNotes } from '../../src/core/merge/merge-notes.js';

/** `|` ends a line. */
const lines = (text: string): string => text.replaceAll('|', '\n');

const merge = (base: string, ours: string, theirs: string) => mergeNotes({ base, ours, theirs }, mergeFile);

describe('facts', () => {
  const note = (facts: string, rest = '') => lines(`# Billing||Text.||## Facts||${facts}|${rest}`);
  const cases: readonly (readonly [
    what: string,
    base: string,
    ours: string,
    theirs: string,
    merged: string,
  ])[] = [
    ['both added', '- a ^f-1', '- a ^f-1|- b ^f-2', '- a ^f-1|- c ^f-3', '- a ^f-1|- b ^f-2|- c ^f-3'],
    ['both added without ids', '- a', '- a|- b', '- a|- c', '- a|- b|- c'],
    ['both added the same', '- a', '- a|- b ^f-2', '- a|- b ^f-2', '- a|- b ^f-2'],
    ['one added, one changed another', '- a ^f-1', '- a ^f-1|- b', '- A ^f-1', '- A ^f-1|- b'],
    [
      'neighbours changed',
      '- a ^f-1|- b ^f-2',
      '- A ^f-1|- b ^f-2',
      '- a ^f-1|- B ^f-2',
      '- A ^f-1|- B ^f-2',
    ],
    [
      'one deleted, the other added',
      '- a ^f-1|- b ^f-2',
      '- b ^f-2',
      '- a ^f-1|- b ^f-2|- c',
      '- b ^f-2|- c',
    ],
    ['both deleted', '- a|- b|- c', '- a|- c', '- a|- c', '- a|- c'],
    ['each deleted another', '- a|- b|- c', '- a|- c', '- b|- c', '- c'],
    [
      'superseded in one, added to in the other',
      '- a ^f-1',
      '- ~~a~~ (now:: [[#^f-2|newer]]) ^f-1|- b ^f-2',
      '- a ^f-1|- c ^f-3',
      '- ~~a~~ (now:: [[#^f-2|newer]]) ^f-1|- b ^f-2|- c ^f-3',
    ],
    [
      'detail below one',
      '- a ^f-1|- b',
      '- a ^f-1|  - detail|- b',
      '- a ^f-1|- b|- c',
      '- a ^f-1|  - detail|- b|- c',
    ],
    ['text and detail of one', '- a ^f-1|  - d', '- A ^f-1|  - d', '- a ^f-1|  - D', '- A ^f-1|  - D'],
    ['reordered by them', '- a|- b|- c', '- a|- b|- c|- o', '- c|- b|- a', '- c|- o|- b|- a'],
    ['in the middle and at the end', '- a|- b', '- a|- o|- b', '- a|- b|- t', '- a|- o|- b|- t'],
    ['a loose list', '- a||- b', '- a||- b||- o', '- a||- b||- t', '- a||- b||- o||- t'],
    ['an edit without id', '- a|- b', '- a|- b!', '- a!|- b', '- a!|- b!'],
    ['the same text twice', '- a|- a', '- a|- a|- b', '- a|- a|- c', '- a|- a|- b|- c'],
  ];

  test.each(cases)('%s', (_, base, ours, theirs, merged) => {
    expect(merge(note(base), note(ours), note(theirs))).toEqual({ text: note(merged), conflicts: 0 });
    // Without text behind the list, too.
    const last = (facts: string) => lines(`## Facts||${facts}`);
    expect(merge(last(base), last(ours), last(theirs))).toEqual({ text: last(merged), conflicts: 0 });
    const crlf = (facts: string) => note(facts).replaceAll('\n', '\r\n');
    expect(merge(crlf(base), crlf(ours), crlf(theirs))).toEqual({ text: crlf(merged), conflicts: 0 });
  });

  test.each([
    [
      'text around is merged by lines',
      '- a|- b',
      '- a|- c',
      '|End ours.',
      '|End.',
      '- a|- b|- c',
      '|End ours.',
    ],
    ['a paragraph behind the list', '- a|- b', '- a', '', '|New.', '- a|- b', '|New.'],
  ])('%s', (_, ours, theirs, ourRest, theirRest, merged, rest) => {
    const before = note('- a', ourRest === '|End ours.' ? '|End.' : '');
    expect(merge(before, note(ours, ourRest), note(theirs, theirRest))).toEqual({
      text: note(merged, rest),
      conflicts: 0,
    });
  });

  test.each([
    ['changed by both', '- a ^f-1', '- o ^f-1', '- t ^f-1', '- o ^f-1', '- t ^f-1'],
    ['changed and deleted', '- a ^f-1', '- o ^f-1', '', '- o ^f-1', ''],
    ['rewritten by both without id', '- a', '- o', '- t', '- o', '- t'],
    ['rewritten and deleted without id', '- a', '', '- t', '', '- t'],
    ['given an id by both', '- a', '- a ^f-1', '- a ^f-2', '- a ^f-1', '- a ^f-2'],
  ])('%s: a conflict of that fact alone', (_, base, ours, theirs, one, other) => {
    const withNeighbours = (fact: string, added: string) =>
      note(['- first', fact, '- last', added].filter(Boolean).join('|'));
    const merged = merge(
      withNeighbours(base, ''),
      withNeighbours(ours, '- new o'),
      withNeighbours(theirs, '- new t'),
    );
    const conflict = ['<<<<<<< ours', one, '=======', other, '>>>>>>> theirs'].filter(Boolean).join('|');
    expect(merged).toEqual({ text: note(`- first|${conflict}|- last|- new o|- new t`), conflicts: 1 });
  });

  test('in a section that both made stand in one section', () => {
    const base = lines('# T||Text.|');
    const made = (fact: string) => lines(`# T||Text.||## Facts||${fact}|`);
    expect(merge(base, made('- o ^f-1'), made('- t ^f-2'))).toEqual({
      text: made('- o ^f-1|- t ^f-2'),
      conflicts: 0,
    });
    const early = lines('# T||## Facts||- o ^f-1||Text.|');
    const merged = merge(base, early, made('- t ^f-2'));
    expect(merged.text.match(/## Facts/g)).toHaveLength(1);
  });

  test('added where the other side has taken all out, or made the heading alone, stand in the one section', () => {
    const note = (section: string) => lines(`# T||Text.||${section}## End||End.|`);
    const facts = (list: string) => note(`## Facts||${list}||`);
    const empty = note('## Facts||');
    for (const [base, ours, theirs, merged] of [
      [facts('- a ^f-1'), empty, facts('- a ^f-1|- t ^f-2'), facts('- t ^f-2')],
      [facts('- a ^f-1|- b ^f-2'), facts('- a ^f-1'), facts('- b ^f-2'), empty],
      [note(''), empty, facts('- t ^f-2'), facts('- t ^f-2')],
      [empty, facts('- o ^f-1'), facts('- t ^f-2'), facts('- o ^f-1|- t ^f-2')],
    ] as const) {
      expect(merge(base, ours, theirs)).toEqual({ text: merged, conflicts: 0 });
      if (ours !== facts('- o ^f-1'))
        expect(merge(base, theirs, ours)).toEqual({ text: merged, conflicts: 0 });
    }
    const changed = merge(facts('- a ^f-1'), empty, facts('- t ^f-1'));
    expect(changed).toEqual({
      text: facts('<<<<<<< ours|=======|- t ^f-1|>>>>>>> theirs'),
      conflicts: 1,
    });
  });

  test('that both moved elsewhere stand once', () => {
    const note = (one: string, two: string, three: string) =>
      lines(
        `# T||Intro ${'x'.repeat(9)}||## One||${one}||Long||text||between||## Two||${two}||More||text||## Three||${three}|`,
      );
    const merged = merge(
      note('- a ^f-1|- b ^f-2', '- p', '- q'),
      note('- b ^f-2', '- p|- a ^f-1', '- q'),
      note('- b ^f-2', '- p', '- q|- a ^f-1'),
    );
    expect(merged.text.match(/\^f-1/g)).toHaveLength(1);
    expect(merged.conflicts).toBe(0);
  });

  test('relations and observations are merged alike, other lists by lines', () => {
    const note = (heading: string, list: string) => lines(`# T||## ${heading}||${list}|`);
    for (const heading of ['Relations', 'Observations', '**facts**']) {
      expect(
        merge(
          note(heading, '- a [[A]]'),
          note(heading, '- a [[A]]|- o [[O]]'),
          note(heading, '- a [[A]]|- t [[T]]'),
        ).text,
      ).toBe(note(heading, '- a [[A]]|- o [[O]]|- t [[T]]'));
    }
    const other = merge(note('Todo', '- a'), note('Todo', '- a|- o'), note('Todo', '- a|- t'));
    expect(other).toEqual(
      mergeFile({
        base: note('Todo', '- a'),
        ours: note('Todo', '- a|- o'),
        theirs: note('Todo', '- a|- t'),
      }),
    );
    expect(other.conflicts).toBe(1);
  });
});

describe('properties', () => {
  const note = (properties: string) => lines(`---|${properties}|---|# T|`);
  test.each([
    ['each changed another', 'a: 1|b: 2', 'a: 9|b: 2', 'a: 1|b: 8', 'a: 9|b: 8'],
    ['each added one', 'a: 1', 'a: 1|o: x', 'a: 1|t: y', 'a: 1|o: x|t: y'],
    ['both added the same', 'a: 1', 'a: 1|o: x', 'a: 1|o: x', 'a: 1|o: x'],
    ['each deleted one', 'a: 1|b: 2|c: 3', 'b: 2|c: 3', 'a: 1|c: 3', 'c: 3'],
    ['tags as a set', 'tags: [a, b]', 'tags: [a, b, o]', 'tags: [a, t]', 'tags: [a, o, t]'],
    [
      'tags as a set, on lines',
      'tags:|  - a',
      'tags:|  - a|  - o',
      'tags:|  - a|  - t',
      'tags:|  - a|  - o|  - t',
    ],
    ['tags in two forms', 'tags: [a]', 'tags: [a, o]', 'tags:|  - a|  - t', 'tags: [a, o, t]'],
    ['tags that both made', 'a: 1', 'a: 1|tags: [o]', 'a: 1|tags: [t]', 'a: 1|tags: [o, t]'],
    [
      'aliases as a set',
      'aliases: [A]',
      'aliases: [A, O]',
      'aliases: [A, "T, x"]',
      'aliases: [A, O, "T, x"]',
    ],
    ['one value in other signs', 'a: 1', 'a: "2"', 'a: 2', 'a: "2"'],
    [
      'nested ones',
      'm:|  x: 1|  y: 2|  z: 3',
      'm:|  x: 9|  y: 2|  z: 3',
      'm:|  x: 1|  y: 2|  z: 8',
      'm:|  x: 9|  y: 2|  z: 8',
    ],
    ['comments', '# one|a: 1', '# one|a: 1|o: 1', '# two|a: 1', '# two|a: 1|o: 1'],
  ])('%s', (_, base, ours, theirs, merged) => {
    expect(merge(note(base), note(ours), note(theirs))).toEqual({ text: note(merged), conflicts: 0 });
    const crlf = (text: string) => note(text).replaceAll('\n', '\r\n');
    expect(merge(crlf(base), crlf(ours), crlf(theirs))).toEqual({ text: crlf(merged), conflicts: 0 });
  });

  test.each([
    ['changed by both', 'a: 1', 'a: 2', 'a: 3', 'a: 2', 'a: 3'],
    ['made by both', 'z: 1', 'z: 1|a: 2', 'z: 1|a: 3', 'a: 2', 'a: 3'],
    ['changed and deleted', 'a: 1|z: 1', 'a: 2|z: 1', 'z: 1', 'a: 2', ''],
  ])('%s: a conflict of that property alone', (_, base, ours, theirs, one, other) => {
    const conflict = ['<<<<<<< ours', one, '=======', other, '>>>>>>> theirs'].filter(Boolean).join('|');
    const merged = merge(note(`${base}|k: v`), note(`${ours}|k: v|o: 1`), note(`${theirs}|k: v|t: 1`));
    expect(merged.conflicts).toBe(1);
    expect(merged.text).toContain(`${lines(conflict)}\n`);
    expect(merged.text).toContain('k: v\no: 1\nt: 1\n---\n# T\n');
  });

  test('that both gave to a note without any', () => {
    expect(merge('# T\n', lines('---|tags: [o]|---|# T|'), lines('---|tags: [t]|x: 1|---|# T|'))).toEqual({
      text: lines('---|tags: [o, t]|x: 1|---|# T|'),
      conflicts: 0,
    });
  });

  test('that would come out broken are a conflict', () => {
    const odd = (first: string, last: string) => lines(`---|${first}x#y: 0|b: 1|c: 1|d: 1|${last}---|# T|`);
    const merged = merge(odd('', ''), odd('a: 1|', ''), odd('', 'a: 2|'));
    expect(merged.conflicts).toBeGreaterThan(0);
    expect(merged.text).toContain('<<<<<<< ours');
  });
});

test.each([
  ['nothing', ''],
  ['a byte order mark', '\ufeff---\na: 1\n---\n# T\n\n## Facts\n\n- a\n'],
  ['no final newline', '# T\n\n## Facts\n\n- a'],
  ['conflict markers', '# T\n\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n'],
])('an unchanged side gives the bytes of the other: %s', (_, text) => {
  const other = `${text}\nmore`;
  expect(merge(text, text, other)).toEqual({ text: other, conflicts: 0 });
  expect(merge(text, other, text)).toEqual({ text: other, conflicts: 0 });
  expect(merge(text, other, other)).toEqual({ text: other, conflicts: 0 });
});

test('a byte order mark stays where it is', () => {
  const note = (list: string) => `\ufeff---\ntags: [a]\n---\n# T\n\n## Facts\n\n${list}\n`;
  expect(merge(note('- a'), note('- a\n- o'), note('- a\n- t')).text).toBe(note('- a\n- o\n- t'));
});
