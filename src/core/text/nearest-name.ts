/** Which known name a mistyped one was meant to be: for unknown commands, options, arguments and notes. */

/** The nearest of `names`, or undefined when none is near enough to be a likely slip of the hand. */
export function nearestName(mistyped: string, names: readonly string[]): string | undefined {
  const wanted = mistyped.toLowerCase();
  const allowed = wanted.length <= 3 ? 1 : wanted.length <= 6 ? 2 : 3;
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const name of names) {
    const candidate = name.toLowerCase();
    if (wanted.length >= 3 && candidate.startsWith(wanted)) return name;
    if (Math.abs(candidate.length - wanted.length) > allowed) continue;
    const distance = editDistance(wanted, candidate);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
