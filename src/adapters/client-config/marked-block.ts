/** Lines of ours at the end of a text of others: put in, replaced in place, and taken out without a trace. */

import { lineEndingOf, withLineEnding } from '../../core/edit/line-endings.js';
import { brokenConfig, lineAt } from './broken-config.js';

export type BlockMarks = { readonly begin: string; readonly end: string };

/** The text with `lines` between the marks; `undefined` stands for a file that is not there. */
export function putMarkedBlock(
  path: string,
  given: string | undefined,
  marks: BlockMarks,
  lines: string,
): string {
  const text = given ?? '';
  const eol = lineEndingOf(text);
  const block = withLineEnding(`${marks.begin}\n${lines.trimEnd()}\n${marks.end}`, eol);
  const found = findBlock(path, text, marks);
  if (found !== undefined) return text.slice(0, found.start) + block + text.slice(found.end);
  return appendLines(given, block, true);
}

/** `undefined`: nothing is left of a file that held nothing else. */
export function removeMarkedBlock(path: string, text: string, marks: BlockMarks): string | undefined {
  const found = findBlock(path, text, marks);
  return found === undefined ? text : removeLines(text, found.start, found.end, true);
}

/** A line of its own at the end; with a blank one before it where lines are to be set off. */
export function appendLines(given: string | undefined, lines: string, setOff: boolean): string {
  if (given === undefined) return `${lines}\n`;
  if (given === '' || given === '\ufeff') return given + lines;
  const eol = lineEndingOf(given);
  const blank = setOff ? eol : '';
  // A text that ends without a newline does so afterwards.
  return /[\r\n]$/.test(given) ? `${given}${blank}${lines}${eol}` : `${given}${eol}${blank}${lines}`;
}

/** The inverse of `appendLines`, wherever the lines stand by now. */
export function removeLines(text: string, start: number, end: number, setOff: boolean): string | undefined {
  const isLast = end === text.length;
  let from = start;
  const lineBreak = () => /(?:\r\n|\n|\r)$/.exec(text.slice(0, from))?.[0].length ?? 0;
  const breaks = (setOff ? 1 : 0) + (isLast ? 1 : 0);
  for (let i = 0; i < breaks; i += 1) {
    // The break before a block that is not set off belongs to the line above it.
    if (!isLast && !/(?:\r\n|\n|\r)(?:\r\n|\n|\r)$|^(?:\r\n|\n|\r)$/.test(text.slice(0, from))) break;
    from -= lineBreak();
  }
  const behind = isLast ? end : end + (/^(?:\r\n|\n|\r)/.exec(text.slice(end))?.[0].length ?? 0);
  const left = text.slice(0, from) + text.slice(behind);
  return left === '' && !isLast ? undefined : left;
}

function findBlock(
  path: string,
  text: string,
  { begin, end }: BlockMarks,
): { readonly start: number; readonly end: number } | undefined {
  const begins = placesOf(text, begin);
  const ends = placesOf(text, end);
  if (begins.length === 0 && ends.length === 0) return undefined;
  const [start] = begins;
  const [stop] = ends;
  if (begins.length === 1 && ends.length === 1 && start! < stop!)
    return { start: start!, end: stop! + end.length };
  const at = begins[1] ?? ends[1] ?? start ?? stop!;
  throw brokenConfig(path, lineAt(text, at), 'the marks around the block do not come as one pair');
}

/** Lines that are just this. */
function placesOf(text: string, line: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    const isWhole =
      /(^|[\r\n\ufeff])$/.test(text.slice(0, at)) && /^([\r\n]|$)/.test(text.slice(at + line.length));
    if (isWhole) places.push(at);
  }
  return places;
}
