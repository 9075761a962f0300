/** The lists of a note whose items are merged one by one: those under Facts, Observations and Relations, and those with fact ids. */

import { statementSections } from '../facts/find-facts.js';
import { hasPrefix } from '../facts/record-id.js';
import { itemText } from '../markdown/item-text.js';
import { lineEnd } from '../markdown/lines.js';
import type { Block, ScannedNote } from '../markdown/scanned-note.js';
import { headingPath } from '../note/passages.js';
import type { Unit } from './merge-units.js';

export type Section = {
  /** Statements are expected in it, or there. */
  readonly hasStatements: boolean;
  /** False where there are two of that name, or with several lists, which cannot be told apart. */
  readonly isClear: boolean;
  /** Undefined where there is none. */
  readonly list: StatementList | undefined;
  /** Nothing but the heading and the list. */
  readonly isPlain: boolean;
  /** 0 for what stands before the first. */
  readonly headingLine: number;
  readonly headingEndLine: number;
};

export type ListSection = Section & { readonly list: StatementList };

export function hasList(section: Section | undefined): section is ListSection {
  return section?.list !== undefined;
}

export type StatementList = {
  readonly units: readonly Unit[];
  /** From the first item's line to the end of the last, its line ending excluded. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly endLine: number;
};

/** By heading path. */
export function findSections(note: ScannedNote): ReadonlyMap<string, Section> {
  const named = statementSections(note);
  const sections = new Map<string, Section>();
  const unclear = new Set<string>();
  const blocks = blocksByHeading(note);
  for (const [heading, below] of blocks) {
    const key = heading < 0 ? '' : headingPath(note.headings, heading).join('\n');
    const lists = below.filter(({ kind }) => kind === 'list');
    if (sections.has(key) || lists.length > 1) unclear.add(key);
    const [list] = lists;
    const read = list && readList(note, list);
    sections.set(key, {
      hasStatements: named.has(heading) || (read?.hasIds ?? false),
      isClear: true,
      list: read?.list,
      isPlain: below.every(({ kind }) => kind === 'list'),
      headingLine: heading < 0 ? 0 : note.headings[heading]!.line,
      headingEndLine: heading < 0 ? 0 : note.headings[heading]!.endLine,
    });
  }
  for (const key of unclear) sections.set(key, { ...sections.get(key)!, list: undefined, isClear: false });
  return sections;
}

/** The blocks under each heading, up to the next heading of whatever level; -1 before the first. */
function blocksByHeading(note: ScannedNote): ReadonlyMap<number, readonly Block[]> {
  const outline = note.headings
    .map((heading, index) => ({ ...heading, index }))
    .filter(({ nested }) => !nested);
  const blocks = new Map<number, Block[]>([[-1, []]]);
  for (const { index } of outline) blocks.set(index, []);
  let next = 0;
  let current = -1;
  for (const block of note.blocks) {
    while (next < outline.length && outline[next]!.start <= block.start) current = outline[next++]!.index;
    if (block.kind !== 'heading') blocks.get(current)!.push(block);
  }
  return blocks;
}

function readList(
  note: ScannedNote,
  block: Block,
): { readonly list: StatementList; readonly hasIds: boolean } {
  const { text, lineStarts, items } = note;
  const inside = items.flatMap((item, index) =>
    item.line >= block.line && item.line <= block.endLine ? [{ ...item, index }] : [],
  );
  const tops = inside.filter(({ depth, quotes }) => depth === 0 && quotes === 0);
  const seen = new Map<string, number>();
  const lineAt = (line: number) => text.slice(lineStarts[line - 1], lineEnd(text, lineStarts, line - 1));
  const units = tops.map((item, at): Unit => {
    const next = tops[at + 1];
    const lines: string[] = [];
    for (let line = item.line; line <= (next ? next.line - 1 : block.endLine); line += 1)
      lines.push(lineAt(line));
    let gap = 0;
    for (; lines.length > 1 && lines.at(-1)!.trim() === ''; gap += 1) lines.pop();
    const name = item.blockId === undefined ? `= ${itemText(note, item.index)}` : `^${item.blockId}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return {
      key: times === 1 ? name : `${name}\n${times}`,
      hasName: item.blockId !== undefined,
      lines,
      gap: next === undefined ? undefined : gap,
    };
  });
  const hasIds = inside.some(({ blockId }) => hasPrefix(blockId, 'f') || hasPrefix(blockId, 'r'));
  const start = lineStarts[block.line - 1]!;
  const end = lineEnd(text, lineStarts, block.endLine - 1);
  return { list: { units, start, end, line: block.line, endLine: block.endLine }, hasIds };
}
