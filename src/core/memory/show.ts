/** Reads a note or a part of it. The text is that of the file now, not of the index. */

import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import { decodeNote } from '../note/decode-note.js';
import { findBlock, findLines, findSection, type Part } from '../note/note-parts.js';
import { readNote } from '../note/read-note.js';
import { estimateTokens } from '../text/estimate-tokens.js';
import { findNotePart, type NamedPart } from './find-note.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import type { ShowInput, ShowOutput } from './reading-types.js';

export async function show(places: Places, input: ShowInput, options: CallOptions = {}): Promise<ShowOutput> {
  await refreshBefore(places, 'auto', options);
  const asked = [input.section, input.block, input.lines].filter((part) => part !== undefined);
  if (asked.length > 1) {
    throw new MemoryError('invalid_input', 'Ask for a section, a block or lines, one at a time', {
      hint: 'Leave out all but one of --section, --block and --lines.',
    });
  }
  const { note, part: named } = await findNotePart(places, input.note);
  const { path } = note;
  const [file] = await places.vault.read([path]);
  if (!file || 'reason' in file) {
    throw new MemoryError('not_found', `"${path}" ${file?.reason ?? 'cannot be read'}`, {
      hint: 'Run `memory reindex`.',
    });
  }
  const { text, damage } = decodeNote(file.bytes);
  if (damage === 'none') await places.vault.keepSeen(file.hash, text);
  const { title, updated } = readNote(file);
  const part = partOf(text, asked.length > 0 ? input : named);
  const cut = cutToTokens(text.slice(part.start, part.end), input.maxTokens);
  return {
    path,
    title,
    updated: updated.text,
    text: cut.text,
    hash: file.hash,
    truncated: cut.truncated,
  };
}

function partOf(text: string, asked: NamedPart): Part {
  if (asked.section === undefined && asked.block === undefined && asked.lines === undefined) {
    return { start: 0, end: text.length };
  }
  const note = scan(text);
  if (asked.section !== undefined) return findSection(note, asked.section);
  if (asked.block !== undefined) return findBlock(note, asked.block);
  return findLines(note, asked.lines!);
}

/** Whole lines while they fit, at least a part of the first. */
function cutToTokens(
  text: string,
  maxTokens: number | undefined,
): { readonly text: string; readonly truncated: boolean } {
  if (maxTokens === undefined || estimateTokens(text) <= maxTokens) return { text, truncated: false };
  let used = 0;
  let end = 0;
  while (end < text.length) {
    const next = text.indexOf('\n', end);
    const lineEnd = next < 0 ? text.length : next + 1;
    const cost = estimateTokens(text.slice(end, lineEnd));
    if (used + cost > maxTokens) break;
    used += cost;
    end = lineEnd;
  }
  if (end > 0) return { text: text.slice(0, end), truncated: true };
  let length = Math.min(text.length, maxTokens * 4);
  while (length > 1 && estimateTokens(text.slice(0, length)) > maxTokens) length = Math.floor(length * 0.8);
  // Half a character outside the basic plane is none.
  return { text: text.slice(0, length).replace(/[\uD800-\uDBFF]$/, ''), truncated: true };
}
