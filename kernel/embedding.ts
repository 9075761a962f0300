/**
 * From the bytes of a text to its direction, in AssemblyScript: splitting into words, looking them up, adding up their
 * rows, quantising. Like kernel/ranking.ts it runs at full speed from its first iteration. The formats are those of
 * src/adapters/embedders/static-model.ts, which fills the memory; `npm run kernel` compiles this into kernel-code.ts
 * there.
 *
 * The memory has room for the whole model from the start, which costs nothing until it is written to: rows may be
 * filled in one by one, each where it would lie in the complete table.
 */

/** Math.log, which is one piece of software in every build of V8. */
@external('math', 'log')
declare function ln(value: f64): f64;

// The first bytes stay free, so that no array has the address 0.
let top: usize = 64;

function allocate(size: usize): usize {
  const at = top;
  top = (top + size + 15) & ~15;
  return at;
}

/** Makes the memory reach `end`; false where it cannot be had. */
function reach(end: usize): bool {
  const missing = <isize>end - ((<isize>memory.size()) << 16);
  return missing <= 0 || memory.grow(<i32>((missing + 0xffff) >> 16)) >= 0;
}

// The model, by row number. The offsets are one more than the words, and the letters follow them.
let words: u32 = 0;
let dimensions: u32 = 0;
export let offsets: usize = 0;
let letters: usize = 0;
export let scales: usize = 0;
export let rows: usize = 0;
let longest: u32 = 0;

// Row numbers plus one by the hash of their words, once they are wanted.
let slots: usize = 0;
let slotMask: u32 = 0;
let isIndexed: bool = false;

// The text at hand: how often each row occurs (all zero between two texts) and which do, in order of occurrence.
let counts: usize = 0;
export let found: usize = 0;
export let foundCount: u32 = 0;
let sums: usize = 0;
/** Where a direction is left. */
export let direction: usize = 0;
/** Where texts are put; the memory ends behind them. */
export let text: usize = 0;

/** Makes room for a model of so many words, dimensions and bytes of letters; false where memory cannot be had. */
export function openModel(ofWords: u32, ofDimensions: u32, ofLetters: u32): bool {
  words = ofWords;
  dimensions = ofDimensions;
  offsets = allocate((<usize>words + 1) << 2);
  // No gap: offsets and letters are one piece of the file.
  top = offsets + ((<usize>words + 1) << 2);
  letters = allocate(ofLetters);
  scales = allocate((<usize>words) << 2);
  rows = allocate(<usize>words * dimensions);
  let size: u32 = 16;
  while (size < words * 2) size <<= 1;
  slotMask = size - 1;
  slots = allocate((<usize>size) << 2);
  counts = allocate((<usize>words) << 2);
  found = allocate((<usize>words) << 2);
  sums = allocate((<usize>dimensions) << 3);
  direction = allocate((<usize>dimensions) << 2);
  text = top;
  return reach(top);
}

/** False where offsets lead outside the letters. */
export function checkWords(ofLetters: u32): bool {
  let before: u32 = 0;
  longest = 0;
  if (load<u32>(offsets) !== 0) return false;
  for (let row: u32 = 1; row <= words; row++) {
    const offset = load<u32>(offsets + (row << 2));
    if (offset < before) return false;
    longest = max<u32>(longest, offset - before);
    before = offset;
  }
  return before === ofLetters;
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

function hashOf(at: usize, length: u32): u32 {
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
function rowOf(at: usize, length: u32): i32 {
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

/** Room for a text of at most so many bytes, and as much as `readQuery` needs behind it; false where there is none. */
export function makeRoom(bytes: u32): bool {
  return reach(text + bytes + 16);
}

/** The letter or digit, lower-cased; 0 for any other byte. */
function characterOf(byte: u32): u32 {
  const lower = byte | 0x20;
  if (lower - 0x61 < 26) return lower;
  return byte - 0x30 < 10 ? byte : 0;
}

/** Splits a text into words and counts their rows. */
export function readPassage(bytes: u32): void {
  foundCount = 0;
  const end = text + bytes;
  let at = text;
  while (at < end) {
    let character = characterOf(load<u8>(at));
    if (character === 0) {
      at++;
      continue;
    }
    const start = at;
    do {
      store<u8>(at++, character);
      character = at < end ? characterOf(load<u8>(at)) : 0;
    } while (character !== 0);
    countWord(start, <u32>(at - start));
  }
}

function countWord(at: usize, length: u32): bool {
  const row = rowOf(at, length);
  if (row < 0) return false;
  const place = counts + (<usize>row << 2);
  const count = load<u32>(place);
  if (count === 0) store<u32>(found + ((<usize>foundCount++) << 2), row);
  store<u32>(place, count + 1);
  return true;
}
