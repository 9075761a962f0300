/**
 * Vectors of passages, compared with a query's. A vector is a row of signed bytes, of which only the direction counts;
 * passages find theirs by key, so that the rows may come in any order, and be too many or too few.
 */

import { firstPassage, noteLimit, noteOf, passageCount, size } from './collection';
import { allocate, endVectors, release, startVectors } from './memory';

const KEY_BYTES: u32 = 8;
/** Rows come in blocks: first the keys of a block, then its vectors. */
const BLOCK: u32 = 1024;
/** What SIMD takes at a time. */
const STEP: u32 = 16;

let rowCount: u32 = 0;
let dimensions: u32 = 0;
let blockBytes: u32 = 0;
/** To be filled by the caller, `rowsLength` bytes. */
export let rows: usize = 0;
export let rowsLength: u32 = 0;
/** How many whole numbers of two bytes a query has: the dimensions, and zeros up to a full step. */
export let queryLength: u32 = 0;
/** 1 / length, by row; 0 for a row of zeros. */
let inverse: usize = 0;
/** By passage: the number of its row plus one, 0 for none. */
let rowOf: usize = 0;
/** By note: cosine of its best passage, -2 without one; and that passage. */
export let cosines: usize = 0;
export let bestPassages: usize = 0;

/** To be filled by the caller, and given back by `matchVectors`. */
export let passageKeys: usize = 0;

/** Notes that have a vector, the mean of their cosines and its deviation, after a comparison. */
export let compared: u32 = 0;
export let mean: f64 = 0;
export let deviation: f64 = 0;
/** Live passages that have no vector. */
export let pending: u32 = 0;

/** Makes room; false where memory cannot be had. */
export function openVectors(count: u32, width: u32): bool {
  startVectors();
  rowCount = count;
  dimensions = width;
  blockBytes = BLOCK * (KEY_BYTES + dimensions);
  queryLength = (dimensions + STEP - 1) & ~(STEP - 1);
  rowsLength = ((count + BLOCK - 1) / BLOCK) * blockBytes;
  // The last step of the last row may read beyond it; what it reads is multiplied by the query's zeros.
  rows = allocate(<usize>rowsLength + STEP);
  inverse = allocate((<usize>count) << 2);
  rowOf = allocate((<usize>size) << 2);
  cosines = allocate((<usize>noteLimit) << 3);
  bestPassages = allocate((<usize>noteLimit) << 2);
  passageKeys = allocate(<usize>size * KEY_BYTES);
  return rows !== 0 && inverse !== 0 && rowOf !== 0 && cosines !== 0 && passageKeys !== 0;
}

function keyOf(row: u32): u64 {
  return load<u64>(rows + (row / BLOCK) * blockBytes + (row % BLOCK) * KEY_BYTES);
}

function vectorAt(row: u32): usize {
  return rows + (row / BLOCK) * blockBytes + BLOCK * KEY_BYTES + (row % BLOCK) * dimensions;
}

/** Gives each passage its row. Of rows with one key the last counts. */
export function matchVectors(): bool {
  let capacity: u32 = 16;
  while (capacity < rowCount * 2) capacity <<= 1;
  const table = allocate((<usize>capacity) << 2);
  if (table === 0) return false;
  const last = capacity - 1;
  for (let row: u32 = 0; row < rowCount; row++) {
    store<f32>(inverse + (row << 2), inverseLength(vectorAt(row)));
    const key = keyOf(row);
    let slot = <u32>key & last;
    while (true) {
      const taken = load<u32>(table + (slot << 2));
      if (taken === 0 || keyOf(taken - 1) === key) break;
      slot = (slot + 1) & last;
    }
    store<u32>(table + (slot << 2), row + 1);
  }
  pending = 0;
  for (let passage: u32 = 0; passage < size; passage++) {
    const key = load<u64>(passageKeys + passage * KEY_BYTES);
    // Heads, and passages that are gone.
    if (key === 0 || load<u32>(noteOf + (passage << 2)) === 0) continue;
    let slot = <u32>key & last;
    while (true) {
      const taken = load<u32>(table + (slot << 2));
      if (taken === 0) {
        pending++;
        break;
      }
      if (keyOf(taken - 1) === key) {
        store<u32>(rowOf + (passage << 2), taken);
        break;
      }
      slot = (slot + 1) & last;
    }
  }
  release(passageKeys);
  endVectors();
  return true;
}

function inverseLength(vector: usize): f32 {
  let sum: i32 = 0;
  let at: u32 = 0;
  if (dimensions >= STEP) {
    let four = i32x4.splat(0);
    for (; at <= dimensions - STEP; at += STEP) {
      const bytes = v128.load(vector + at);
      const low = i16x8.extend_low_i8x16_s(bytes);
      const high = i16x8.extend_high_i8x16_s(bytes);
      four = i32x4.add(four, i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high)));
    }
    sum = sumOf(four);
  }
  for (; at < dimensions; at++) {
    const component = <i32>load<i8>(vector + at);
    sum += component * component;
  }
  return sum > 0 ? <f32>(1 / Math.sqrt(<f64>sum)) : 0;
}

function sumOf(four: v128): i32 {
  return (
    i32x4.extract_lane(four, 0) +
    i32x4.extract_lane(four, 1) +
    i32x4.extract_lane(four, 2) +
    i32x4.extract_lane(four, 3)
  );
}

/**
 * Compares a query with all notes. `query` is the address of `queryLength` whole numbers of two bytes, the query's
 * vector times `1 / unit`.
 */
export function compareVectors(query: usize, unit: f64): void {
  let sum: f64 = 0;
  let squares: f64 = 0;
  compared = 0;
  for (let note: u32 = 0; note < noteLimit; note++) {
    const first = load<u32>(firstPassage + (note << 2));
    const end = first + load<u32>(passageCount + (note << 2));
    let highest: f64 = -2;
    let best = first;
    for (let passage = first; passage < end; passage++) {
      const row = load<u32>(rowOf + (passage << 2));
      if (row === 0) continue;
      const cosine = unit * <f64>dot(query, vectorAt(row - 1)) * <f64>load<f32>(inverse + ((row - 1) << 2));
      if (cosine > highest) {
        highest = cosine;
        best = passage;
      }
    }
    store<f64>(cosines + (note << 3), highest);
    store<u32>(bestPassages + (note << 2), best);
    if (highest < -1.5) continue;
    compared++;
    sum += highest;
    squares += highest * highest;
  }
  mean = compared === 0 ? 0 : sum / <f64>compared;
  deviation = compared === 0 ? 0 : Math.sqrt(max<f64>(0, squares / <f64>compared - mean * mean));
}

function dot(query: usize, row: usize): i32 {
  let sum = i32x4.splat(0);
  for (let at: u32 = 0; at < queryLength; at += STEP) {
    const bytes = v128.load(row + at);
    const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(bytes), v128.load(query + 2 * at));
    const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(bytes), v128.load(query + 2 * at + 16));
    sum = i32x4.add(sum, i32x4.add(low, high));
  }
  return sumOf(sum);
}

/** Adds a passage's vector, made as long as `weight`, to `dimensions` doubles at `sums`; false where it has none. */
export function addVector(passage: u32, weight: f64, sums: usize): bool {
  const row = passage < size ? load<u32>(rowOf + (passage << 2)) : 0;
  if (row === 0) return false;
  const from = vectorAt(row - 1);
  const scale = weight * <f64>load<f32>(inverse + ((row - 1) << 2));
  for (let at: u32 = 0; at < dimensions; at++) {
    const place = sums + (at << 3);
    store<f64>(place, load<f64>(place) + scale * <f64>load<i8>(from + at));
  }
  return true;
}

/**
 * The notes with the highest cosines of at least `least`, at most `count`, in no order: written to `notes` behind
 * their number. `allowed` is the address of a byte for each note, 0 where every note may be found.
 */
export function closestNotes(count: u32, least: f64, allowed: usize, notes: usize): void {
  let kept: u32 = 0;
  for (let note: u32 = 1; note < noteLimit; note++) {
    const cosine = load<f64>(cosines + (note << 3));
    if (cosine < least || (allowed !== 0 && load<u8>(allowed + note) === 0)) continue;
    // A heap, the least of the kept on top.
    if (kept < count) {
      let child = kept++;
      while (child > 0) {
        const parent = (child - 1) >> 1;
        const above = load<u32>(notes + ((parent + 1) << 2));
        if (load<f64>(cosines + (above << 3)) <= cosine) break;
        store<u32>(notes + ((child + 1) << 2), above);
        child = parent;
      }
      store<u32>(notes + ((child + 1) << 2), note);
    } else if (kept > 0 && cosine > load<f64>(cosines + (load<u32>(notes + 4) << 3))) {
      let parent: u32 = 0;
      while (true) {
        let child = (parent << 1) + 1;
        if (child >= kept) break;
        if (
          child + 1 < kept &&
          load<f64>(cosines + (load<u32>(notes + ((child + 2) << 2)) << 3)) <
            load<f64>(cosines + (load<u32>(notes + ((child + 1) << 2)) << 3))
        ) {
          child++;
        }
        const below = load<u32>(notes + ((child + 1) << 2));
        if (load<f64>(cosines + (below << 3)) >= cosine) break;
        store<u32>(notes + ((parent + 1) << 2), below);
        parent = child;
      }
      store<u32>(notes + ((parent + 1) << 2), note);
    }
  }
  store<u32>(notes, kept);
}
