/**
 * The constants that a ranking is judged by: whether its words are trusted (gate.ts), and how sure its hits are
 * (confidence.ts, bands.ts). Those that make the ranking are in profile.ts.
 */

import type { RankingConstant } from './ranking-constant.js';

export const JUDGING_CONSTANTS = {
  gateLead: {
    value: 0.06,
    reason:
      "How far the best note must lead the gate's rival for words to be trusted, as a share of the highest score that the query can give. On nine English collections .06 skips .58 of the queries of the tuning halves and loses .0020, .59 and .0048 on the others; .05 skips .63 and loses .0042, but .0057 on the others (docs/gate.md).",
  },
  gateRival: {
    value: 3,
    reason:
      'The rank of the note that the best must lead. Two notes of one subject are no doubt, three are: by the lead alone and at a loss of .005, .66 can be skipped, against the second .51, against the fifth .54.',
  },
  gateCoverage: {
    value: 0.25,
    reason:
      "A best note with less than this share of the query's weight is not trusted, whatever its lead, which keeps nearly all of them out already: .0006 less loss.",
  },
  gateUnknown: {
    value: 0.2,
    reason:
      'Nor is a query of which words that no note holds make up this share: it may be said otherwise. .04 fewer are skipped, at .0008 less loss.',
  },
  gateIdentifier: {
    value: 0.75,
    reason:
      'An identifier that the best note holds is what was asked for, where it makes up this share of the query: the rest are words like `where` and `defined`. .5 takes sentences with a spelling like `LeBron` for such, and loses .0003.',
  },
  lowBand: {
    value: 0.17,
    reason:
      'Least confidence of a hit that is shown unasked. Of 14,759 judged queries .6 % stay below (no collection loses more than 1.8 %, but for 2 of 52 queries on cacm), of 200 queries about nothing 95.8 %, in the mean of fifteen collections. .19 gives 96.7 % and loses .8 %, but 3 of 35 on adi.',
  },
  mediumBand: {
    value: 0.35,
    reason:
      'Below it 81 % of the judged queries have an answer among the first ten, from here to `highBand` 89 %. Of questions of another subject 2 % reach it.',
  },
  highBand: {
    value: 0.7,
    reason: 'From here 97 % have an answer. Of questions of another subject .1 % reach it.',
  },
  unrelatedCosine: {
    value: 0.5,
    reason:
      'Up to this cosine the built-in table finds notes that have nothing to do with the query. .45 to .55 are equal, .4 lets 2 of 100 more questions of other subjects pass. A further model has its own (memory/calibrate.ts).',
  },
  leastAgreement: {
    value: 0.3,
    reason:
      'What is left of the confidence of words where meaning finds the note far away: a title of names says nothing to the table. 0 and .35 are equal.',
  },
  usualPassageTerms: {
    value: 60,
    reason: 'The length of passages, in words, that confidence is measured by.',
  },
  longPassageTerms: {
    value: 140,
    reason:
      'Longer passages do not lower confidence further: at 200 and more it is conversations that set the bar of `lowBand`.',
  },
  passageTermsPower: {
    value: 0.3,
    reason:
      'Long passages hold more of any query by chance. .2 lets 3 of 100 more questions of other subjects pass at the same loss, .4 is equal.',
  },
} as const satisfies Readonly<Record<string, RankingConstant>>;
