/**
 * The kernel of the static embedder, in AssemblyScript: from the bytes of a text to its direction, by splitting it into
 * words, looking them up, adding up their rows, quantising. It runs at full speed from its first iteration, which a
 * query of a process that has just started needs. src/adapters/embedders/static-table.ts fills its memory,
 * static-files.ts there knows the format; `npm run kernel` compiles this into kernel-code.ts there. The model itself,
 * and finding words in it, is in word-table.ts.
 */

import { allocate, hashOf, openWords, reach, rowOf, rows, scales } from './word-table';

export { checkWords, indexWords, vectors, vocabulary } from './word-table';

let dimensions: u32 = 0;

// The text at hand: how often each row occurs (all zero between two texts) and which do, in order of occurrence.
let counts: usize = 0;
export let found: usize = 0;
export let foundCount: u32 = 0;
/** Of the rows found: weight, and address. */
let parts: usize = 0;
let sums: usize = 0;
/** Where results are left: at length 1, and in signed bytes. */
export let direction: usize = 0;
export let bytes: usize = 0;
/** Where texts are put; the memory ends behind them. */
export let text: usize = 0;

/** Makes room for a model, and for its files; false where memory cannot be had. */
export function openModel(words: u32, ofDimensions: u32, vocabularyBytes: u32): bool {
  dimensions = ofDimensions;
  openWords(words, dimensions, vocabularyBytes);
  counts = allocate((<usize>words) << 2);
  found = allocate((<usize>words) << 2);
  parts = allocate((<usize>words) << 4);
  sums = allocate((<usize>dimensions) << 3);
  direction = allocate((<usize>dimensions) << 2);
  bytes = allocate(dimensions);
  logarithms = allocate(REMEMBERED << 3);
  text = allocate(0);
  return reach(text);
}

/** Room for a text of so many bytes; false where there is none. */
export function makeRoom(size: u32): bool {
  return reach(text + size);
}

// The different words of a query: where each is and how long, by hash.
let seen: usize = 0;
let seenMask: u32 = 0;
export let seenCount: u32 = 0;
export let knownCount: u32 = 0;

const LONGEST_QUERY: u32 = 1 << 26;

/** For a text that is there already: makes the next reading tell words apart. False where there is no room for it. */
export function startCounting(length: u32): bool {
  if (length > LONGEST_QUERY) return false;
  seenCount = 0;
  knownCount = 0;
  let size: u32 = 16;
  while (size < length) size <<= 1;
  seenMask = size - 1;
  seen = (text + length + 15) & ~15;
  if (!reach(seen + ((<usize>size) << 3))) return false;
  memory.fill(seen, 0, (<usize>size) << 3);
  return true;
}

function countSeen(at: usize, length: u32, isKnown: bool): void {
  let slot = hashOf(at, length) & seenMask;
  while (true) {
    const place = seen + ((<usize>slot) << 3);
    const other = <usize>load<u32>(place);
    if (other === 0) {
      store<u32>(place, <u32>at);
      store<u32>(place + 4, length);
      seenCount++;
      if (isKnown) knownCount++;
      return;
    }
    if (load<u32>(place + 4) === length && memory.compare(other, at, length) === 0) return;
    slot = (slot + 1) & seenMask;
  }
}

/** The letter or digit, lower-cased; 0 for any other byte. */
function characterOf(byte: u32): u32 {
  const lower = byte | 0x20;
  if (lower - 0x61 < 26) return lower;
  return byte - 0x30 < 10 ? byte : 0;
}

/** Splits the text into words and counts their rows; after `startCounting`, the words too. */
export function readWords(textLength: u32, isCounting: bool): void {
  foundCount = 0;
  const end = text + textLength;
  let at = text;
  while (at < end) {
    let character = characterOf(load<u8>(at));
    if (character === 0) {
      at++;
      continue;
    }
    const start = at;
    do {
      store<u8>(at++, <u8>character);
      character = at < end ? characterOf(load<u8>(at)) : 0;
    } while (character !== 0);
    const length = <u32>(at - start);
    const row = rowOf(start, length);
    if (row >= 0) countRow(row);
    if (isCounting) countSeen(start, length, row >= 0);
  }
}

function countRow(row: u32): void {
  const place = counts + ((<usize>row) << 2);
  const count = load<u32>(place);
  if (count === 0) {
    store<u32>(found + ((<usize>foundCount) << 2), row);
    foundCount++;
  }
  store<u32>(place, count + 1);
}

/** Adds up the rows that were found, in order of occurrence, each with 1 + ln of its count; and cleans the counts. */
export function addUp(): void {
  for (let i: u32 = 0; i < foundCount; i++) {
    const row = <usize>load<u32>(found + ((<usize>i) << 2));
    const count = load<u32>(counts + (row << 2));
    store<u32>(counts + (row << 2), 0);
    const scale = <f64>load<f32>(scales + (row << 2));
    const part = parts + ((<usize>i) << 4);
    store<f64>(part, count > 1 ? (1 + ln(count)) * scale : scale);
    store<u32>(part + 8, <u32>(rows + row * dimensions));
  }
  let d: u32 = 0;
  for (; d + BLOCK <= dimensions; d += BLOCK) addBlock(d);
  for (; d < dimensions; d++) addOne(d);
}

const BLOCK: u32 = 8;

/** Of all rows, so many dimensions at a time, whose sums stay out of the memory meanwhile. */
function addBlock(d: u32): void {
  let first = f64x2.splat(0);
  let second = f64x2.splat(0);
  let third = f64x2.splat(0);
  let fourth = f64x2.splat(0);
  for (let part = parts, end = parts + ((<usize>foundCount) << 4); part < end; part += 16) {
    const weights = v128.load_splat<f64>(part);
    const eight = v128.load_ext<i8>(<usize>load<u32>(part + 8) + d);
    const low = v128.extend_low<i16>(eight);
    const high = v128.extend_high<i16>(eight);
    first = f64x2.add(first, f64x2.mul(f64x2.convert_low_i32x4_s(low), weights));
    second = f64x2.add(
      second,
      f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i64>(low, low, 1, 0)), weights),
    );
    third = f64x2.add(third, f64x2.mul(f64x2.convert_low_i32x4_s(high), weights));
    fourth = f64x2.add(
      fourth,
      f64x2.mul(f64x2.convert_low_i32x4_s(v128.shuffle<i64>(high, high, 1, 0)), weights),
    );
  }
  const sum = sums + ((<usize>d) << 3);
  v128.store(sum, first);
  v128.store(sum, second, 16);
  v128.store(sum, third, 32);
  v128.store(sum, fourth, 48);
}

function addOne(d: u32): void {
  let sum: f64 = 0;
  for (let part = parts, end = parts + ((<usize>foundCount) << 4); part < end; part += 16) {
    sum += load<f64>(part) * <f64>load<i8>(<usize>load<u32>(part + 8) + d);
  }
  store<f64>(sums + ((<usize>d) << 3), sum);
}

const REMEMBERED: u32 = 64;

/** Logarithms of small counts, once they were needed. */
let logarithms: usize = 0;

/**
 * Natural logarithm of a count above 1: with count = m * 2^e it is e ln 2 + 2 artanh((m - 1) / (m + 1)). A library's
 * may differ in its last bit from one machine to another; this is the same everywhere.
 */
function ln(count: u32): f64 {
  const place = logarithms + ((<usize>count) << 3);
  if (count < REMEMBERED && load<f64>(place) !== 0) return load<f64>(place);
  let exponent = 31 - clz<u32>(count);
  let rest = <f64>count / <f64>((<u32>1) << exponent);
  if (rest > Math.SQRT2) {
    rest /= 2;
    exponent++;
  }
  const s = (rest - 1) / (rest + 1);
  let series: f64 = 0;
  for (let k: f64 = 23; k > 0; k -= 2) series = series * s * s + 1 / k;
  const result = <f64>exponent * Math.LN2 + 2 * s * series;
  if (count < REMEMBERED) store<f64>(place, result);
  return result;
}

/** Writes the sum to `bytes`, the largest component ±127; all zero where nothing was found. */
export function writeBytes(): void {
  let largest: f64 = 0;
  for (let d: u32 = 0; d < dimensions; d++) {
    const size = abs<f64>(load<f64>(sums + (d << 3)));
    if (size > largest) largest = size;
  }
  const scale: f64 = largest > 0 ? 127 / largest : 0;
  for (let d: u32 = 0; d < dimensions; d++) {
    store<i8>(bytes + d, <i8>nearest<f64>(load<f64>(sums + (d << 3)) * scale));
  }
}

/** Writes the sum at length 1 to `direction`; all zero where nothing was found. */
export function writeDirection(): void {
  let squares: f64 = 0;
  for (let d: u32 = 0; d < dimensions; d++) {
    const value = load<f64>(sums + (d << 3));
    squares += value * value;
  }
  const length = sqrt<f64>(squares);
  const isDirection = length > 0 && length < Infinity;
  for (let d: u32 = 0; d < dimensions; d++) {
    store<f32>(direction + (d << 2), isDirection ? <f32>(load<f64>(sums + (d << 3)) / length) : 0);
  }
}
