/** The lines in which two texts differ (Myers), for merging (merge-texts.ts), for diffs that people read, and for inverses. */

/** Lines `start` to `end` of the one stand where the other has `otherStart` to `otherEnd`; counted from 0, ends exclusive. */
export type LineHunk = {
  readonly start: number;
  readonly end: number;
  readonly otherStart: number;
  readonly otherEnd: number;
};

/** Texts that differ in more lines than this between their common ends are taken as one difference. */
const MOST_STEPS = 1_000;

/** Each with its line ending; joined they are the text. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+/g) ?? [];
}

/** By rising start. */
export function diffLines(one: readonly string[], other: readonly string[]): readonly LineHunk[] {
  let head = 0;
  const shorter = Math.min(one.length, other.length);
  while (head < shorter && one[head] === other[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  const from = one.slice(head, one.length - tail);
  const to = other.slice(head, other.length - tail);
  if (from.length === 0 && to.length === 0) return [];
  const whole = [{ start: 0, end: from.length, otherStart: 0, otherEnd: to.length }];
  const hunks = from.length === 0 || to.length === 0 ? whole : (shortestPath(from, to) ?? whole);
  return hunks.map((hunk) => ({
    start: hunk.start + head,
    end: hunk.end + head,
    otherStart: hunk.otherStart + head,
    otherEnd: hunk.otherEnd + head,
  }));
}

function shortestPath(one: readonly string[], other: readonly string[]): readonly LineHunk[] | undefined {
  const limit = Math.min(one.length + other.length, MOST_STEPS);
  // furthest[k + limit + 1]: how far into `one` a path on diagonal k has come.
  let furthest = new Int32Array(2 * limit + 3);
  const trail: Int32Array[] = [];
  for (let steps = 0; steps <= limit; steps += 1) {
    trail.push(furthest.slice());
    const next = furthest.slice();
    for (let k = -steps; k <= steps; k += 2) {
      const at = k + limit + 1;
      const isDown = k === -steps || (k !== steps && furthest[at - 1]! < furthest[at + 1]!);
      let x = isDown ? furthest[at + 1]! : furthest[at - 1]! + 1;
      while (x < one.length && x - k < other.length && one[x] === other[x - k]) x += 1;
      next[at] = x;
      if (x >= one.length && x - k >= other.length) return walkBack(trail, one.length, other.length, limit);
    }
    furthest = next;
  }
  return undefined;
}

function walkBack(trail: readonly Int32Array[], length: number, otherLength: number, limit: number) {
  const hunks: LineHunk[] = [];
  let x = length;
  let y = otherLength;
  for (let steps = trail.length - 1; steps > 0; steps -= 1) {
    const furthest = trail[steps]!;
    const k = x - y;
    const at = k + limit + 1;
    const isDown = k === -steps || (k !== steps && furthest[at - 1]! < furthest[at + 1]!);
    const before = isDown ? k + 1 : k - 1;
    const startX = furthest[before + limit + 1]!;
    const startY = startX - before;
    const endX = isDown ? startX : startX + 1;
    const endY = isDown ? startY + 1 : startY;
    const last = hunks[hunks.length - 1];
    if (last !== undefined && last.start === endX && last.otherStart === endY) {
      hunks[hunks.length - 1] = { ...last, start: startX, otherStart: startY };
    } else hunks.push({ start: startX, end: endX, otherStart: startY, otherEnd: endY });
    x = startX;
    y = startY;
  }
  return hunks.reverse();
}
