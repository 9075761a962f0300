/** The two passes over postings: every note's score as a whole, then full scores of the notes chosen. */

import {
  body,
  bodyLength,
  firstPassage,
  found,
  head,
  headHits,
  heading,
  headLength,
  noteOf,
  passageBody,
  passageCount,
  score,
  size,
  slotOf,
  touched,
  touchedFor,
} from './collection';
import { allocate, release } from './memory';

let turn: u32 = 0;
let touchedCount: u32 = 0;
export let foundCount: u32 = 0;

// Reading postings: the format is that of src/core/retrieval/postings.ts.
let at: usize = 0;
let passage: u32 = 0;
let inBody: u32 = 0;
/** Which fields follow as bytes; 0 where the text is the only one. */
let mask: u32 = 0;
let fieldsAt: usize = 0;

function readPosting(): void {
  let byte = <u32>load<u8>(at++);
  let value = byte & 127;
  let shift: u32 = 7;
  while (byte > 127) {
    byte = load<u8>(at++);
    value |= (byte & 127) << shift;
    shift += 7;
  }
  const code = value & 3;
  passage += value >>> 2;
  mask = 0;
  if (code < 2) inBody = code + 1;
  else if (code === 2) inBody = load<u8>(at++);
  else {
    mask = load<u8>(at++);
    fieldsAt = at;
    at += popcnt<u32>(mask);
    inBody = mask & 1 ? load<u8>(fieldsAt) : 0;
  }
}

/** Count of a field whose bit is set in `mask`, or 0. */
function countOf(field: u32): u32 {
  const bit: u32 = 1 << field;
  return mask & bit ? <u32>load<u8>(fieldsAt + popcnt<u32>(mask & (bit - 1))) : 0;
}

/** Postings may name passages that a collection of fewer does not have, where their bytes are damaged. */
function ownerOf(number: u32): u32 {
  return number < size ? load<u32>(noteOf + (number << 2)) : 0;
}

/** Notes that hold a term, from one run of its postings; what is gone is not counted. */
export function countNotes(start: usize, end: usize, before: u32): u32 {
  let notes: u32 = 0;
  let last: u32 = 0;
  at = start;
  passage = before;
  while (at < end) {
    readPosting();
    const note = ownerOf(passage);
    if (note !== 0 && note !== last) notes++;
    last = note;
  }
  return notes;
}

// Constants of the ranking, set once a query.
let titleWeight: f64 = 0;
let aliasWeight: f64 = 0;
let tagWeight: f64 = 0;
let nameWeight: f64 = 0;
let headingWeight: f64 = 0;
let k1: f64 = 0;
let bodyB: f64 = 0;
let bodyFloor: f64 = 0;
let headB: f64 = 0;
let headFloor: f64 = 0;
let averageBody: f64 = 0;
let averageHead: f64 = 0;
let averagePassage: f64 = 0;
let bestPassageShare: f64 = 0;

export function setFieldWeights(title: f64, alias: f64, tag: f64, name: f64, ofHeading: f64): void {
  titleWeight = title;
  aliasWeight = alias;
  tagWeight = tag;
  nameWeight = name;
  headingWeight = ofHeading;
}

export function setSaturation(
  k: f64,
  bOfBody: f64,
  floorOfBody: f64,
  bOfHead: f64,
  floorOfHead: f64,
  best: f64,
): void {
  k1 = k;
  bodyB = bOfBody;
  bodyFloor = floorOfBody;
  headB = bOfHead;
  headFloor = floorOfHead;
  bestPassageShare = best;
}

export function setMeans(ofBody: f64, ofHead: f64, ofPassage: f64): void {
  averageBody = ofBody;
  averageHead = ofHead;
  averagePassage = ofPassage;
}

function saturate(frequency: f64): f64 {
  return (frequency * (k1 + 1)) / (frequency + k1);
}

function bodyFrequency(count: f64, length: f64, average: f64): f64 {
  return count / (1 - bodyB + (bodyB * (length + bodyFloor)) / (average + bodyFloor));
}

function headFrequency(count: f64, note: u32): f64 {
  const length = <f64>load<u32>(headLength + (note << 2));
  return count / (1 - headB + (headB * (length + headFloor)) / (averageHead + headFloor));
}

function headCount(): f64 {
  return (
    titleWeight * <f64>countOf(2) +
    aliasWeight * <f64>countOf(3) +
    tagWeight * <f64>countOf(4) +
    nameWeight * <f64>countOf(5)
  );
}

// First pass: every note's score as a whole.

export function startWord(): void {
  turn++;
  touchedCount = 0;
}

/**
 * Adds up one run of postings by note. `allowed` is the address of a byte for each note, 0 where every note may be
 * found; with `onlyFound` notes without a score are passed over.
 */
export function sweepRun(
  start: usize,
  end: usize,
  before: u32,
  share: f64,
  allowed: usize,
  onlyFound: bool,
): void {
  at = start;
  passage = before;
  let note: u32 = 0;
  let isWanted = false;
  let ofBody: u32 = 0;
  let ofHead: f64 = 0;
  let ofHeading: u32 = 0;
  while (at < end) {
    readPosting();
    const owner = ownerOf(passage);
    if (owner !== note) {
      if (isWanted) touch(note, share, ofBody, ofHead, ofHeading);
      note = owner;
      ofBody = 0;
      ofHead = 0;
      ofHeading = 0;
      isWanted =
        note !== 0 &&
        (onlyFound ? load<f64>(score + (note << 3)) !== 0 : allowed === 0 || load<u8>(allowed + note) !== 0);
    }
    if (!isWanted) continue;
    ofBody += inBody;
    if (mask === 0) continue;
    if (passage === load<u32>(firstPassage + (note << 2))) ofHead = headCount();
    else {
      const count = countOf(1);
      if (count > ofHeading) ofHeading = count;
    }
  }
  if (isWanted) touch(note, share, ofBody, ofHead, ofHeading);
}

function touch(note: u32, share: f64, ofBody: u32, ofHead: f64, ofHeading: u32): void {
  const place = note << 3;
  if (load<u32>(touchedFor + (note << 2)) !== turn) {
    store<u32>(touchedFor + (note << 2), turn);
    store<u32>(touched + (touchedCount++ << 2), note);
    store<f64>(body + place, 0);
    store<f64>(head + place, 0);
    store<f64>(heading + place, 0);
  }
  store<f64>(body + place, load<f64>(body + place) + share * <f64>ofBody);
  if (ofHead > 0) store<f64>(head + place, load<f64>(head + place) + share * ofHead);
  store<f64>(heading + place, max<f64>(load<f64>(heading + place), share * <f64>ofHeading));
}

/** Adds the word's part to the scores of the notes touched. */
export function endWord(gain: f64): void {
  for (let i: u32 = 0; i < touchedCount; i++) {
    const note = load<u32>(touched + (i << 2));
    const place = note << 3;
    let frequency = bodyFrequency(
      load<f64>(body + place),
      <f64>load<u32>(bodyLength + (note << 2)),
      averageBody,
    );
    frequency += headingWeight * load<f64>(heading + place);
    const ofHead = load<f64>(head + place);
    if (ofHead > 0) {
      frequency += headFrequency(ofHead, note);
      store<u32>(headHits + (note << 2), load<u32>(headHits + (note << 2)) + 1);
    }
    const before = load<f64>(score + place);
    const after = before + gain * saturate(frequency);
    // A word that adds nothing finds nothing, or its notes would be counted once for each such word.
    if (before === 0 && after > 0) store<u32>(found + (foundCount++ << 2), note);
    store<f64>(score + place, after);
  }
}

/** The score that `rank` of the notes found reach, 0 if there are fewer. */
export function scoreAtRank(rank: u32): f64 {
  if (foundCount < rank || rank === 0) return 0;
  // A heap of the best so far, the least of them on top.
  const heap = allocate((<usize>rank) << 3);
  if (heap === 0) return 0;
  for (let i: u32 = 0; i < foundCount; i++) {
    const value = load<f64>(score + (load<u32>(found + (i << 2)) << 3));
    if (i < rank) {
      let child = i;
      while (child > 0) {
        const parent = (child - 1) >> 1;
        const above = load<f64>(heap + (parent << 3));
        if (above <= value) break;
        store<f64>(heap + (child << 3), above);
        child = parent;
      }
      store<f64>(heap + (child << 3), value);
    } else if (value > load<f64>(heap)) {
      let parent: u32 = 0;
      while (true) {
        let child = (parent << 1) + 1;
        if (child >= rank) break;
        if (child + 1 < rank && load<f64>(heap + ((child + 1) << 3)) < load<f64>(heap + (child << 3)))
          child++;
        const below = load<f64>(heap + (child << 3));
        if (below >= value) break;
        store<f64>(heap + (parent << 3), below);
        parent = child;
      }
      store<f64>(heap + (parent << 3), value);
    }
  }
  release(heap);
  return load<f64>(heap);
}

/**
 * Ends the first pass: writes the notes that reach `least` to `notes`, those whose head holds every word to `named`,
 * each list behind its length, and cleans the scratch.
 */
export function endSweep(least: f64, words: u32, notes: usize, named: usize): void {
  let kept: u32 = 0;
  let called: u32 = 0;
  for (let i: u32 = 0; i < foundCount; i++) {
    const note = load<u32>(found + (i << 2));
    if (load<f64>(score + (note << 3)) >= least) store<u32>(notes + (++kept << 2), note);
    if (load<u32>(headHits + (note << 2)) === words) store<u32>(named + (++called << 2), note);
    store<f64>(score + (note << 3), 0);
    store<u32>(headHits + (note << 2), 0);
  }
  store<u32>(notes, kept);
  store<u32>(named, called);
  foundCount = 0;
}

// Second pass: notes chosen for full scoring, with what every word has in each of their passages.

let chosen: usize = 0;
let chosenCount: u32 = 0;
/** By place among the chosen: its first passage, and where its passages begin in the arrays below. */
export let firsts: usize = 0;
export let offsets: usize = 0;
let passagesOfChosen: u32 = 0;
let wordCount: u32 = 0;
/** One after another for each word: by passage, and `heads` by chosen note. */
let bodies: usize = 0;
let headings: usize = 0;
let heads: usize = 0;

/** Results: by chosen note, `amounts` by word and chosen note, `passageScores` by passage, below 0 without a word. */
export let sums: usize = 0;
export let covered: usize = 0;
export let passageCovered: usize = 0;
export let amounts: usize = 0;
export let passageScores: usize = 0;

/** `notes` is the address of the chosen notes' numbers, each of them once. */
export function startScoring(notes: usize, count: u32, words: u32): bool {
  chosen = notes;
  chosenCount = count;
  wordCount = words;
  firsts = allocate((<usize>count) << 2);
  offsets = allocate((<usize>count + 1) << 2);
  if (offsets === 0) return false;
  let passages: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const note = load<u32>(notes + (i << 2));
    store<u32>(slotOf + (note << 2), i + 1);
    store<u32>(firsts + (i << 2), load<u32>(firstPassage + (note << 2)));
    store<u32>(offsets + (i << 2), passages);
    passages += load<u32>(passageCount + (note << 2));
  }
  store<u32>(offsets + (count << 2), passages);
  passagesOfChosen = passages;
  bodies = allocate((<usize>passages * words) << 3);
  headings = allocate((<usize>passages * words) << 3);
  heads = allocate((<usize>count * words) << 3);
  sums = allocate((<usize>count) << 3);
  covered = allocate((<usize>count) << 3);
  passageCovered = allocate((<usize>count) << 3);
  amounts = allocate((<usize>count * words) << 3);
  passageScores = allocate((<usize>passages) << 3);
  return bodies !== 0 && headings !== 0 && heads !== 0 && amounts !== 0 && passageScores !== 0;
}

/** Adds up one run of a word's postings in the chosen notes. */
export function scoreRun(word: u32, start: usize, end: usize, before: u32, share: f64): void {
  const ofBodies = bodies + ((<usize>word * passagesOfChosen) << 3);
  const ofHeadings = headings + ((<usize>word * passagesOfChosen) << 3);
  const ofHeads = heads + ((<usize>word * chosenCount) << 3);
  at = start;
  passage = before;
  let note: u32 = 0;
  let slot: u32 = 0;
  let base: u32 = 0;
  let first: u32 = 0;
  while (at < end) {
    readPosting();
    const owner = ownerOf(passage);
    if (owner !== note) {
      note = owner;
      slot = load<u32>(slotOf + (note << 2));
      if (slot !== 0) {
        first = load<u32>(firstPassage + (note << 2));
        base = load<u32>(offsets + ((slot - 1) << 2));
      }
    }
    if (slot === 0) continue;
    const place = (<usize>(base + passage - first)) << 3;
    store<f64>(ofBodies + place, load<f64>(ofBodies + place) + share * <f64>inBody);
    if (mask === 0) continue;
    store<f64>(ofHeadings + place, max<f64>(load<f64>(ofHeadings + place), share * <f64>countOf(1)));
    const ofHead = ofHeads + ((<usize>(slot - 1)) << 3);
    store<f64>(ofHead, load<f64>(ofHead) + share * headCount());
  }
}

/** `gains` is the address of the words' gains. The note's passages are compared first, then its words added up. */
export function endScoring(gains: usize): void {
  for (let i: u32 = 0; i < chosenCount; i++) {
    const note = load<u32>(chosen + (i << 2));
    store<u32>(slotOf + (note << 2), 0);
    const best = scorePassages(i, note, gains);
    scoreWords(i, note, best, gains);
  }
}

/** The place of the best passage in its note, 0 for the head: the words stand there alone. */
function scorePassages(i: u32, note: u32, gains: usize): u32 {
  const base = load<u32>(offsets + (i << 2));
  const count = load<u32>(passageCount + (note << 2));
  const first = load<u32>(firstPassage + (note << 2));
  let best: u32 = 0;
  let highest: f64 = -1;
  store<f64>(passageScores + ((<usize>base) << 3), -1);
  for (let p: u32 = 1; p < count; p++) {
    const length = <f64>load<u16>(passageBody + ((first + p) << 1));
    let sum: f64 = 0;
    let isHit = false;
    for (let word: u32 = 0; word < wordCount; word++) {
      const place = (<usize>word * passagesOfChosen + base + p) << 3;
      const ofBody = load<f64>(bodies + place);
      const ofHeading = load<f64>(headings + place);
      if (ofBody + ofHeading > 0) isHit = true;
      const ofHead = load<f64>(heads + ((<usize>word * chosenCount + i) << 3));
      const frequency =
        bodyFrequency(ofBody, length, averagePassage) +
        headingWeight * ofHeading +
        headFrequency(ofHead, note);
      sum += load<f64>(gains + (word << 3)) * saturate(frequency);
    }
    store<f64>(passageScores + ((<usize>base + p) << 3), isHit ? sum : -1);
    if (isHit && sum > highest) {
      highest = sum;
      best = p;
    }
  }
  return best;
}

function scoreWords(i: u32, note: u32, best: u32, gains: usize): void {
  const base = load<u32>(offsets + (i << 2));
  const count = load<u32>(passageCount + (note << 2));
  const first = load<u32>(firstPassage + (note << 2));
  const length = <f64>load<u32>(bodyLength + (note << 2));
  let sum: f64 = 0;
  let ofNote: f64 = 0;
  let ofBest: f64 = 0;
  for (let word: u32 = 0; word < wordCount; word++) {
    const places = (<usize>word * passagesOfChosen + base) << 3;
    let allBody: f64 = 0;
    let ofHeading: f64 = 0;
    for (let p: u32 = 0; p < count; p++) {
      allBody += load<f64>(bodies + places + (p << 3));
      ofHeading = max<f64>(ofHeading, load<f64>(headings + places + (p << 3)));
    }
    const ofHead = load<f64>(heads + ((<usize>word * chosenCount + i) << 3));
    const inHead = headFrequency(ofHead, note);
    const whole = saturate(bodyFrequency(allBody, length, averageBody) + headingWeight * ofHeading + inHead);
    const bestBody = load<f64>(bodies + places + (best << 3));
    const bestHeading = load<f64>(headings + places + (best << 3));
    let inBest = whole;
    if (best !== 0) {
      const ofPassage = <f64>load<u16>(passageBody + ((first + best) << 1));
      inBest = saturate(
        bodyFrequency(bestBody, ofPassage, averagePassage) + headingWeight * bestHeading + inHead,
      );
    }
    const gain = load<f64>(gains + (word << 3));
    const amount = gain * ((1 - bestPassageShare) * whole + bestPassageShare * inBest);
    store<f64>(amounts + ((<usize>word * chosenCount + i) << 3), amount);
    sum += amount;
    ofNote += gain * min<f64>(1, allBody + ofHead + ofHeading);
    ofBest += gain * min<f64>(1, bestBody + bestHeading + ofHead);
  }
  store<f64>(sums + (i << 3), sum);
  store<f64>(covered + (i << 3), ofNote);
  store<f64>(passageCovered + (i << 3), ofBest);
}
