/**
 * The model of the static embedder in the kernel's memory, and finding the rows of words in it. What is done with them
 * is in embedding.ts. There is room for the whole model from the start, which costs nothing until it is written to: rows
 * may be filled in one by one, each where it lies in the complete table.
 */

// The first bytes stay free, so that no array has the address 0.
let top: usize = 64;

/** Room for `size` bytes, all zero, once the memory reaches so far. */
export function allocate(size: usize): usize {
  const at = top;
  top = (top + size + 15) & ~15;
  return at;
}

/** Makes the memory reach `end`; false where it cannot be had. */
export function reach(end: usize): bool {
  const missing = <isize>end - ((<isize>memory.size()) << 16);
  return missing <= 0 || memory.grow(<i32>((missing + 0xffff) >> 16)) >= 0;
}

// The model, by row number: both files as they are, each with its header.
let words: u32 = 0;
export let vocabulary: usize = 0;
export let vectors: usize = 0;
/** One more than the words; the letters follow them. */
let offsets: usize = 0;
let letters: usize = 0;
export let scales: usize = 0;
export let rows: usize = 0;
let longest: u32 = 0;

// Row numbers plus one by the hash of their words, once they are wanted.
let slots: usize = 0;
let slotMask: u32 = 0;
let isIndexed: bool = false;

export function openWords(ofWords: u32, dimensions: u32, vocabularyBytes: u32): void {
  words = ofWords;
  vocabulary = allocate(vocabularyBytes);
  offsets = vocabulary + 8;
  letters = offsets + ((<usize>words + 1) << 2);
  vectors = allocate(12 + ((<usize>words) << 2) + <usize>words * dimensions);
  scales = vectors + 12;
  rows = scales + ((<usize>words) << 2);
  let size: u32 = 16;
  while (size < words * 2) size <<= 1;
  slotMask = size - 1;
  slots = allocate((<usize>size) << 2);
}

/** False where offsets lead outside the letters. */
export function checkWords(letterBytes: u32): bool {
  longest = 0;
  if (load<u32>(offsets) !== 0) return false;
  let row: u32 = 0;
  // Four at a time: one by one it is a tenth of what opening the model takes.
  let longestOfFour = i32x4.splat(0);
  for (; row + 4 <= words; row += 4) {
    const starts = v128.load(offsets + (row << 2));
    const ends = v128.load(offsets + (row << 2), 4);
    if (!i32x4.all_true(i32x4.ge_u(ends, starts))) return false;
    longestOfFour = i32x4.max_u(longestOfFour, i32x4.sub(ends, starts));
  }
  for (; row < words; row++) {
    const start = load<u32>(offsets + (row << 2));
    const end = load<u32>(offsets + (row << 2), 4);
    if (end < start) return false;
    longest = max<u32>(longest, end - start);
  }
  longest = max<u32>(longest, i32x4.extract_lane(longestOfFour, 0));
  longest = max<u32>(longest, i32x4.extract_lane(longestOfFour, 1));
  longest = max<u32>(longest, i32x4.extract_lane(longestOfFour, 2));
  longest = max<u32>(longest, i32x4.extract_lane(longestOfFour, 3));
  return load<u32>(offsets + (words << 2)) === letterBytes;
}

/** From now on words are found by hash, which pays for itself after some thousand of them. */
export function indexWords(): void {
  for (let row: u32 = 0; row < words; row++) {
    const start = load<u32>(offsets + (row << 2));
    const length = load<u32>(offsets + (row << 2) + 4) - start;
    let slot = hashOf(letters + start, length) & slotMask;
    while (load<u32>(slots + (slot << 2)) !== 0) slot = (slot + 1) & slotMask;
    store<u32>(slots + (slot << 2), row + 1);
  }
  isIndexed = true;
}

export function hashOf(at: usize, length: u32): u32 {
  let hash: u32 = 0x811c9dc5;
  for (const end = at + length; at < end; at++) hash = (hash ^ load<u8>(at)) * 0x01000193;
  return hash ^ (hash >>> 15);
}

/** Below zero, zero or above, as the row's word comes before, is, or comes after the one at `at`. */
function compareWord(row: u32, at: usize, length: u32): i32 {
  const start = load<u32>(offsets + (row << 2));
  const rowLength = load<u32>(offsets + (row << 2) + 4) - start;
  const shared = min<u32>(rowLength, length);
  for (let i: u32 = 0; i < shared; i++) {
    const difference = <i32>load<u8>(letters + start + i) - <i32>load<u8>(at + i);
    if (difference !== 0) return difference;
  }
  return <i32>rowLength - <i32>length;
}

function find(at: usize, length: u32): i32 {
  if (length > longest) return -1;
  if (isIndexed) {
    let slot = hashOf(at, length) & slotMask;
    while (true) {
      const row = load<u32>(slots + (slot << 2));
      if (row === 0) return -1;
      if (compareWord(row - 1, at, length) === 0) return <i32>row - 1;
      slot = (slot + 1) & slotMask;
    }
  }
  let low: u32 = 0;
  let high = words;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareWord(middle, at, length);
    if (order === 0) return <i32>middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

const LEAST_STEM: u32 = 3;

/** Without an ending of `lost` letters, whose stem must have three. */
function findStem(at: usize, length: u32, lost: u32): i32 {
  return length >= lost + LEAST_STEM ? find(at, length - lost) : -1;
}

/** The row of a word; else without the first of the endings s, es, ed, d, ing, ly, er, ers that leaves a known one. */
export function rowOf(at: usize, length: u32): i32 {
  let row = find(at, length);
  if (row >= 0 || length <= LEAST_STEM) return row;
  const end = at + length;
  const last = load<u8>(end - 1);
  const second = load<u8>(end - 2);
  const third = load<u8>(end - 3);
  if (last === 0x73 /* s */) {
    row = findStem(at, length, 1);
    if (row < 0 && second === 0x65 /* e */) row = findStem(at, length, 2);
    if (row < 0 && second === 0x72 /* r */ && third === 0x65) row = findStem(at, length, 3);
  } else if (last === 0x64 /* d */) {
    if (second === 0x65) row = findStem(at, length, 2);
    if (row < 0) row = findStem(at, length, 1);
  } else if (last === 0x67 /* g */) {
    if (second === 0x6e /* n */ && third === 0x69 /* i */) row = findStem(at, length, 3);
  } else if (last === 0x79 /* y */) {
    if (second === 0x6c /* l */) row = findStem(at, length, 2);
  } else if (last === 0x72) {
    if (second === 0x65) row = findStem(at, length, 2);
  }
  return row;
}
