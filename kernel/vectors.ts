/**
 * Vectors of passages, compared with a query's. A vector is a row of signed bytes or half bytes, of which only the
 * direction counts, and behind them 1 / their length, 0 for a row of zeros; a passage has one or more of them. Passages
 * find theirs by key, so that the rows may come in any order, and be too many or too few.
 *
 * Sixteen bytes hold 16 dimensions, or 32 in half bytes: the first sixteen in their low halves, the others in their
 * high ones.
 */

import { firstPassage, noteLimit, noteOf, passageCount, size } from './collection';
import { allocate, endVectors, release, startVectors } from './memory';

const KEY_BYTES: u32 = 8;
/** Rows come in blocks: first the keys of a block, then its vectors. */
const BLOCK: u32 = 1024;
/** What SIMD takes at a time; rows are padded to it with zeros. */
const STEP_BYTES: u32 = 16;
const LENGTH_BYTES: u32 = 4;
/** Read at once where rows are compared as they come: more touch more memory, fewer call more often. */
const BLOCKS_AT_ONCE: u32 = 4;

let rowCount: u32 = 0;
/** With the length at its end, and without. */
let rowBytes: u32 = 0;
let vectorBytes: u32 = 0;
let blockBytes: u32 = 0;
let isHalved: bool = true;
/** Rows are compared with one query while they are read, and their keys and cosines kept instead of them. */
let isStreamed: bool = false;
let rowKeys: usize = 0;
let rowCosines: usize = 0;
/** The query of the stream, as pairs where the rows are halved. */
let streamQuery: usize = 0;
/** To be filled by the caller, `rowsLength` bytes. */
export let rows: usize = 0;
export let rowsLength: u32 = 0;
/** How many signed bytes a query has: the dimensions, and zeros up to a full step, in the order of a row. */
export let queryLength: u32 = 0;
/** By passage: the number of its last row, and how many it has, which are those before that; 0 for none. */
let rowOf: usize = 0;
let rowsOf: usize = 0;
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

/**
 * Makes room; false where memory cannot be had. `halved`: two dimensions in a byte. `streamed`: for `takeRows`, with room
 * for some blocks instead of all.
 */
export function openVectors(count: u32, bytes: u32, halved: bool, streamed: bool): bool {
  startVectors();
  isStreamed = streamed;
  rowCount = count;
  rowBytes = bytes;
  vectorBytes = bytes - LENGTH_BYTES;
  isHalved = halved;
  blockBytes = BLOCK * (KEY_BYTES + bytes);
  queryLength = halved ? vectorBytes * 2 : vectorBytes;
  const blocks = (count + BLOCK - 1) / BLOCK;
  rowsLength = (streamed ? min(blocks, BLOCKS_AT_ONCE) : blocks) * blockBytes;
  rows = allocate(rowsLength);
  rowKeys = allocate(streamed ? (<usize>count) << 3 : 0);
  rowCosines = allocate(streamed ? (<usize>count) << 3 : 0);
  rowOf = allocate((<usize>size) << 2);
  rowsOf = allocate((<usize>size) << 2);
  cosines = allocate((<usize>noteLimit) << 3);
  bestPassages = allocate((<usize>noteLimit) << 2);
  passageKeys = allocate(<usize>size * KEY_BYTES);
  return rows !== 0 && rowsOf !== 0 && cosines !== 0 && passageKeys !== 0;
}

/**
 * Takes the rows from this one on that the caller has put at `rows`. `query` is the address of what `compareVectors` will
 * get, with `unit`.
 */
export function takeRows(first: u32, query: usize, unit: f64): void {
  if (first === 0) streamQuery = isHalved ? widenQuery(query) : query;
  const count = min(rowCount - first, BLOCKS_AT_ONCE * BLOCK);
  for (let row: u32 = 0; row < count; row++) {
    const place = (first + row) << 3;
    store<u64>(rowKeys + place, load<u64>(rows + (row / BLOCK) * blockBytes + (row % BLOCK) * KEY_BYTES));
    store<f64>(rowCosines + place, cosineAt(vectorAt(row), streamQuery, unit));
  }
}

function cosineAt(vector: usize, query: usize, unit: f64): f64 {
  const product = isHalved ? dotHalves(query, vector) : dotBytes(query, vector);
  return unit * <f64>product * <f64>load<f32>(vector + vectorBytes);
}

function keyOf(row: u32): u64 {
  return isStreamed
    ? load<u64>(rowKeys + (row << 3))
    : load<u64>(rows + (row / BLOCK) * blockBytes + (row % BLOCK) * KEY_BYTES);
}

function vectorAt(row: u32): usize {
  return rows + (row / BLOCK) * blockBytes + BLOCK * KEY_BYTES + (row % BLOCK) * rowBytes;
}

/** Gives each passage its rows. Of several runs of rows with one key the last counts. */
export function matchVectors(): bool {
  let capacity: u32 = 16;
  // Rows of one passage share a place, so that a third left free is plenty.
  while (capacity < rowCount + (rowCount >> 1)) capacity <<= 1;
  const table = allocate((<usize>capacity) << 2);
  if (table === 0) return false;
  const last = capacity - 1;
  for (let row: u32 = 0; row < rowCount; row++) {
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
        store<u32>(rowOf + (passage << 2), taken - 1);
        store<u32>(rowsOf + (passage << 2), runTo(taken - 1));
        break;
      }
      slot = (slot + 1) & last;
    }
  }
  release(passageKeys);
  endVectors();
  return true;
}

/** How many rows in a row have the key of this one, itself and those before it. */
function runTo(row: u32): u32 {
  const key = keyOf(row);
  let first = row;
  while (first > 0 && keyOf(first - 1) === key) first--;
  return row - first + 1;
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
 * Compares a query with all notes. `query` is the address of `queryLength` signed bytes, the query's vector times
 * `1 / unit`. Streamed rows have been compared with the query that they were read for, and no other.
 */
export function compareVectors(query: usize, unit: f64): void {
  let sum: f64 = 0;
  let squares: f64 = 0;
  compared = 0;
  const asked = isHalved && !isStreamed ? widenQuery(query) : query;
  for (let note: u32 = 0; note < noteLimit; note++) {
    const first = load<u32>(firstPassage + (note << 2));
    const end = first + load<u32>(passageCount + (note << 2));
    let highest: f64 = -2;
    let best = first;
    for (let passage = first; passage < end; passage++) {
      let row = load<u32>(rowOf + (passage << 2));
      for (let left = load<u32>(rowsOf + (passage << 2)); left > 0; left--, row--) {
        const cosine = isStreamed ? load<f64>(rowCosines + (row << 3)) : cosineAt(vectorAt(row), asked, unit);
        if (cosine > highest) {
          highest = cosine;
          best = passage;
        }
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

/** The sum of what `dotHalves` adds for each dimension; it takes it off again. */
let bias: i32 = 0;

/** The query's bytes as pairs, which need not be widened for each row. */
function widenQuery(query: usize): usize {
  const wide = allocate(queryLength << 1);
  bias = 0;
  for (let at: u32 = 0; at < queryLength; at++) {
    const byte = load<i8>(query + at);
    store<i16>(wide + (at << 1), <i16>byte);
    bias += 8 * <i32>byte;
  }
  return wide;
}

/** Half bytes are taken as 0 to 15, eight more than they are, which spares giving them their sign. */
function dotHalves(wide: usize, row: usize): i32 {
  let even = i32x4.splat(0);
  let odd = i32x4.splat(0);
  for (let at: u32 = 0; at < vectorBytes; at += STEP_BYTES) {
    const bytes = v128.xor(v128.load(row + at), i8x16.splat(<i8>0x88));
    const low = v128.and(bytes, i8x16.splat(0x0f));
    const high = v128.and(i16x8.shr_u(bytes, 4), i8x16.splat(0x0f));
    const against = wide + (at << 2);
    even = i32x4.add(even, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(low), v128.load(against)));
    odd = i32x4.add(odd, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(low), v128.load(against, 16)));
    even = i32x4.add(even, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(high), v128.load(against, 32)));
    odd = i32x4.add(odd, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(high), v128.load(against, 48)));
  }
  return sumOf(i32x4.add(even, odd)) - bias;
}

function dotBytes(a: usize, b: usize): i32 {
  let sum = i32x4.splat(0);
  for (let at: u32 = 0; at < vectorBytes; at += STEP_BYTES) {
    const left = v128.load(a + at);
    const right = v128.load(b + at);
    // Sums of two products fit into 16 bits for bytes of at most ±127.
    const products = i16x8.add(i16x8.extmul_low_i8x16_s(left, right), i16x8.extmul_high_i8x16_s(left, right));
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(products));
  }
  return sumOf(sum);
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
