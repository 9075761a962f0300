/** Reads one note's text into positions: properties, blocks, links, tags, fields. The shape of the answer: scanned-note.ts. */

import { runAll, type Steps } from '../turns.js';
import { type BlockState, startBlockState } from './block-state.js';
import { readBlocks } from './blocks.js';
import { findConflicts } from './conflicts.js';
import { readHeadings, readLeaves } from './inline.js';
import { startInlineState } from './inline-state.js';
import { findLineStarts } from './lines.js';
import { readProperties } from './properties.js';
import type { Link, ScannedNote, Task } from './scanned-note.js';

/** Linear in the length of the text, whatever it holds; never throws. */
export function scan(text: string): ScannedNote {
  return runAll(scanSteps(text));
}

export function* scanSteps(text: string): Steps<ScannedNote> {
  const hasBom = text.charCodeAt(0) === 0xfeff;
  const lineStarts = findLineStarts(text);
  const head = readProperties(text, lineStarts, hasBom ? 1 : 0);
  const first = head?.nextLine ?? 0;
  const bodyStart = bodyStartOf(text, lineStarts, first);
  const { conflicts, markerLines } = findConflicts(text, lineStarts);
  const blocks = startBlockState(text, lineStarts, markerLines);
  yield* readBlocks(blocks, first, bodyStart);
  const inline = startInlineState(blocks, first + 1);
  yield* readLeaves(inline, blocks);
  return {
    text,
    hasBom,
    lineStarts,
    bodyStart,
    properties: head?.block,
    headings: blocks.headings,
    blocks: blocks.blocks,
    regions: inOrder(blocks.regions),
    items: closeItems(blocks),
    tasks: findTasks(blocks),
    links: [...propertyLinks(head?.block.entries), ...inOrder(inline.links)],
    tags: inline.tags,
    fields: inOrder(inline.fields),
    blockIds: inline.blockIds,
    callouts: blocks.callouts,
    conflicts,
  };
}

/** The headings and block ids of `scan`, in a third of the time where a text has no ids. */
export function scanOutline(text: string): Pick<ScannedNote, 'headings' | 'blockIds'> {
  if (text.includes('^')) return scan(text);
  const lineStarts = findLineStarts(text);
  const hasBom = text.charCodeAt(0) === 0xfeff;
  const first = readProperties(text, lineStarts, hasBom ? 1 : 0)?.nextLine ?? 0;
  const { markerLines } = findConflicts(text, lineStarts);
  const blocks = startBlockState(text, lineStarts, markerLines);
  runAll(readBlocks(blocks, first, bodyStartOf(text, lineStarts, first)));
  const inline = startInlineState(blocks, first + 1);
  readHeadings(inline, blocks);
  return { headings: blocks.headings, blockIds: inline.blockIds };
}

function bodyStartOf(text: string, lineStarts: Uint32Array, first: number): number {
  if (first > 0) return lineStarts[first] ?? text.length;
  return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}

/** Sorted by start. Most lists are: what closes late started early only where things nest. */
function inOrder<T extends { readonly start: number }>(list: T[]): T[] {
  for (let at = 1; at < list.length; at++)
    if (list[at - 1]!.start > list[at]!.start) return list.sort((one, other) => one.start - other.start);
  return list;
}

function propertyLinks(entries: readonly { readonly links: readonly Link[] }[] | undefined): readonly Link[] {
  return entries?.flatMap(({ links }) => links) ?? [];
}

/** Items without text of their own have an empty span behind their marker. */
function closeItems(blocks: BlockState): BlockState['items'] {
  for (const item of blocks.items)
    if (item.textStart < 0) item.textStart = item.textEnd = item.start + item.marker.length;
  return blocks.items;
}

function findTasks(blocks: BlockState): Task[] {
  const tasks: Task[] = [];
  blocks.items.forEach((item, index) => {
    if (item.task === undefined) return;
    const close = blocks.text.lastIndexOf(']', item.textStart - 1);
    tasks.push({ item: index, mark: item.task, start: close - item.task.length, line: item.textLine });
  });
  return tasks;
}
