/** Laws of the ranking, on notes in memory. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { profileWith, RANKING_CONSTANTS } from '../../src/core/retrieval/profile.js';
import { type RankingOptions, rankByWords } from '../../src/core/retrieval/rank.js';
import { buildMemoryPostings, type PostedNote, plainNote } from './memory-postings.js';

const ask = (notes: readonly PostedNote[], query: string, options: Partial<RankingOptions> = {}) =>
  rankByWords(planQuery(query), buildMemoryPostings(notes), { limit: 100, ...options });

const pathsFor = async (notes: readonly PostedNote[], query: string, options: Partial<RankingOptions> = {}) =>
  (await ask(notes, query, options)).hits.map(({ path }) => path);

const filler = (count: number, text: string) =>
  Array.from({ length: count }, (_, at) => plainNote(`filler-${at}.md`, `Filler ${at}`, text));

const VOCABULARY = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'walking',
  'walks',
  'getUserById',
  '小猫',
  'well-known',
  'the',
];
const someText = fc.array(fc.constantFrom(...VOCABULARY, '\n\n', '\n\n# alpha beta\n'), { maxLength: 30 });
const someNotes = fc.array(
  fc.record({ title: fc.constantFrom(...VOCABULARY), text: someText.map((words) => words.join(' ')) }),
  { minLength: 1, maxLength: 12 },
);
const someQuery = fc.array(fc.constantFrom(...VOCABULARY, 'alph', '"alpha beta"', '-gamma'), {
  minLength: 1,
  maxLength: 5,
});

test('rankByWords() gives scores that are the sum of their contributions', async () => {
  await fc.assert(
    fc.asyncProperty(someNotes, someQuery, async (notes, query) => {
      const { hits } = await ask(
        notes.map(({ title, text }, at) => plainNote(`n${at}.md`, title, text)),
        query.join(' '),
      );
      for (const { score, contributions } of hits) {
        expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBe(score);
        for (const { amount } of contributions) expect(amount).toBeGreaterThan(0);
      }
    }),
  );
});

test('rankByWords() does not depend on how notes are numbered', async () => {
  await fc.assert(
    fc.asyncProperty(someNotes, someQuery, fc.integer(), async (notes, query, seed) => {
      const made = notes.map(({ title, text }, at) => plainNote(`n${at}.md`, title, text));
      const turned = made
        .map((_, at) => made[(at + (Math.abs(seed) % made.length)) % made.length]!)
        .reverse();
      const [a, b] = [await ask(made, query.join(' ')), await ask(turned, query.join(' '))];
      const view = ({ path, score, coverage }: (typeof a.hits)[number]) => ({ path, score, coverage });
      expect(b.hits.map(view)).toEqual(a.hits.map(view));
      expect(b.dropped).toEqual(a.dropped);
    }),
  );
});

test('rankByWords() gives the first hits of a longer list', async () => {
  await fc.assert(
    fc.asyncProperty(someNotes, someQuery, async (notes, query) => {
      const made = notes.map(({ title, text }, at) => plainNote(`n${at}.md`, title, text));
      const all = await pathsFor(made, query.join(' '));
      expect(await pathsFor(made, query.join(' '), { limit: 3 })).toEqual(all.slice(0, 3));
    }),
  );
});

test('rankByWords() orders equal notes by path', async () => {
  const notes = ['c.md', 'a.md', 'b.md'].map((path) => plainNote(path, 'Same', 'some words'));
  expect(await pathsFor(notes, 'words')).toEqual(['a.md', 'b.md', 'c.md']);
});

test('rankByWords() prefers more of the query to more of one word', async () => {
  const notes = [
    plainNote('both.md', 'One', 'postgres upgrade and other things that stand here'),
    plainNote('one.md', 'Two', 'postgres postgres postgres postgres and other things'),
    plainNote('other.md', 'Three', 'an upgrade of something'),
    ...filler(20, 'nothing of the kind'),
  ];
  expect((await pathsFor(notes, 'postgres upgrade')).slice(0, 2)).toEqual(['both.md', 'one.md']);
});

test('rankByWords() prefers the rarer word', async () => {
  const notes = [
    plainNote('rare.md', 'One', 'zebra walks'),
    plainNote('common.md', 'Two', 'horse walks'),
    ...filler(20, 'horse'),
  ];
  expect((await pathsFor(notes, 'zebra horse'))[0]).toBe('rare.md');
});

test('rankByWords() puts the note called so first, by title and alias', async () => {
  const notes = [
    plainNote('mention.md', 'Databases', 'postgres postgres postgres'),
    plainNote(
      'title.md',
      'Postgres',
      'The elephant and its many tables, a long text about nothing much at all',
    ),
    plainNote('alias.md', 'Elephant', 'A text that is longer than the others for the sake of it', {
      aliases: ['Postgres'],
    }),
    ...filler(10, 'other'),
  ];
  const { hits } = await ask(notes, 'postgres');
  expect(hits.map(({ path }) => path)).toEqual(['title.md', 'alias.md', 'mention.md']);
  expect(hits.map(({ contributions }) => contributions.at(-1)!.kind)).toEqual(['title', 'alias', 'coverage']);
});

test('rankByWords() lifts an exact heading', async () => {
  const notes = [
    plainNote('heading.md', 'Guide', 'intro\n\n# Install on Linux\nsome steps to follow'),
    plainNote('words.md', 'Other', 'install it on linux and more, linux install'),
  ];
  const { hits } = await ask(notes, 'install on linux');
  expect(hits[0]!.path).toBe('heading.md');
  expect(hits[0]!.contributions.some(({ kind }) => kind === 'heading')).toBe(true);
});

test('rankByWords() puts neighbours before strangers', async () => {
  const notes = [
    plainNote('apart.md', 'A', 'memory holds many pieces but leaks nothing at all'),
    plainNote('beside.md', 'B', 'many pieces have memory leaks but holds nothing at all'),
    ...filler(5, 'other words here'),
  ];
  expect(await pathsFor(notes, 'memory leaks')).toEqual(['beside.md', 'apart.md']);
});

const IDENTIFIERS = [
  'getUserById',
  'snake_case_name',
  'src/foo/bar.ts',
  'v1.0.21',
  'DEC-0054',
  'user@example.com',
  'net/http',
];

test.each(IDENTIFIERS)('rankByWords() finds %s whole before its parts, and by parts', async (name) => {
  const parts = name.split(/(?=[A-Z][a-z])|[^A-Za-z0-9]+/).filter((part) => part !== '');
  const notes = [
    plainNote('parts.md', 'Parts', `${parts.join(' word ')} ${parts.join(' other ')} ${parts.join(' x ')}`),
    plainNote('whole.md', 'Whole', `A text that has ${name} in it, among many other words that say little`),
    ...filler(10, 'other words'),
  ];
  expect((await pathsFor(notes, name))[0]).toBe('whole.md');
  expect(await pathsFor(notes, parts.at(-1)!)).toContain('whole.md');
});

test.each([
  ['c++', 'C++ templates', 'C# generics'],
  ['c#', 'C# generics', 'C++ templates'],
  ['.NET', 'the .NET runtime', 'the net is cast'],
  ['2024-01-05', 'on January 5th 2024', 'on January 6th 2024'],
  ['5.1.2024', 'on 2024-01-05', 'on 2024-05-02'],
  ['strasse', 'die Straße', 'die Gasse'],
  ['猫', '小猫吃鱼', '小狗吃肉'],
  ['프로젝트', '이 프로젝트는', '이 계획은'],
])('rankByWords() finds %s in "%s" and not first in "%s"', async (query, right, wrong) => {
  const notes = [plainNote('wrong.md', 'W', wrong), plainNote('right.md', 'R', right)];
  expect((await pathsFor(notes, query))[0]).toBe('right.md');
});

test('rankByWords() finds longer words, after the word itself', async () => {
  const notes = [plainNote('longer.md', 'L', 'configurator'), plainNote('exact.md', 'E', 'config')];
  expect(await pathsFor(notes, 'config')).toEqual(['exact.md', 'longer.md']);
  expect(await pathsFor(notes, 'con')).toEqual([]);
});

test('rankByWords() requires a quoted phrase, in order and side by side', async () => {
  const notes = [
    plainNote('phrase.md', 'P', 'we use a vector database here'),
    plainNote('joined.md', 'J', 'new vector-database things'),
    plainNote('apart.md', 'A', 'vector of the database, database vector'),
  ];
  expect((await pathsFor(notes, '"vector database"')).sort()).toEqual(['joined.md', 'phrase.md']);
  expect(await pathsFor(notes, '"new vector database things"')).toEqual(['joined.md']);
  expect(await pathsFor(notes, '"小猫"')).toEqual([]);
});

test('rankByWords() searches the words of a phrase that no note holds, and says so', async () => {
  const ranking = await ask([plainNote('a.md', 'A', 'database of vectors')], '"vector database"');
  expect(ranking.hits.map(({ path }) => path)).toEqual(['a.md']);
  expect(ranking.dropped).toEqual([{ text: 'vector database', reason: 'phrase found nowhere' }]);
});

test('rankByWords() leaves out what was excluded, phrases only where they stand', async () => {
  const notes = [
    plainNote('a.md', 'A', 'cats and big dogs'),
    plainNote('b.md', 'B', 'cats and dogs that are big'),
    plainNote('c.md', 'C', 'cats and mice'),
  ];
  expect(await pathsFor(notes, 'cats -dogs')).toEqual(['c.md']);
  expect((await pathsFor(notes, 'cats -"big dogs"')).sort()).toEqual(['b.md', 'c.md']);
});

test('rankByWords() keeps to the scope and leaves out earlier pages', async () => {
  const notes = ['a', 'b', 'c', 'd'].map((name) => plainNote(`${name}.md`, name, 'cats'));
  expect(await pathsFor(notes, 'cats', { scope: Uint32Array.of(2, 3) })).toEqual(['b.md', 'c.md']);
  expect(await pathsFor(notes, 'cats', { scope: new Uint32Array() })).toEqual([]);
  expect(await pathsFor(notes, 'cats', { exclude: [1, 2] })).toEqual(['c.md', 'd.md']);
});

test('rankByWords() places a hit at its best passage', async () => {
  const text = 'about nothing\n\n# Setup\nhow to compile the kernel\n\nmore of nothing';
  const { hits } = await ask([plainNote('a.md', 'A', text)], 'compile kernel');
  expect(hits[0]!.passages.map(({ number }) => number)).toEqual([3]);
  expect(hits[0]!.passageCoverage).toBe(1);
});

test('rankByWords() tells how much of the query a note covers', async () => {
  const notes = [
    plainNote('a.md', 'A', 'cats'),
    plainNote('b.md', 'B', 'cats dogs'),
    plainNote('c.md', 'C', 'dogs'),
  ];
  const { hits } = await ask(notes, 'cats dogs');
  const coverage = Object.fromEntries(hits.map((hit) => [hit.path, hit.coverage]));
  expect(coverage['b.md']).toBe(1);
  expect(coverage['a.md']).toBeCloseTo(0.5);
});

test('rankByWords() prunes common words without changing the first hits', async () => {
  const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
  const notes = Array.from({ length: 3_000 }, (_, at) =>
    plainNote(`n${at}.md`, `N${at}`, words.filter((_word, w) => (at * 7 + w * w) % (w + 2) === 0).join(' ')),
  );
  const index = buildMemoryPostings(notes);
  const plan = planQuery('word1 word2 word3 word17 word30 word39');
  const pruned = await rankByWords(plan, index, { limit: 20, profile: profileWith({ pruneAfter: 200 }) });
  const full = await rankByWords(plan, index, { limit: 20, profile: profileWith({ pruneAfter: 1e9 }) });
  expect(pruned.matched).toBeLessThan(full.matched);
  expect(pruned.hits).toEqual(full.hits);
});

test('rankByWords() answers any text', async () => {
  const index = buildMemoryPostings([plainNote('a.md', 'A', 'some words'), plainNote('b.md', 'B', '')]);
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (text) => {
      const { hits } = await rankByWords(planQuery(text), index, { limit: 10 });
      expect(hits.length).toBeLessThanOrEqual(2);
    }),
  );
  const empty = buildMemoryPostings([]);
  expect((await rankByWords(planQuery('words'), empty, { limit: 10 })).hits).toEqual([]);
});

test('RANKING_CONSTANTS gives every constant a reason', () => {
  for (const { value, reason } of Object.values(RANKING_CONSTANTS)) {
    expect(Number.isFinite(value)).toBe(true);
    expect(reason.length).toBeGreaterThan(10);
  }
});
