/**
 * The memory of the kernel: one collection with its vectors at a time, and above it what one query needs, given back
 * by `startQuery`. Addresses are bytes from the start of the memory.
 */

// The first bytes stay free, so that no array has the address 0.
const START: usize = 64;
let top: usize = START;
let collectionEnd: usize = START;
let queryStart: usize = START;
/** From here on the memory is as it came: zero. */
let untouched: usize = START;

/** Room for `size` bytes, all zero, at an address that any number may have; 0 where there is no memory. */
export function allocate(size: usize): usize {
  const at = top;
  top = (top + size + 15) & ~15;
  const missing = <isize>top - ((<isize>memory.size()) << 16);
  if (missing > 0 && memory.grow(<i32>((missing + 0xffff) >> 16)) < 0) return 0;
  if (at < untouched) memory.fill(at, 0, min<usize>(size, untouched - at));
  untouched = max<usize>(untouched, top);
  return at;
}

/** Gives back what was allocated last, from this address on. Its content holds until the next allocation. */
export function release(address: usize): void {
  top = address;
}

/** Forgets everything. */
export function startCollection(): void {
  top = START;
}

/** What is allocated so far stays until the next collection. */
export function endCollection(): void {
  collectionEnd = top;
  queryStart = top;
}

/** Forgets the vectors, and what came after them. */
export function startVectors(): void {
  top = collectionEnd;
}

/** What is allocated so far stays until other vectors come. */
export function endVectors(): void {
  queryStart = top;
}

/** Forgets all that was allocated for the query before. */
export function startQuery(): void {
  top = queryStart;
}
