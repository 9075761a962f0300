/** Query text into a plan. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planQuery } from '../../src/core/retrieval/plan.js';

const termsOfPlan = (text: string) => planQuery(text).words.map(({ term }) => term);
const droppedBy = (text: string) =>
  planQuery(text).dropped.map(({ text: word, reason }) => `${word}: ${reason}`);

const WORDS: readonly (readonly [what: string, query: string, terms: readonly string[]])[] = [
  ['English', 'How do I configure the database?', ['configur', 'databas']],
  ['German', 'Wie viele Punkte gab die Verteidigung ab?', ['punkt', 'verteidigung', 'ab']],
  [
    'Turkish',
    'Jared Allen kaç tane top çalma kaydetmiştir?',
    ['jare', 'allen', 'tane', 'top', 'calma', 'kaydetmistir'],
  ],
  ['Arabic', 'كم نقطة تخلى عنها دفاع البانثرز', ['نقط', 'تخل', 'عن', 'دفاع', 'بانثرز']],
  ['a word of another language', 'when did he die in the war', ['die', 'war']],
  ['one word that another language shares', 'cat café plus', ['cat', 'cafe', 'plus']],
  ['capitals are names', 'who in the US runs IT', ['us', 'run', 'it']],
  ['capitals all through are not', 'WHO IS IN THE TEAM', ['team']],
  ['an identifier keeps its stop words', 'getUserById', ['getuserbyid', 'get', 'user', 'by', 'id']],
  ['only stop words', 'to be or not to be', ['to', 'be', 'or', 'not']],
  ['Han letters and pairs', '小猫', ['小', '小猫', '猫']],
  ['no lone letter at the end of kana', 'サッカー', ['サッ', 'ッカ', 'カー']],
  ['a date', 'meeting on January 5th 2024', ['meet', 'januari', '2024-01-05', '5th', '5', '2024']],
];

test.each(WORDS)('planQuery() keeps what says something: %s', (_what, query, terms) => {
  expect(termsOfPlan(query)).toEqual(terms);
});

test('planQuery() tells what it dropped and why', () => {
  expect(droppedBy('the cat')).toEqual(['the: stop word']);
  expect(droppedBy('to be or not to be')).toEqual([]);
  expect(droppedBy('???')).toEqual(['???: no letters or digits']);
  expect(droppedBy('-cat')).toEqual(['-: only exclusions']);
  expect(droppedBy('')).toEqual([]);
  const long = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ');
  expect(planQuery(long).words.length + droppedBy(long).length).toBe(601);
});

test('planQuery() weighs kinds of words', () => {
  const plan = planQuery('getUserById well-known HB3 cat cats');
  const weights = Object.fromEntries(plan.words.map(({ term, kind, weight }) => [term, `${kind} ${weight}`]));
  expect(weights).toEqual({
    getuserbyid: 'whole 1.5',
    get: 'part 1',
    user: 'part 1',
    by: 'part 1',
    id: 'part 1',
    wellknown: 'compound 1',
    well: 'word 1',
    known: 'word 1',
    hb3: 'whole 1.5',
    hb: 'part 1',
    '3': 'part 0.3',
    cat: 'word 2',
  });
});

test('planQuery() asks for longer words from four letters on', () => {
  const prefixes = Object.fromEntries(
    planQuery('cat compile 2024 小猫').words.map(({ term, prefix }) => [term, prefix]),
  );
  expect(prefixes).toEqual({ cat: '', compil: 'compil', '2024': '', 小: '', 小猫: '', 猫: '' });
});

test('planQuery() knows which questions are not English', () => {
  expect(planQuery('how to cook rice').isForeign).toBe(false);
  expect(planQuery('rice').isForeign).toBe(false);
  expect(planQuery('wie kocht man den Reis').isForeign).toBe(true);
  expect(planQuery('çalma sayısı').isForeign).toBe(true);
  expect(planQuery('where is the café').isForeign).toBe(false);
});

const OPERATORS: readonly (readonly [query: string, phrases: string, without: string, terms: string])[] = [
  ['"vector database" speed', 'vector database', '', 'vector databas speed'],
  ['“vector database” -slow', 'vector database', 'slow', 'vector databas'],
  ['cats -"big dogs" -mice', '', 'big dogs|mice', 'cat'],
  ['an "unclosed quote', '', '', 'unclos quot'],
  ['read-only --flag -1 ls -la', '', '', 'readon read onli --flag flag 1 ls la'],
  ['Alle Vereine und -organisationen', '', '', 'verein organisationen'],
  ['-cat', '', '', 'cat'],
];

test.each(OPERATORS)('planQuery() reads the signs of %s', (query, phrases, without, terms) => {
  const plan = planQuery(query);
  expect(plan.phrases.map(({ text }) => text).join('|')).toBe(phrases);
  expect(plan.without.map(({ text }) => text).join('|')).toBe(without);
  expect(plan.words.map(({ term }) => term).join(' ')).toBe(terms);
});

test('planQuery() takes quotes for a filter unless a longer question stands around them', () => {
  expect(planQuery('"vector database" speed').phrasesAreRequired).toBe(true);
  expect(
    planQuery('who wrote the famous essay "On Vector Databases" about fast index structures')
      .phrasesAreRequired,
  ).toBe(false);
});

test('planQuery() never throws and never loses a query without a word', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const plan = planQuery(text);
      if (text.trim() !== '' && plan.words.length === 0) expect(plan.dropped).not.toEqual([]);
      for (const { weight } of plan.words) expect(weight).toBeGreaterThan(0);
    }),
  );
  const signs = fc.array(fc.constantFrom('"', '-', ' ', 'a', 'und', '“', '”', 'C++', '小', '猫', '3', '.'), {
    maxLength: 12,
  });
  fc.assert(fc.property(signs, (parts) => void planQuery(parts.join(''))));
});

test('planQuery() of a whole file reads its beginning and says that the rest was left out', () => {
  const plan = planQuery(`zebra ${'word '.repeat(2_000_000)}`);
  expect(plan.words.map(({ term }) => term)).toEqual(['zebra', 'word']);
  expect(plan.dropped).toContainEqual({
    text: expect.stringMatching(/^.{40}…$/),
    reason: 'too many words',
  });
  expect(plan.text.length).toBeGreaterThan(9_000_000);
});
