/** The text of a leaf as inline rules read it: in place, or as a copy where quote signs stand between its lines. */

/** `offset in text = offset in source + shift`. */
export type LeafSource = {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly shift: number;
};

/** Signs between the lines of a quoted leaf are overwritten by spaces, so that offsets keep their distance. */
export function paragraphSource(
  text: string,
  segments: readonly number[],
  from: number,
  to: number,
  quoted: boolean,
): LeafSource {
  const start = segments[from]!;
  const end = segments[to - 1]!;
  if (!quoted) return { text, from: start, to: end, shift: 0 };
  const parts: string[] = [];
  for (let at = from; at < to; at += 2) {
    parts.push(text.slice(segments[at]!, segments[at + 1]!));
    if (at + 2 < to) parts.push(lineBreak(text, segments[at + 1]!, segments[at + 2]!));
  }
  return { text: parts.join(''), from: 0, to: end - start, shift: start };
}

function lineBreak(text: string, from: number, to: number): string {
  const ending = text.charCodeAt(from) === 13 && text.charCodeAt(from + 1) === 10 ? 2 : 1;
  return text.slice(from, from + ending) + ' '.repeat(to - from - ending);
}
