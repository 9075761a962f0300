/**
 * First pass: word by word through complete postings, every note's score as a whole, and the best of them. Typed
 * arrays and no allocation per posting, since common words have tens of thousands. Full scoring is in score.ts.
 */

import type { Collection } from './collection.js';
import { FIELD_COUNT } from './evidence.js';
import type { ScoredWord } from './gather.js';
import type { RankingProfile } from './profile.js';

export type Sweep = {
  /** Notes for full scoring: the best by score, all that tie with the last, and those in `named`. */
  readonly notes: readonly number[];
  /** Notes whose title, aliases, tags and file name hold every word: they may be called what was asked for. At most 50. */
  readonly named: ReadonlySet<number>;
  /** Notes that hold a word at all (of those allowed); a lower bound once common words were skipped. */
  readonly matched: number;
};

/** Of its own, since a bundle reaches another module's constants through a call, which inner loops notice. */
const WIDTH = FIELD_COUNT;

type Scratch = {
  readonly score: Float64Array;
  readonly body: Float64Array;
  readonly head: Float64Array;
  readonly heading: Float64Array;
  /** The word that a note was last touched for. */
  readonly touchedFor: Uint32Array;
  readonly headHits: Uint16Array;
  readonly touched: Uint32Array;
  readonly found: Uint32Array;
};

let scratch: Scratch | undefined;
let turn = 0;

const MAX_NAMED = 50;

/** All zero but `touchedFor`, which only grows; every sweep cleans what it has touched. */
function scratchFor(size: number): Scratch {
  if (scratch === undefined || scratch.score.length < size || turn > 0xf000_0000) {
    turn = 0;
    scratch = {
      score: new Float64Array(size),
      body: new Float64Array(size),
      head: new Float64Array(size),
      heading: new Float64Array(size),
      touchedFor: new Uint32Array(size),
      headHits: new Uint16Array(size),
      touched: new Uint32Array(size),
      found: new Uint32Array(size),
    };
  }
  return scratch;
}

/** `allowed[note]` is 1 for notes in scope; undefined for all. */
export function sweepNotes(
  words: readonly ScoredWord[],
  collection: Collection,
  profile: RankingProfile,
  allowed?: Uint8Array,
): Sweep {
  const state = scratchFor(collection.noteLimit);
  const ordered = [...words].sort((a, b) => b.gain - a.gain);
  let remaining = ordered.reduce((sum, { gain }) => sum + gain, 0) * (profile.k1 + 1);
  let found = 0;
  let onlyFound = false;
  for (const word of ordered) {
    if (!onlyFound && found >= profile.pruneAfter) {
      onlyFound = remaining <= scoreAtRank(state, found, profile.candidateWindow);
    }
    const touched = touchNotes(word, state, collection, profile, allowed, onlyFound);
    found = addScores(state, touched, found, word.gain, collection, profile);
    remaining -= word.gain * (profile.k1 + 1);
  }
  const least = scoreAtRank(state, found, profile.candidateWindow);
  const notes: number[] = [];
  const named: number[] = [];
  for (let i = 0; i < found; i++) {
    const note = state.found[i]!;
    if (state.score[note]! >= least) notes.push(note);
    if (state.headHits[note] === words.length) named.push(note);
    state.score[note] = 0;
    state.headHits[note] = 0;
  }
  const shortest = shortestNamed(named, collection);
  return { notes: [...new Set([...notes, ...shortest])], named: new Set(shortest), matched: found };
}

/** What is asked for by its full name has little else in its head; of hundreds of daily notes only few are tried. */
function shortestNamed(named: readonly number[], { headLength }: Collection): readonly number[] {
  if (named.length <= MAX_NAMED) return named;
  const lengths = named.map((note) => headLength[note]!).sort((a, b) => a - b);
  const limit = lengths[MAX_NAMED]!;
  return named.filter((note) => headLength[note]! < limit);
}

/**
 * Adds up one word's occurrences by note and field; returns how many notes were touched. Passages of a note are
 * neighbours, so sums are held back until the note ends, and only a head is asked for the fields of a head: a process
 * that has just started runs this loop slowly.
 */
function touchNotes(
  { forms }: ScoredWord,
  state: Scratch,
  collection: Collection,
  profile: RankingProfile,
  allowed: Uint8Array | undefined,
  onlyFound: boolean,
): number {
  const { body, head, heading, touchedFor, touched, score } = state;
  const { titleWeight, aliasWeight, tagWeight, nameWeight } = profile;
  const { shape, firstPassage } = collection;
  const { noteOf } = shape;
  const mark = ++turn;
  let count = 0;
  for (const { evidence, share } of forms) {
    const { passages, counts } = evidence.postings;
    const length = passages.length;
    for (let i = 0; i < length; ) {
      const note = noteOf[passages[i]!]!;
      let inBody = 0;
      let inHead = 0;
      let inHeading = 0;
      if (passages[i] === firstPassage[note]) {
        const c = i * WIDTH;
        inBody = counts[c]!;
        inHead =
          titleWeight * counts[c + 2]! +
          aliasWeight * counts[c + 3]! +
          tagWeight * counts[c + 4]! +
          nameWeight * counts[c + 5]!;
        i++;
      }
      while (i < length && noteOf[passages[i]!] === note) {
        const c = i * WIDTH;
        inBody += counts[c]!;
        if (counts[c + 1]! > inHeading) inHeading = counts[c + 1]!;
        i++;
      }
      if (note === 0 || (onlyFound ? score[note] === 0 : allowed !== undefined && allowed[note] === 0))
        continue;
      if (touchedFor[note] !== mark) {
        touchedFor[note] = mark;
        touched[count++] = note;
        body[note] = 0;
        head[note] = 0;
        heading[note] = 0;
      }
      body[note]! += share * inBody;
      if (inHead > 0) head[note]! += share * inHead;
      if (share * inHeading > heading[note]!) heading[note] = share * inHeading;
    }
  }
  return count;
}

/** Adds the word's part to the scores of the notes touched; returns how many notes have a score now. */
function addScores(
  state: Scratch,
  touched: number,
  foundBefore: number,
  gain: number,
  collection: Collection,
  profile: RankingProfile,
): number {
  const { body, head, heading, score, headHits } = state;
  const {
    k1,
    bodyLengthShare: b,
    headLengthShare: bHead,
    bodyLengthFloor,
    headLengthFloor,
    headingWeight,
  } = profile;
  const perBody = b / (collection.averageBody + bodyLengthFloor);
  const perHead = bHead / (collection.averageHead + headLengthFloor);
  let found = foundBefore;
  for (let i = 0; i < touched; i++) {
    const note = state.touched[i]!;
    let frequency = body[note]! / (1 - b + perBody * (collection.bodyLength[note]! + bodyLengthFloor));
    if (heading[note]! > 0) frequency += headingWeight * heading[note]!;
    if (head[note]! > 0) {
      frequency += head[note]! / (1 - bHead + perHead * (collection.headLength[note]! + headLengthFloor));
      headHits[note]!++;
    }
    if (score[note] === 0) state.found[found++] = note;
    score[note]! += (gain * frequency * (k1 + 1)) / (frequency + k1);
  }
  return found;
}

/** The score that `rank` notes reach, 0 if there are fewer. */
function scoreAtRank(state: Scratch, found: number, rank: number): number {
  if (found < rank) return 0;
  const scores = new Float64Array(found);
  for (let i = 0; i < found; i++) scores[i] = state.score[state.found[i]!]!;
  return scores.sort()[found - rank]!;
}
