/** The marks of a listing against those of the settled files (ports.ts). */

/** How far a file is looked for behind the last one found: one that is gone, or changed, stands between them. */
const LOOK_AHEAD = 4;
/** More files than this are looked for by a table. */
const FEW_MARKS = 32;
/** Compared as bytes, which in a process that has just started is many times as fast as number by number. */
const MARKS_AT_ONCE = 256;

/**
 * Places of the marks that are not among the others. Both mostly come in one order, that of the walk: making a table of
 * them takes a process that has just started some milliseconds.
 */
export function placesBeside(marks: Float64Array, others: Float64Array): readonly number[] {
  const beside: number[] = [];
  const bytes = bytesOf(marks);
  const otherBytes = bytesOf(others);
  let next = 0;
  for (let start = 0; start < marks.length; start += MARKS_AT_ONCE) {
    const end = Math.min(marks.length, start + MARKS_AT_ONCE);
    const otherEnd = Math.min(others.length, next + end - start);
    if (bytes.compare(otherBytes, 8 * next, 8 * otherEnd, 8 * start, 8 * end) === 0) {
      next = otherEnd;
      continue;
    }
    for (let place = start; place < end; place += 1) {
      const mark = marks[place]!;
      let at = next;
      const farthest = Math.min(others.length, next + LOOK_AHEAD);
      while (at < farthest && others[at] !== mark) at += 1;
      if (at < farthest) next = at + 1;
      else beside.push(place);
    }
  }
  if (beside.length <= FEW_MARKS) return beside.filter((place) => !others.includes(marks[place]!));
  const known = new Set(others);
  return beside.filter((place) => !known.has(marks[place]!));
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
