/** The collection: which note each passage belongs to, and how long they are. Filled by the caller, counted here. */

import { allocate, endCollection, startCollection } from './memory';

// The collection, by passage number.
export let size: u32 = 0;
export let noteOf: usize = 0;
export let passageBody: usize = 0;
export let passageOther: usize = 0;

// By note number.
export let noteLimit: u32 = 0;
export let firstPassage: usize = 0;
export let passageCount: usize = 0;
export let bodyLength: usize = 0;
export let headLength: usize = 0;

// Totals, from which the caller makes the means.
export let textPassages: u32 = 0;
export let totalBody: f64 = 0;
export let totalHead: f64 = 0;

// Scratch by note number, all zero between two queries but `touchedFor`, which only grows.
export let score: usize = 0;
export let body: usize = 0;
export let head: usize = 0;
export let heading: usize = 0;
export let touchedFor: usize = 0;
export let headHits: usize = 0;
export let slotOf: usize = 0;
/** Lists of note numbers. */
export let touched: usize = 0;
export let found: usize = 0;

/** Makes room for a collection; false where memory cannot be had. Then its three arrays are to be filled. */
export function openCollection(passages: u32): bool {
  startCollection();
  size = passages;
  noteOf = allocate((<usize>passages) << 2);
  passageBody = allocate((<usize>passages) << 1);
  passageOther = allocate((<usize>passages) << 1);
  return noteOf !== 0 && passageBody !== 0 && passageOther !== 0;
}

/** Notes are runs of passages, the head first. */
export function countCollection(): bool {
  let limit: u32 = 1;
  for (let p: u32 = 0; p < size; p++) {
    const note = load<u32>(noteOf + (p << 2));
    if (note >= limit) limit = note + 1;
  }
  noteLimit = limit;
  firstPassage = allocate((<usize>limit) << 2);
  passageCount = allocate((<usize>limit) << 2);
  bodyLength = allocate((<usize>limit) << 2);
  headLength = allocate((<usize>limit) << 2);
  touchedFor = allocate((<usize>limit) << 2);
  headHits = allocate((<usize>limit) << 2);
  slotOf = allocate((<usize>limit) << 2);
  touched = allocate((<usize>limit) << 2);
  found = allocate((<usize>limit) << 2);
  score = allocate((<usize>limit) << 3);
  body = allocate((<usize>limit) << 3);
  head = allocate((<usize>limit) << 3);
  heading = allocate((<usize>limit) << 3);
  if (heading === 0) return false;
  textPassages = 0;
  totalBody = 0;
  totalHead = 0;
  for (let p: u32 = 0; p < size; ) {
    const note = load<u32>(noteOf + (p << 2));
    const first = p;
    let terms: u32 = 0;
    do {
      terms += load<u16>(passageBody + (p << 1));
      p++;
    } while (p < size && load<u32>(noteOf + (p << 2)) === note);
    if (note === 0) continue;
    const headTerms = <u32>load<u16>(passageOther + (first << 1));
    store<u32>(firstPassage + (note << 2), first);
    store<u32>(passageCount + (note << 2), p - first);
    store<u32>(bodyLength + (note << 2), terms);
    store<u32>(headLength + (note << 2), headTerms);
    textPassages += p - first - 1;
    totalBody += <f64>terms;
    totalHead += <f64>headTerms;
  }
  endCollection();
  return true;
}
