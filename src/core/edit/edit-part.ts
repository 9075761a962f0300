/** Edits of a section, a block or a range of lines: replaced, or lines put in, before or behind. Parts are found by note-parts.ts. */

import { MemoryError } from '../errors.js';
import type { BlockId, Heading, Item, ScannedNote } from '../markdown/scanned-note.js';
import { findBlock, findLines, findSection, headingKey, type Part } from '../note/note-parts.js';
import { asLines, endsLine, lineEndingOf } from './line-endings.js';
import type { TextChange } from './text-change.js';

export type PartName = {
  readonly section?: string | undefined;
  readonly block?: string | undefined;
  readonly lines?: string | undefined;
};

/** `content` takes the part's place; a section keeps its heading, a block its id. */
export type PartAction = 'content' | 'append' | 'prepend' | 'before' | 'after';

export function editPart(
  note: ScannedNote,
  name: PartName,
  action: PartAction,
  given: string,
): readonly TextChange[] {
  const asked = [name.section, name.block, name.lines].filter((part) => part !== undefined);
  if (asked.length !== 1) {
    throw new MemoryError('invalid_input', 'Name a section, a block or lines, one at a time', {
      hint: 'Give one of --section, --block and --lines.',
    });
  }
  if (name.section !== undefined) return editSection(note, findSection(note, name.section), action, given);
  if (name.block !== undefined) return editBlock(note, name.block, action, given);
  return editLines(note, withoutEnding(note, findLines(note, name.lines!)), action, given);
}

/**
 *   ## Heading          before: above this line
 *                       prepend: above the first line that is not blank
 *   text                content: from the first to the last line that is not blank
 *                       append: below the last line that is not blank
 *                       after: the same with a blank line between
 *   ## Next
 */
function editSection(
  note: ScannedNote,
  part: Part,
  action: PartAction,
  given: string,
): readonly TextChange[] {
  const { text } = note;
  const ending = lineEndingOf(text);
  const heading = note.headings.find(({ start, nested }) => start === part.start && !nested)!;
  if (action === 'before') {
    const start = note.lineStarts[heading.line - 1]!;
    return [insertion(start, `${gapAbove(note, start, ending)}${asLines(given, ending)}${ending}${ending}`)];
  }
  const headEnd = Math.min(lineEndAt(text, heading.end), part.end);
  const body = contentSpan(text, headEnd, part.end);
  const lines = asLines(action === 'content' ? withoutHeading(given, heading) : given, ending);
  const next = note.headings.find(({ start, nested }) => start >= part.end && !nested);
  // A paragraph right above an underlined heading would become part of it.
  const gapBelow =
    next?.setext === true &&
    next.start === part.end &&
    !/(\r\n|\n|\r)[ \t]*(\r\n|\n|\r)$/.test(text.slice(0, next.start))
      ? ending
      : '';
  if (body === undefined) {
    if (lines.trim() === '') return [];
    return [insertion(headEnd, `${ending}${ending}${lines}${gapBelow}`)];
  }
  if (action === 'prepend') return [insertion(body.start, `${lines}${ending}`)];
  if (action === 'append') return [insertion(body.end, `${ending}${lines}${gapBelow}`)];
  if (action === 'after') return [insertion(body.end, `${ending}${ending}${lines}${gapBelow}`)];
  if (lines.trim() === '') return [{ start: body.start, end: nextLine(text, body.end), text: '' }];
  return [{ start: body.start, end: body.end, text: trimLines(lines) }];
}

/** The lines from the first to the last that is not blank; undefined where all are. */
function contentSpan(text: string, from: number, to: number): Part | undefined {
  const inside = text.slice(from, to);
  const first = inside.search(/[^\s]/);
  if (first < 0) return undefined;
  const start = Math.max(lineStartAt(text, from + first), from);
  return { start, end: from + inside.trimEnd().length };
}

/** Callers often give a section back with its heading, which stays as it is. */
function withoutHeading(given: string, heading: Heading): string {
  const match = /^\s*(#{1,6})[ \t]+([^\r\n]*?)(?:[ \t]+#+)?[ \t]*(?:\r\n|\n|\r|$)/.exec(given);
  if (match === null || match[1]!.length !== heading.level) return given;
  return headingKey(match[2]!) === headingKey(heading.text) ? given.slice(match[0].length) : given;
}

function editBlock(
  note: ScannedNote,
  wanted: string,
  action: PartAction,
  given: string,
): readonly TextChange[] {
  const { text } = note;
  const ending = lineEndingOf(text);
  const part = withoutEnding(note, findBlock(note, wanted));
  const id = note.blockIds.find(({ id }) => id.toLowerCase() === wanted.replace(/^#?\^/, '').toLowerCase())!;
  const item = note.items[id.item];
  if (item !== undefined) return editItem(note, item, id, action, given);
  if (action === 'content') {
    const isOwnLine = id.line > id.lastLine;
    const end = isOwnLine ? endOfLine(note, id.lastLine) : part.end;
    const start = note.lineStarts[id.firstLine - 1]!;
    const lines = trimLines(asLines(given, ending));
    return [{ start, end, text: isOwnLine ? lines : withId(lines, id) }];
  }
  if (action === 'prepend' || action === 'before') {
    return [insertion(part.start, `${asLines(given, ending)}${ending}${ending}`)];
  }
  return [insertion(part.end, `${ending}${ending}${asLines(given, ending)}`)];
}

/** An item keeps its marker and what is nested in it; lines beside it stand as deep as it does. */
function editItem(
  note: ScannedNote,
  item: Item,
  id: BlockId,
  action: PartAction,
  given: string,
): readonly TextChange[] {
  const ending = lineEndingOf(note.text);
  const lineStart = note.lineStarts[item.line - 1]!;
  const margin = note.text.slice(lineStart, item.start);
  const lines = trimLines(asLines(given, ending));
  if (action === 'content') {
    const bare = lines.replace(/^(?:[-*+]|\d+[.)])[ \t]+(?:\[.\][ \t]+)?/, '');
    const indented = indentFurther(
      bare,
      ending,
      /^[ \t>]*$/.test(margin) ? margin + ' '.repeat(item.contentIndent - item.indent) : '',
    );
    const ownText = id.start >= item.textStart && id.end <= item.textEnd;
    return [{ start: item.textStart, end: item.textEnd, text: ownText ? withId(indented, id) : indented }];
  }
  const placed = /^[ \t]/.test(lines) ? lines : indentAll(lines, ending, margin);
  if (action === 'prepend' || action === 'before') return [insertion(lineStart, `${placed}${ending}`)];
  return [insertion(item.end, `${ending}${placed}`)];
}

function withId(lines: string, { id }: BlockId): string {
  return new RegExp(`(^|\\s)\\^${id}\\s*$`, 'i').test(lines) ? lines : `${lines} ^${id}`;
}

function editLines(note: ScannedNote, part: Part, action: PartAction, given: string): readonly TextChange[] {
  const ending = lineEndingOf(note.text);
  const lines = asLines(given, ending);
  if (action === 'content') {
    if (given === '') return [removal(note.text, part)];
    return [{ start: part.start, end: part.end, text: lines }];
  }
  if (action === 'prepend' || action === 'before') return [insertion(part.start, `${lines}${ending}`)];
  return [insertion(part.end, `${ending}${lines}`)];
}

/** Whole lines go with one line ending: the one behind or, at the end of the note, the one before. */
function removal(text: string, { start, end }: Part): TextChange {
  const next = nextLine(text, end);
  if (next > end || start === 0) return { start, end: next, text: '' };
  const before = /(\r\n|\n|\r)$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { start: start - before, end, text: '' };
}

function insertion(at: number, text: string): TextChange {
  return { start: at, end: at, text };
}

/** A blank line, if the line above is a line of text. */
function gapAbove({ text, bodyStart }: ScannedNote, start: number, ending: string): string {
  if (start <= bodyStart || /(^|\r\n|\n|\r)[ \t]*(\r\n|\n|\r)$/.test(text.slice(bodyStart, start))) return '';
  return endsLine(text.slice(0, start)) ? ending : '';
}

function withoutEnding({ text }: ScannedNote, { start, end }: Part): Part {
  const ending = /(\r\n|\n|\r)$/.exec(text.slice(start, end))?.[0].length ?? 0;
  return { start, end: end - ending };
}

function endOfLine(note: ScannedNote, line: number): number {
  return withoutEnding(note, {
    start: note.lineStarts[line - 1]!,
    end: note.lineStarts[line] ?? note.text.length,
  }).end;
}

function lineStartAt(text: string, offset: number): number {
  for (let at = offset; at > 0; at -= 1) {
    const code = text.charCodeAt(at - 1);
    if (code === 10 || code === 13) return at;
  }
  return 0;
}

function lineEndAt(text: string, offset: number): number {
  const rest = text.slice(offset).search(/[\r\n]/);
  return rest < 0 ? text.length : offset + rest;
}

function nextLine(text: string, offset: number): number {
  const end = lineEndAt(text, offset);
  return end + (text.startsWith('\r\n', end) ? 2 : end < text.length ? 1 : 0);
}

function trimLines(lines: string): string {
  return lines.replace(/^(?:[ \t]*[\r\n])+/, '').trimEnd();
}

function indentFurther(lines: string, ending: string, margin: string): string {
  return lines
    .split(ending)
    .map((line, at) => (at === 0 || line === '' || /^[ \t]/.test(line) ? line : margin + line))
    .join(ending);
}

function indentAll(lines: string, ending: string, margin: string): string {
  return lines
    .split(ending)
    .map((line) => (line === '' ? line : margin + line))
    .join(ending);
}
