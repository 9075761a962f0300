/** Laws of the lifts that read texts and dates, on notes in memory: names in code by their spelling, and recent notes. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { liftExactNames } from '../../src/core/memory/lift-exact-names.js';
import { identifiersOf } from '../../src/core/retrieval/identifiers.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { profileNamed } from '../../src/core/retrieval/profiles.js';
import { type NoteLift, rankByWords } from '../../src/core/retrieval/rank.js';
import { buildMemoryPostings, plainNote } from './memory-postings.js';

type TextNote = { readonly title: string; readonly text: string };

const WORDS = [
  'getUserById',
  'get_user_by_id',
  'GetUserById',
  'get',
  'user',
  'alpha',
  'a::b',
  'A.b',
  '\n\n',
  '\n\n# ',
];
const someNotes = fc.array(
  fc.record({
    title: fc.constantFrom('alpha', 'getUserById', 'get_user_by_id'),
    text: fc.array(fc.constantFrom(...WORDS), { maxLength: 20 }).map((words) => words.join(' ')),
  }),
  { minLength: 1, maxLength: 12 },
);
const someQuery = fc
  .array(fc.constantFrom('getUserById', 'get_user_by_id', 'a::b', 'alpha', 'user'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((words) => words.join(' '));

/** By number of the note, from 1. */
const byPlace: NoteLift = {
  depth: 100,
  liftsOf: async (candidates) =>
    new Map(
      candidates.map(({ note, score }) => [note, [{ kind: 'recency', text: '', amount: score / note }]]),
    ),
};

async function rank(
  notes: readonly TextNote[],
  query: string,
  limit = 100,
  more: readonly NoteLift[] = [byPlace],
) {
  const { constants } = profileNamed('words');
  const plan = planQuery(query, constants);
  const source = { load: async () => {}, get: (path: string) => textOf(notes, path) };
  const exact = liftExactNames(identifiersOf(plan), source, constants);
  const index = buildMemoryPostings(notes.map(({ title, text }, at) => plainNote(`${at}.md`, title, text)));
  return rankByWords(plan, index, { limit, profile: constants, lifts: [exact, ...more] });
}

function textOf(notes: readonly TextNote[], path: string): string {
  const { title, text } = notes[Number.parseInt(path, 10)]!;
  return `# ${title}\n\n${text}`;
}

test('rankByWords() with lifts gives scores that are the sum of their contributions', async () => {
  await fc.assert(
    fc.asyncProperty(someNotes, someQuery, async (notes, query) => {
      for (const { score, contributions } of (await rank(notes, query)).hits) {
        expect(contributions.reduce((sum, { amount }) => sum + amount, 0)).toBe(score);
      }
    }),
  );
});

test('rankByWords() with lifts gives the first hits of a longer list', async () => {
  await fc.assert(
    fc.asyncProperty(someNotes, someQuery, async (notes, query) => {
      const all = (await rank(notes, query)).hits.map(({ path }) => path);
      expect((await rank(notes, query, 3)).hits.map(({ path }) => path)).toEqual(all.slice(0, 3));
    }),
  );
});

test('rankByWords() puts a note with the spelling asked for before any that spells it otherwise', async () => {
  await fc.assert(
    fc.asyncProperty(someNotes, fc.constantFrom('getUserById', 'get_user_by_id'), async (notes, query) => {
      const { hits } = await rank(notes, query, 100, []);
      const isExact = hits.map(({ path }) => new RegExp(`(?<!\\w)${query}(?!\\w)`).test(textOf(notes, path)));
      expect(isExact).toEqual([...isExact].sort((a, b) => Number(b) - Number(a)));
    }),
    { numRuns: 500 },
  );
});
