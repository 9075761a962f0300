/** From a ranking to a confidence, a band, and what is said where there is none. */

import { describe, expect, test } from 'vitest';
import { BANDS, bandOf, DEFAULT_THRESHOLDS, higherBand } from '../../src/core/retrieval/bands.js';
import { confidenceOf, weighQuery } from '../../src/core/retrieval/confidence.js';
import { judge } from '../../src/core/retrieval/judge.js';
import { planQuery } from '../../src/core/retrieval/plan.js';
import { DEFAULT_PROFILE } from '../../src/core/retrieval/profile.js';
import { type RankedNote, rankByWords, type WordRanking } from '../../src/core/retrieval/rank.js';
import { buildMemoryPostings, plainNote } from './memory-postings.js';

const notes = [
  plainNote(
    'locks.md',
    'Locks',
    'Two programs write one after the other. A lock of the system holds until the process ends.',
  ),
  plainNote(
    'tea.md',
    'Tea',
    'Green tea is brewed below the boiling point, black tea above. The pot is warmed first.',
  ),
  plainNote(
    'kubernetes.md',
    'Cluster',
    'kubernetes restarts a pod that fails. The scheduler chooses the machine.',
  ),
  plainNote(
    'travel.md',
    'Travel',
    'The night train to Lisbon leaves at nine. The tickets lie in the drawer of the hall.',
  ),
  ...Array.from({ length: 20 }, (_, at) =>
    plainNote(
      `day-${at}.md`,
      `Day ${at}`,
      `The day began with coffee. Entry number ${at} of the journal, written in the kitchen.`,
    ),
  ),
];
const index = buildMemoryPostings(notes);

async function ask(query: string) {
  const plan = planQuery(query);
  const ranking = await rankByWords(plan, index, { limit: 10 });
  return { plan, ranking, judgement: judge(plan, ranking) };
}

describe('bandOf()', () => {
  test('thresholds belong to the band above them', () => {
    const { low, medium, high } = DEFAULT_THRESHOLDS;
    expect([0, low, medium, high, 9].map((value) => bandOf(value))).toEqual([
      'none',
      'low',
      'medium',
      'high',
      'high',
    ]);
    expect(bandOf(low - 1e-9)).toBe('none');
  });

  test('takes the thresholds of the vault', () => {
    expect(bandOf(0.5, { low: 0.6, medium: 0.7, high: 0.8 })).toBe('none');
  });

  test('higherBand() is the better of two, whichever comes first', () => {
    for (const band of BANDS) expect(higherBand(band, 'none')).toBe(band);
    expect(higherBand('low', 'high')).toBe('high');
  });
});

describe('confidenceOf()', () => {
  test('counts words that no note holds as the rarest', async () => {
    const { ranking } = await ask('lisbon quokka');
    const asked = weighQuery(ranking);
    expect(asked.whole).toBeCloseTo(2 * asked.rarest);
    expect(confidenceOf(ranking.hits[0]!, ranking, asked)).toMatchObject({
      share: 0.5,
      evidence: 1,
      agreement: 1,
    });
  });

  test('a compound that is nowhere as one word is not missing', async () => {
    const { ranking } = await ask('night-train');
    const asked = weighQuery(ranking);
    expect(ranking.missing.map(({ word }) => word.term)).toEqual(['nighttrain']);
    expect(confidenceOf(ranking.hits[0]!, ranking, asked).share).toBeCloseTo(1);
  });

  test('who types the beginning of a word has asked for the word', async () => {
    const { ranking, judgement } = await ask('kuber');
    expect(ranking.hits[0]!.path).toBe('kubernetes.md');
    expect(judgement.confidence!.share).toBeCloseTo(1);
    expect(judgement.band).not.toBe('none');
  });

  test('more of a query is more evidence at the same share', async () => {
    const [few, many] = [await ask('lisbon'), await ask('night train lisbon tickets')];
    expect(many.judgement.confidence!.share).toBeCloseTo(few.judgement.confidence!.share);
    expect(many.judgement.confidence!.value).toBeGreaterThan(few.judgement.confidence!.value);
  });

  const near = (cosine: number, known = 1) => ({
    nearness: { known, byNote: new Map([[1, cosine]]) },
    passageTerms: DEFAULT_PROFILE.usualPassageTerms,
  });
  const asked = { held: 4, whole: 8, rarest: 4 };
  const note = { note: 1, passageCoverage: 1 };

  test('meaning that finds the note far away lowers it, but never to nothing', () => {
    const unmoved = confidenceOf(note, { nearness: undefined, passageTerms: 60 }, asked);
    expect(unmoved.value).toBeCloseTo(0.5);
    expect(confidenceOf(note, near(0.5), asked).value).toBeCloseTo(0.5);
    expect(confidenceOf(note, near(0.25), asked).value).toBeCloseTo(0.25);
    expect(confidenceOf(note, near(-0.9), asked).value).toBeCloseTo(0.5 * DEFAULT_PROFILE.leastAgreement);
    expect(confidenceOf(note, near(0.25, 0), asked).value).toBeCloseTo(0.5);
  });

  test('a note without a word of the query may still be what it means', () => {
    const wordless = { note: 1, passageCoverage: 0 };
    const nothing = { held: 0, whole: 8, rarest: 4 };
    expect(confidenceOf(wordless, near(0.75), nothing).value).toBeCloseTo(0.5);
    expect(confidenceOf(wordless, near(0.4), nothing).value).toBe(0);
  });

  test('long passages need more, up to a length', () => {
    const of = (passageTerms: number) => confidenceOf(note, { ...near(0.6), passageTerms }, asked).value;
    expect(of(120)).toBeLessThan(of(60));
    expect(of(400)).toBe(of(DEFAULT_PROFILE.longPassageTerms));
  });

  test('nothing asked is nothing', () => {
    const empty = { held: 0, whole: 0, rarest: 0 };
    expect(confidenceOf(note, near(0.2), empty)).toMatchObject({ share: 0, evidence: 0, value: 0 });
  });
});

describe('judge()', () => {
  test.each([
    'lock of the system',
    'when does the night train to lisbon leave',
    'how is green tea brewed',
    'kubernetes',
    'coffee',
    'tea',
  ])('"%s" is answered', async (query) => {
    const { judgement } = await ask(query);
    expect(judgement.band).not.toBe('none');
    expect([judgement.reason, judgement.hint]).toEqual(['', '']);
  });

  test.each([
    'xyzzyplugh',
    'flurbomatic zindle grop',
    'wqpfk ljtrr bxxz',
    'Comment réparer un robinet qui fuit',
    'Сколько шерсти нужно на тёплый шарф',
    '织一条厚围巾需要多少毛线',
    'quarterly revenue forecast for the number seven factory',
  ])('"%s" is about nothing in the notes', async (query) => {
    const { judgement } = await ask(query);
    expect(judgement.band).toBe('none');
    expect(judgement.reason).not.toBe('');
    expect(judgement.hint).toMatch(/\.$/);
  });

  test('a word that all notes hold is found, however little it says', async () => {
    const common = buildMemoryPostings(
      notes.map((_, at) => plainNote(`n${at}.md`, `N ${at}`, `same words ${at}`)),
    );
    const plan = planQuery('same');
    const ranking = await rankByWords(plan, common, { limit: 5 });
    expect(weighQuery(ranking).held).toBeLessThan(0.1);
    expect(judge(plan, ranking).band).toBe('low');
  });

  test('a note that is called so is medium at least', async () => {
    const { ranking, judgement } = await ask('Tea');
    expect(ranking.hits[0]!.path).toBe('tea.md');
    const strict = judge(planQuery('Tea'), ranking, { low: 5, medium: 6, high: 7 });
    expect(judgement.band).not.toBe('low');
    expect(strict.band).toBe('medium');
  });

  test('names the words that no note holds, a few of them', async () => {
    const { judgement } = await ask('lisbon aaaaq bbbbq ccccq ddddq eeeeq ffffq');
    expect(judgement.reason).toMatch(
      /^no note holds "aaaaq", "bbbbq", "ccccq", "ddddq" and 2 more, and the best /,
    );
  });

  test('says so where nothing was asked', async () => {
    const { judgement } = await ask('!!!');
    expect(judgement.reason).toBe('the query has no word to look for');
    expect(judgement.confidence).toBeUndefined();
  });

  test('hits of a query about nothing keep their true label', async () => {
    const { ranking, judgement } = await ask('quarterly revenue forecast kitchen factory');
    expect(ranking.hits.length).toBeGreaterThan(0);
    expect(new Set(ranking.hits.map(judgement.bandOfHit))).toEqual(new Set(['none']));
  });

  test('hits below the best have bands of their own', async () => {
    const { ranking, judgement } = await ask('night train to lisbon tickets in the hall, pod');
    const bands = ranking.hits.map(judgement.bandOfHit);
    expect(bands[0]).toBe(judgement.band);
    expect(BANDS.indexOf(bands.at(-1)!)).toBeGreaterThan(BANDS.indexOf(bands[0]!));
  });

  test('a ranking without hits and without words does not throw', () => {
    const ranking: WordRanking = {
      hits: [],
      leaders: [] as readonly RankedNote[],
      matched: 0,
      words: [],
      missing: [],
      nearness: undefined,
      noteCount: 0,
      passageTerms: 1,
      dropped: [],
    };
    expect(judge(planQuery('anything'), ranking)).toMatchObject({ band: 'none', confidence: undefined });
  });
});
