/** Block ids: ` ^id` at the end of a paragraph, item or heading, or alone on a line after what it names. */

import type { BlockState, Leaf } from './block-state.js';
import { isAlphanumeric, isMarkdownSpace, trimEnd } from './characters.js';
import type { InlineState } from './inline-state.js';
import type { BlockId } from './scanned-note.js';

/** Offset of the `^` of the id that ends the text from `from` to `to`, -1 if none does. */
export function blockIdStart(text: string, from: number, to: number): number {
  let at = to;
  while (at > from) {
    const code = text.charCodeAt(at - 1);
    if (!isAlphanumeric(code) && code !== 45) break;
    at--;
  }
  if (at === to || at === from || text.charCodeAt(at - 1) !== 94) return -1;
  return at - 1 === from || isMarkdownSpace(text.charCodeAt(at - 2)) ? at - 1 : -1;
}

/** Records the id that the leaf ends in; answers its offset, or -1. */
export function readBlockId(state: InlineState, blocks: BlockState, leaf: Leaf): number {
  const { note } = state;
  const { segments } = blocks;
  const from = segments[leaf.to - 2]!;
  const end = trimEnd(note, from, segments[leaf.to - 1]!);
  const start = blockIdStart(note, from, end);
  if (start < 0) return -1;
  const lineCount = (leaf.to - leaf.from) / 2;
  const line = leaf.line + lineCount;
  const place = { id: note.slice(start + 1, end), start, end, line };
  const named = nameBlock(state, blocks, leaf, start === from, line);
  if (named === undefined) return -1;
  state.blockIds.push({ ...place, ...named });
  if (named.item >= 0) state.items[named.item]!.blockId ??= place.id;
  return start;
}

type Named = Pick<BlockId, 'of' | 'firstLine' | 'lastLine' | 'item'>;

function nameBlock(
  state: InlineState,
  blocks: BlockState,
  leaf: Leaf,
  startsLine: boolean,
  line: number,
): Named | undefined {
  const firstLine = leaf.line + 1;
  if (leaf.kind === 'row')
    return startsLine ? { of: 'block', firstLine, lastLine: line, item: -1 } : undefined;
  const isAlone = startsLine && leaf.to - leaf.from === 2;
  if (leaf.isItemText || (isAlone && leaf.item >= 0)) {
    const item = state.items[leaf.item]!;
    return { of: 'item', firstLine: item.line, lastLine: item.endLine, item: leaf.item };
  }
  if (leaf.kind === 'heading') return { of: 'heading', firstLine, lastLine: line, item: -1 };
  if (isAlone) {
    const before = blocks.blocks[leaf.block - 1];
    return before && { of: 'block', firstLine: before.line, lastLine: before.endLine, item: -1 };
  }
  const around = blocks.blocks[leaf.block]!;
  if (startsLine && around.kind === 'quote' && blocks.lineStarts[line - 1] === blocks.segments[leaf.to - 2])
    return { of: 'block', firstLine: around.line, lastLine: around.endLine, item: -1 };
  return { of: 'paragraph', firstLine, lastLine: line, item: -1 };
}
