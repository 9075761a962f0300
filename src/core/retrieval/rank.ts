/**
 * The ranking from a plan to ordered hits: gather evidence, score the best notes (score-best.ts), check phrases and
 * exclusions, read the first candidates' passages for neighbours, lift what is asked for by name.
 */

import { termsOf } from '../text/terms.js';
import { type Collection, collectionOf } from './collection.js';
import { type CheckedNote, type Conditions, conditionsOf, passingNotes } from './conditions.js';
import type { StoredPassage } from './evidence.js';
import { type FurtherRanks, fuseByRank } from './fuse-ranks.js';
import { gatherWords, type MissingWord, type RankingIndex, type ScoredWord } from './gather.js';
import type { FurtherMeaning, Meaning, Nearness } from './meaning.js';
import type { DroppedText, QueryPlan } from './plan.js';
import { DEFAULT_PROFILE, type RankingProfile } from './profile.js';
import { byScore, type Candidate, type Contribution, highestScore, lifted, withPath } from './score.js';
import { scoreBest } from './score-best.js';
import { adjacencyOf, spanShare } from './sequences.js';

export type RankingOptions = {
  readonly limit: number;
  readonly profile?: RankingProfile;
  /** Note numbers that may be hits; all when not given. */
  readonly scope?: Uint32Array;
  /** Note numbers to leave out, such as those of earlier pages. */
  readonly exclude?: readonly number[];
  /** Ranks by words alone without it. */
  readonly meaning?: Meaning | undefined;
  /** What a further model says; ranked together with the rest. */
  readonly further?: FurtherMeaning | undefined;
  /** In turn, each on the order that those before have made. */
  readonly lifts?: readonly NoteLift[];
};

/** What lifts notes by more than postings and vectors tell: it reads their texts or dates. */
export type NoteLift = {
  /** How many of the first candidates it looks at. */
  readonly depth: number;
  readonly liftsOf: (
    candidates: readonly Candidate[],
    context: {
      readonly words: readonly ScoredWord[];
      readonly profile: RankingProfile;
      readonly pathsOf: (notes: readonly number[]) => Promise<ReadonlyMap<number, string>>;
    },
  ) => Promise<ReadonlyMap<number, readonly Contribution[]>>;
};

export type RankedNote = Candidate & { readonly path: string };

export type WordRanking = {
  readonly hits: readonly RankedNote[];
  /** The first notes, whatever the limit: the gate (gate.ts) looks at how far the best is ahead. */
  readonly leaders: readonly RankedNote[];
  /** Notes that hold a word of the query; a lower bound in large collections. */
  readonly matched: number;
  readonly words: readonly ScoredWord[];
  readonly missing: readonly MissingWord[];
  /** By meaning, of all candidates; undefined where no model took part. */
  readonly nearness: Nearness | undefined;
  /** Of the whole collection: what rarity and coverage are measured against (confidence.ts). */
  readonly noteCount: number;
  readonly passageTerms: number;
  /** What the plan left out, and phrases that no note holds. */
  readonly dropped: readonly DroppedText[];
};

export async function rankByWords(
  plan: QueryPlan,
  index: RankingIndex,
  options: RankingOptions,
): Promise<WordRanking> {
  const profile = options.profile ?? DEFAULT_PROFILE;
  const collection = collectionOf(await index.shape());
  const { words, common, missing } = await gatherWords(plan, index, profile);
  const conditions = await conditionsOf(plan, index, collection, options.scope, options.exclude ?? []);
  const best = await candidatesFor(words, collection, conditions, index, profile, options);
  const { candidates, matched, nearness } = best;
  if (candidates.length === 0 && plan.phrases.length > 0 && plan.phrasesAreRequired) {
    const relaxed = await rankByWords({ ...plan, phrases: [] }, index, options);
    const lost = plan.phrases.map(({ text }) => ({ text, reason: 'phrase found nowhere' }) as const);
    return { ...relaxed, dropped: [...relaxed.dropped, ...lost] };
  }
  const ordered = await liftAndOrder(best, plan, words, index, options, profile);
  const hits = ordered.slice(0, options.limit);
  const leaders = ordered.slice(0, profile.gateRival);
  const left = common.map(({ text }) => ({ text, reason: 'too common beside the rest' }) as const);
  return {
    hits,
    leaders,
    matched,
    words,
    missing,
    nearness,
    noteCount: collection.shape.noteCount,
    passageTerms: collection.averagePassage,
    dropped: [...plan.dropped, ...left],
  };
}

type Candidates = {
  /** Scored in full, by falling score. */
  readonly candidates: readonly Candidate[];
  readonly named: ReadonlySet<number>;
  readonly matched: number;
  readonly ranks: FurtherRanks | undefined;
  readonly nearness: Nearness | undefined;
};

async function candidatesFor(
  words: readonly ScoredWord[],
  collection: Collection,
  { allowed, checks }: Conditions,
  index: RankingIndex,
  profile: RankingProfile,
  { limit, meaning, further }: RankingOptions,
): Promise<Candidates> {
  const wanted = Math.max(2 * limit, profile.candidateWindow);
  const window = checks.length > 0 ? 10 * wanted : wanted;
  const { scored, named, matched, ranks, nearness } = scoreBest(
    words,
    collection,
    { ...profile, candidateWindow: window },
    { allowed, meaning, further },
  );
  if (checks.length === 0) return { candidates: scored, named, matched, ranks, nearness };
  const inOrder = ranks ? fuseByRank(scored, ranks, profile) : scored;
  const passed = await passingNotes(
    inOrder.map(({ note }) => note),
    checks,
    index,
    wanted,
  );
  const byNote = new Map(scored.map((candidate) => [candidate.note, candidate]));
  const candidates = passed.map((one) => withPhrases(byNote.get(one.note)!, one, words, profile));
  return { candidates: candidates.sort(byScore), named, matched, ranks, nearness };
}

/** Lifted by the phrases it holds, their passages first: that is where the hit is. */
function withPhrases(
  candidate: Candidate,
  { held, phrasePassages }: CheckedNote,
  words: readonly ScoredWord[],
  profile: RankingProfile,
): Candidate {
  if (held.length === 0) return candidate;
  const holds = new Set(phrasePassages);
  const isFirst = candidate.passages.filter(({ number }) => holds.has(number));
  const isRest = candidate.passages.filter(({ number }) => !holds.has(number));
  const lifts = held.map((phrase): Contribution => {
    const inPhrase = words.filter(({ word }) => phrase.terms.includes(word.term));
    return {
      kind: 'phrase',
      text: phrase.text,
      amount: profile.phraseLift * highestScore(inPhrase, profile),
    };
  });
  return lifted(candidate, lifts, [...isFirst, ...isRest]);
}

/** The first `limit` and those that tie with the last, but never less than the gate looks at. */
async function liftAndOrder(
  { candidates, named, ranks, nearness }: Candidates,
  plan: QueryPlan,
  words: readonly ScoredWord[],
  index: RankingIndex,
  { limit, lifts: more = [] }: Pick<RankingOptions, 'limit' | 'lifts'>,
  profile: RankingProfile,
): Promise<RankedNote[]> {
  const read = candidates.slice(0, withTies(candidates, profile.adjacencyDepth));
  const passages = await bestPassages(read, words, index);
  const called = candidates.filter(({ note }) => named.has(note));
  const known = new Map<number, KnownName>();
  const know = async (notes: readonly number[]) => {
    const missing = notes.filter((note) => !known.has(note));
    for (const note of missing.length === 0 ? [] : await index.notes(missing)) known.set(note.number, note);
  };
  await know(called.map(({ note }) => note));
  const highest = highestScore(words, profile);
  const spanUnit = (nearness?.known ?? 0) ** profile.meaningKnownPower * (candidates[0]?.score ?? 0);
  const lifts = new Map<number, Candidate>();
  for (const candidate of new Set([...read, ...called])) {
    const passage = passages.get(candidate.passages[0]?.number ?? 0);
    const contributions = [
      ...nameLift(known.get(candidate.note), plan, highest, profile),
      ...headingLift(passage, plan, highest, profile),
      ...adjacency(passage, words, profile),
      ...span(passage, words, spanUnit, profile),
    ];
    lifts.set(candidate.note, lifted(candidate, contributions));
  }
  const byName = candidates.map((candidate) => lifts.get(candidate.note) ?? candidate).sort(byScore);
  const pathsOf = async (notes: readonly number[]) => {
    await know(notes);
    return new Map(notes.map((note) => [note, known.get(note)?.path ?? '']));
  };
  const byWords = await liftedBy(more, byName, { words, profile, pathsOf });
  const ordered = ranks ? fuseByRank(byWords, ranks, profile) : byWords;
  const shown = ordered.slice(0, withTies(ordered, Math.max(limit, profile.gateRival)));
  await know(shown.map(({ note }) => note));
  return shown
    .map((candidate): RankedNote => withPath(candidate, known.get(candidate.note)?.path ?? ''))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

type KnownName = Awaited<ReturnType<RankingIndex['notes']>>[number];

async function liftedBy(
  lifts: readonly NoteLift[],
  candidates: readonly Candidate[],
  context: Parameters<NoteLift['liftsOf']>[1],
): Promise<readonly Candidate[]> {
  let ordered = candidates;
  for (const { depth, liftsOf } of lifts) {
    const found = await liftsOf(ordered.slice(0, withTies(ordered, depth)), context);
    ordered = ordered.map((candidate) => lifted(candidate, found.get(candidate.note) ?? [])).sort(byScore);
  }
  return ordered;
}

/** How many of the first candidates to take so that none is left out that ties with the last taken. */
function withTies(candidates: readonly Candidate[], count: number): number {
  let end = Math.min(count, candidates.length);
  while (end > 0 && end < candidates.length && candidates[end]!.score === candidates[end - 1]!.score) end++;
  return end;
}

/** Read only where a second word can be its neighbour or a heading may be lifted. */
async function bestPassages(
  candidates: readonly Candidate[],
  words: readonly ScoredWord[],
  index: RankingIndex,
): Promise<Map<number, StoredPassage>> {
  if (!words.some(({ word }) => word.kind !== 'pair' && word.kind !== 'letter')) return new Map();
  const terms = words.map(({ word }) => word.term);
  const numbers = candidates.flatMap(({ passages }) => passages[0]?.number ?? []);
  return new Map((await index.passages(numbers, terms)).map((passage) => [passage.number, passage]));
}

function nameLift(
  note: Pick<KnownName, 'title' | 'aliases'> | undefined,
  plan: QueryPlan,
  highest: number,
  profile: RankingProfile,
): Contribution[] {
  if (note === undefined) return [];
  const amount = profile.exactTitleLift * highest;
  if (hasTerms(note.title, plan.terms)) return [{ kind: 'title', text: note.title, amount }];
  const alias = note.aliases.find((name) => hasTerms(name, plan.terms));
  return alias === undefined ? [] : [{ kind: 'alias', text: alias, amount }];
}

function headingLift(
  passage: StoredPassage | undefined,
  plan: QueryPlan,
  highest: number,
  profile: RankingProfile,
): Contribution[] {
  const heading = passage?.headings.find((one) => hasTerms(one, plan.terms));
  return heading === undefined
    ? []
    : [{ kind: 'heading', text: heading, amount: profile.exactHeadingLift * highest }];
}

/** Whether the text has these terms and no others. Most texts are told by their first letter, without being read. */
function hasTerms(text: string, terms: readonly string[]): boolean {
  const [wanted = ''] = terms;
  if (beginsPlainly(text) && text[0]!.toLowerCase() !== wanted[0]) return false;
  const found = termsOf(text);
  return found.length > 0 && found.length === terms.length && found.every((term, at) => term === terms[at]);
}

/** Whether a word of plain letters stands at the start, whose terms all begin as it does. */
function beginsPlainly(text: string): boolean {
  let at = 0;
  while (isPlainLetter(text.charCodeAt(at))) at += 1;
  return at > 0 && (at === text.length || text[at] === ' ');
}

function isPlainLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** `unit` is what the whole query in one place gives before its weight. */
function span(
  passage: StoredPassage | undefined,
  words: readonly ScoredWord[],
  unit: number,
  profile: RankingProfile,
): Contribution[] {
  if (passage === undefined || unit <= 0) return [];
  const amount = profile.spanWeight * spanShare(passage, words, profile) * unit;
  return amount <= 0 ? [] : [{ kind: 'span', text: '', amount }];
}

function adjacency(
  passage: StoredPassage | undefined,
  words: readonly ScoredWord[],
  profile: RankingProfile,
): Contribution[] {
  const amount = passage === undefined ? 0 : adjacencyOf(passage, words, profile);
  return amount === 0 ? [] : [{ kind: 'adjacency', text: '', amount }];
}
