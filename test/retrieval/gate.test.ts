/** The gate: what is trusted, what is not, and that it looks at nothing but the ranking. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { readCollection } from '../../src/adapters/collection-fs/read-collection.js';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { modelsOf } from '../../src/app/built-in-model.js';
import { systemClock } from '../../src/app/system-clock.js';
import { evaluateCollection } from '../../src/core/evaluation/evaluate-collection.js';
import { decideGate } from '../../src/core/retrieval/gate.js';
import { mean } from '../../src/core/retrieval/metrics.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { profileWith } from '../../src/core/retrieval/profile.js';
import { rankByWords } from '../../src/core/retrieval/rank.js';
import { lifted } from '../../src/core/retrieval/score.js';
import { buildMemoryPostings, type PostedNote, plainNote } from './memory-postings.js';

const COLLECTIONS = join(import.meta.dirname, '../../../shared/eval');

const ask = (notes: readonly PostedNote[], query: string, limit = 10) =>
  rankByWords(planQuery(query), buildMemoryPostings(notes), { limit });

const decide = async (notes: readonly PostedNote[], query: string, limit = 10) =>
  decideGate(planQuery(query), await ask(notes, query, limit));

const TOPICS = ['harbour', 'cellar', 'orchard', 'quarry', 'library', 'station', 'mill', 'chapel'];

/** Notes of which each speaks of a place of its own, and all of rain. */
const places = TOPICS.map((topic) =>
  plainNote(`${topic}.md`, `Walk ${topic}`, `Rain fell over the ${topic} while lamps were lit.`),
);

test('decideGate() trusts a note that has the words to itself', async () => {
  const decision = await decide(places, 'rain at the orchard');
  expect(decision).toMatchObject({ opens: false, reason: 'clear lead', isNamed: false, unknown: 0 });
  expect(decision.coverage).toBeCloseTo(1);
  expect(decision.lead).toBeGreaterThan(0.05);
});

test('decideGate() opens where three notes are as good', async () => {
  const alike = TOPICS.map((topic) => plainNote(`${topic}.md`, topic, 'Rain fell and lamps were lit.'));
  expect(await decide(alike, 'rain lamps')).toMatchObject({ opens: true, reason: 'close rivals', lead: 0 });
});

test('decideGate() trusts two notes of one subject before the rest', async () => {
  const twin = plainNote('orchard 2.md', 'Walk orchard', 'Rain fell over the orchard while lamps were lit.');
  expect(await decide([...places, twin], 'rain at the orchard')).toMatchObject({ reason: 'clear lead' });
});

test('decideGate() trusts an exact title or alias, whatever else holds the words', async () => {
  const alike = TOPICS.map((topic) => plainNote(`${topic}.md`, topic, 'rain lamps rain lamps\n\nrain lamps'));
  const titled = plainNote('a.md', 'Rain lamps', 'On something else.');
  const called = plainNote('b.md', 'Weather', 'On something else.', { aliases: ['Rain lamps'] });
  expect(await decide([...alike, titled], 'rain lamps')).toMatchObject({
    opens: false,
    reason: 'exact name',
  });
  expect(await decide([...alike, called], 'rain lamps')).toMatchObject({ opens: false, isNamed: true });
});

test.each(['getUserById', 'where is getUserById defined', 'src/core/rank.ts', 'DEC-0054'])(
  'decideGate() trusts the identifier in "%s"',
  async (query) => {
    const notes = TOPICS.map((topic, at) =>
      plainNote(`${topic}.md`, topic, at < 4 ? `Defined: getUserById src/core/rank.ts DEC-0054` : 'Rain.'),
    );
    expect(await decide(notes, query)).toMatchObject({ opens: false, reason: 'identifier' });
  },
);

test('decideGate() does not trust an identifier of which notes hold only the parts', async () => {
  const notes = [plainNote('a.md', 'Users', 'Get the user by its id.'), ...places];
  const decision = await decide(notes, 'getUserById');
  expect(decision).toMatchObject({ opens: true, reason: 'unknown words' });
});

test('decideGate() does not trust a query whose rare word is in no note', async () => {
  expect(await decide(places, 'rain zeppelin orchard')).toMatchObject({
    opens: true,
    reason: 'unknown words',
  });
  const { unknown, coverage } = await decide(places, 'rain zeppelin orchard');
  expect(unknown).toBeGreaterThan(0.2);
  expect(coverage).toBeCloseTo(1 - unknown);
});

test('decideGate() knows that nobody asked for the joined form of a compound', async () => {
  const decision = await decide(places, 'lamp-lit orchard');
  expect(decision).toMatchObject({ opens: false, unknown: 0 });
});

test('decideGate() lets a pair across the border of two words be missing', async () => {
  const notes = ['北京大学', '上海博物馆', '西湖公园', '长城旅行'].map((text, at) =>
    plainNote(`${at}.md`, `${at}`, `${text}。`),
  );
  expect(await decide(notes, '博物馆上海')).toMatchObject({ opens: false, unknown: 0 });
});

test('decideGate() opens where the best note holds little of the query', async () => {
  const notes = TOPICS.map((topic) => plainNote(`${topic}.md`, 'A', topic));
  const query = TOPICS.join(' ');
  expect(await decide(notes, query)).toMatchObject({ opens: true, reason: 'low coverage' });
});

test('decideGate() opens where no note has a word, and not where nothing was asked', async () => {
  expect(await decide(places, 'zeppelin')).toMatchObject({ opens: true, reason: 'no hits', coverage: 0 });
  expect(await decide(places, '?!')).toMatchObject({ opens: false, reason: 'nothing asked' });
  expect(await decide([], '')).toMatchObject({ opens: false, reason: 'nothing asked', lead: 0 });
});

test('decideGate() leaves what meaning added out of the lead', async () => {
  const plan = planQuery('apples of the orchard');
  const more = ['Apples of the orchard.', 'An orchard.', 'Some apples, and much about other things.'];
  const ranking = await ask(
    [...places, ...more.map((text, at) => plainNote(`n${at}.md`, `N${at}`, text))],
    plan.text,
  );
  const [first, second, third] = ranking.leaders.map((note) => ({
    ...note,
    ...lifted(note, [{ kind: 'meaning', text: '', amount: 100 }]),
  }));
  const { lead } = decideGate(plan, ranking);
  expect(lead).toBeGreaterThan(0);
  expect(decideGate(plan, { ...ranking, leaders: [first!, second!, third!] }).lead).toBeCloseTo(lead);
  const turned = decideGate(plan, { ...ranking, leaders: [third!, second!, first!] });
  expect(turned.lead).toBeCloseTo(-lead);
  expect(turned.opens).toBe(true);
});

test('decideGate() goes by the constants of the profile', async () => {
  const plan = planQuery('rain at the orchard');
  const ranking = await ask(places, plan.text);
  expect(decideGate(plan, ranking, profileWith({ gateLead: 2 })).opens).toBe(true);
  expect(decideGate(plan, ranking, profileWith({ gateCoverage: 2 })).reason).toBe('low coverage');
});

test('decideGate() gives shares, and the same for any limit', async () => {
  const words = [
    'harbour',
    'rain',
    'lamps',
    'zeppelin',
    'walk',
    'getUserById',
    'well-known',
    '小猫',
    '-mill',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 6 }), async (chosen) => {
      const query = chosen.join(' ');
      const decision = await decide(places, query, 100);
      for (const name of ['coverage', 'passageCoverage', 'unknown'] as const) {
        expect(decision[name]).toBeGreaterThanOrEqual(0);
        expect(decision[name]).toBeLessThanOrEqual(1 + 1e-9);
      }
      expect(decision.unknown + decision.coverage).toBeLessThanOrEqual(1 + 1e-9);
      expect(await decide(places, query, 1)).toEqual(decision);
    }),
  );
});

beforeAll(() => {
  if (!existsSync(COLLECTIONS))
    process.stderr.write(`no collections at ${COLLECTIONS}: what the gate skips and loses is not tested\n`);
});

/** A few of the English ones, on their reporting halves; bench/gate.mjs measures all. */
test.skipIf(!existsSync(COLLECTIONS))(
  'decideGate() skips half of the questions and loses next to nothing',
  async () => {
    const skipped: number[] = [];
    const lost: number[] = [];
    for (const name of ['time', 'cranfield', 'chroma-chunking', 'xquad-en']) {
      const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
      const models = await modelsOf({ AGENT_MEMORY_MODEL: 'static' });
      const { comparison } = await evaluateCollection(
        readCollection(join(COLLECTIONS, name)),
        { index, clock: systemClock, ...models },
        { profile: 'default', compare: 'gated', half: 'report', limit: 0 },
      );
      await index.close();
      skipped.push(comparison!.gateSkipped!);
      lost.push(-comparison!.difference);
    }
    expect(Math.min(...skipped)).toBeGreaterThan(0.5);
    expect(mean(lost)).toBeLessThan(0.005);
  },
  60_000,
);
