/**
 * Every constant of the ranking by words, each with what it was derived from. Figures are mean nDCG@10 on the tuning
 * halves of fifteen public collections (docs/ranking.md holds the tables); where the curve is flat, the plain value
 * was taken. Those by which a ranking is judged are in judging-constants.ts.
 */

import { JUDGING_CONSTANTS } from './judging-constants.js';
import type { RankingConstant } from './ranking-constant.js';

export const RANKING_CONSTANTS = {
  k1: {
    value: 1.2,
    reason:
      'How fast repeating a word stops paying. 1 to 2 lie within .001, .8 loses .005; 1.2 is the usual value.',
  },
  bodyLengthShare: {
    value: 0.75,
    reason:
      "BM25's b for text: how much a long note is held back. .5 to .9 lie within .002; the usual value.",
  },
  headLengthShare: {
    value: 0.5,
    reason: 'b for title, aliases, tags and file name together: .3 to 1 lie within .001.',
  },
  bodyLengthFloor: {
    value: 20,
    reason:
      'Terms added to every length before comparing: a line of five words is not four times as relevant as one of twenty. 0 loses .003 (.04 on lines of dialogue), 10 to 40 are equal, collections of long notes do not notice.',
  },
  headLengthFloor: {
    value: 5,
    reason: 'The same for titles, about the length of one; 0 and 20 lie within .001.',
  },
  titleWeight: {
    value: 2.5,
    reason: 'A word in the title counts as two or three in the text: 1 loses .007, 2 to 4 lie within .002.',
  },
  aliasWeight: { value: 2.5, reason: 'An alias is a title.' },
  nameWeight: {
    value: 0.5,
    reason:
      'The file name mostly repeats the title, which already counts; where it differs it is worth less.',
  },
  tagWeight: { value: 1, reason: 'A tag names the subject but is shared by many notes.' },
  headingWeight: {
    value: 1,
    reason: 'A heading counts as one more mention, once however many passages stand under it.',
  },
  repeatedWordWeight: {
    value: 1,
    reason:
      'What each further mention in the query adds. 0 loses .008 (long questions name their subject twice), .7 to 1 are equal.',
  },
  identifierWholeWeight: {
    value: 1.5,
    reason: 'A path, version or name in code is meant as it stands; 1 to 2 are equal on collections.',
  },
  wholeAboveParts: {
    value: 0.3,
    reason:
      'How far an identifier outweighs what its parts can gain by repetition, as a share of that: wholes come first ' +
      'in small vaults too, where nothing is rare. 0 to .3 are equal on collections, 1 loses .003 on technical headings.',
  },
  singlePartWeight: {
    value: 0.3,
    reason: 'A part of one character (the 3 of `HB3`) says little; 1 loses .001 on technical headings.',
  },
  letterWeight: {
    value: 0.7,
    reason:
      'A Han letter beside the pairs it is in: 0 loses .006 on Chinese and .012 on Japanese, .3 to 1 are equal.',
  },
  hiraganaPairWeight: {
    value: 0.4,
    reason: 'Pairs of hiragana are endings and particles: 1 loses .005 on Japanese, .15 to .7 are equal.',
  },
  prefixWeight: {
    value: 0.5,
    reason:
      'A longer word that starts with the word asked for, before its length counts. 0 loses .006 over all, .03 on Turkish and .015 on German; .35 to .8 are equal.',
  },
  prefixLengthPower: {
    value: 2,
    reason: 'A longer word counts by the shared share of its letters, to this power; 1 to 4 lie within .002.',
  },
  prefixMinimumLength: {
    value: 4,
    reason: 'Shorter starts fit anything; 3 to 5 lie within .001, and users expect 4.',
  },
  prefixLimit: {
    value: 6,
    reason: 'Longer words per word; 3 to 200 are equal, and each costs a look-up.',
  },
  prefixMaximumShare: {
    value: 0.2,
    reason:
      'A word that more than this share of the notes hold needs no longer forms; equal without, and cheaper; .05 loses .002.',
  },
  shortenedShare: {
    value: 0.7,
    reason:
      'What is kept of a word in a language we do not stem, to find its other forms: 1 loses .02 on Turkish and .01 on German, .6 to .8 are equal. In English questions it loses .01 on scientific texts, hence not there,',
  },
  shortenedMaximumNotes: {
    value: 1,
    reason: 'except for a word that no other note holds: names and slips of the pen; +.001.',
  },
  commonWordShare: {
    value: 0.08,
    reason:
      'A word that can add less than this share of what the rarest adds is left out: it hardly changes the order and ' +
      'costs the most to look up. .02 to .1 rank alike (mean .757 on the tuning halves).',
  },
  bestPassageShare: {
    value: 0.25,
    reason:
      'The part of a score that the best passage gives, the rest being the note as a whole. 0 loses .008 on conversations, .7 loses .01 on news; 0 to .7 lie within .002 over all.',
  },
  coverageWeight: {
    value: 0.1,
    reason:
      'A note that covers the whole query gains a tenth, others by the square of their share. 0 to .4 lie within .002; people expect that more of their words is better.',
  },
  coverageWords: {
    value: 4,
    reason: 'Queries with more words gain less by coverage: long questions have words that no answer holds.',
  },
  adjacencyWeight: {
    value: 0.1,
    reason:
      'Neighbours in the query that are neighbours in a passage, as a share of the rarer one. 0 to .8 lie within .001: conversations and Turkish gain what abstracts lose.',
  },
  adjacencyDepth: {
    value: 15,
    reason:
      'Candidates whose passages are read for it and for `spanWeight`; 12 to 50 rank the first ten alike.',
  },
  spanWeight: {
    value: 0.15,
    reason:
      'Where meaning takes part: what a best passage gains that holds the whole query within `spanTerms`, as a share of the best score before. Of notes about the subject the one that answers has the words together. On nine English collections +.0026 on the tuning halves and +.0031 on the others, .12 gains .0021 and .0028, .2 .0008 and .0024; on words alone nothing, hence not there.',
  },
  spanTerms: {
    value: 25,
    reason:
      'About two sentences; on the tuning halves 22 gains .0016, 25 .0026, 28 .0019, 40 .0010, 80 nothing.',
  },
  phraseLift: {
    value: 0.25,
    reason:
      'Share of the highest possible score of its words that a phrase quoted in a longer question gains; 0 to .5 are equal.',
  },
  exactTitleLift: {
    value: 0.5,
    reason:
      'Share of the highest possible score that a title equal to the query gains: it is asked for by name.',
  },
  exactHeadingLift: { value: 0.2, reason: 'The same for a heading of the best passage.' },
  exactWeight: {
    value: 2,
    reason:
      'Share of the highest possible score of an identifier that a note gains which spells it as the query does. Of 24 queries for names in code on 9,751 notes the note about it is first for 20 without, for 23 from .25 on; at 2 another spelling is behind even as a title. Collections of questions are equal.',
  },
  exactHeadingShare: {
    value: 1.5,
    reason:
      'Of that, where the title or a heading spells it so: there it is explained, elsewhere it is used. At 1 the note about it is first for 20 of the 24, from 1.25 to 3 for 23.',
  },
  exactOtherShare: {
    value: 0.25,
    reason:
      'Of that, where a note only spells it otherwise, `snake_case` for `snakeCase`: it comes before notes that hold the parts alone. 0 to .75 are equal on the 24.',
  },
  exactDepth: {
    value: 20,
    reason:
      'Candidates whose text is looked at for it, where they hold the identifier whole; 10 to 100 are equal on the 24.',
  },
  recencyWeight: {
    value: 0,
    reason:
      'Share of its score that a note of today gains. 0: when a note was written says nothing about whether it answers; the profile `recent` asks for it.',
  },
  recencyHalfLifeDays: {
    value: 30,
    reason:
      'After so many days a note gains half of that. Not tuned: what people call recent work is weeks old.',
  },
  candidateWindow: {
    value: 100,
    reason:
      'Notes that are scored in full after the first pass, or twice the limit if that is more; 50 to 1,000 rank alike.',
  },
  meaningWeight: {
    value: 0.16,
    reason:
      'What one deviation of meaning adds, as a share of the best score by words. On nine English collections .1 gains ' +
      '.0093 over words alone, .13 .0103, .16 .0108, .2 .0099.',
  },
  meaningKnownPower: {
    value: 2,
    reason:
      'A query of which the model knows only a share of the words is trusted less, by this power of it; 1 to 3 lie ' +
      'within .0005.',
  },
  meaningRival: {
    value: 10,
    reason:
      'The nearer the hit of this rank comes to the best by words, the more notes there are that meaning can mistake: ' +
      'its weight falls with the square root of what is left between them. Rank 5 is equal; without the rule .0016 are ' +
      'lost, most of it on cacm.',
  },
  meaningFloor: {
    value: 2,
    reason:
      'A note without any word of the query must lie this many deviations above the mean to be found; 3 is equal.',
  },
  furtherWeight: {
    value: 0.16,
    reason:
      'What one deviation of a further model adds, as a share of the best score by words. With a sentence encoder on ' +
      'five collections .08 gives .580 in the mean, .12 .584, .16 .585, .2 .579, .32 .571.',
  },
  furtherFloor: {
    value: 2,
    reason: 'As `meaningFloor`, for notes that only the further model finds.',
  },
  furtherByRank: {
    value: 0,
    reason:
      '1 fuses a further model by reciprocal rank, 0 by score, as the built-in table is: ranks of a weak list drown ' +
      'the scores of a strong one. With the same encoder .490 by rank (k 60; .515 with 10) against .585, and .579 ' +
      'without it.',
  },
  rankConstant: {
    value: 60,
    reason: 'The k of reciprocal rank fusion: 1 / (k + place) in each list. The usual value.',
  },
  rerankDepth: {
    value: 30,
    reason:
      'Hits that a reranker reads. On nine English collections, 200 queries of each at most, nDCG@10 of the best order of the first 10 is .751, of 20 .818, of 30 .856, of 50 .889; every hit costs the same time.',
  },
  rerankWeight: {
    value: 0.32,
    reason:
      'What one deviation of its logits adds, as a share of the best score. The scores of the first 30 themselves deviate by .16 of the best, so the reranker counts twice as much as all that ranked before. Not measured with a real one, hence in no profile but `precise`.',
  },
  rerankLeastDeviation: {
    value: 1,
    reason:
      'A smaller deviation of the logits counts as this: what differs by less than a factor of 2.7 in the odds says little.',
  },
  rerankMostDeviations: {
    value: 2,
    reason:
      'What lies farther from the mean counts as this: one sure hit does not cut off all others (`gapShare`).',
  },
  gapShare: {
    value: 0.5,
    reason:
      'The list ends at a hit with less than this share of the score before it: seven of ten hits are shown, at a ' +
      'loss of .001; .6 loses .007.',
  },
  floorShare: {
    value: 0.25,
    reason: 'Nor are hits below this share of the best shown: no loss up to .25, .0002 at .3, .0016 at .4.',
  },
  pruneAfter: {
    value: 1000,
    reason:
      'With so many notes found, words whose best gain cannot lift a new note into the window only score those.',
  },
  ...JUDGING_CONSTANTS,
} as const satisfies Readonly<Record<string, RankingConstant>>;

export type RankingProfile = { readonly [name in keyof typeof RANKING_CONSTANTS]: number };

export const DEFAULT_PROFILE: RankingProfile = profileWith({});

/** The default constants with some replaced. */
export function profileWith(changes: Partial<RankingProfile>): RankingProfile {
  const values: Record<string, number> = {};
  for (const name in RANKING_CONSTANTS) values[name] = RANKING_CONSTANTS[name as keyof RankingProfile].value;
  return { ...(values as RankingProfile), ...changes };
}
