/** Reads a note or a part of it. The text is that of the file now, not of the index. */

import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import { decodeNote } from '../note/decode-note.js';
import { findBlock, findLines, findSection, type Part } from '../note/note-parts.js';
import { readNote } from '../note/read-note.js';
import { estimateTokens } from '../text/estimate-tokens.js';
import type { Places } from './bring-up-to-date.js';
import { findNote } from './find-note.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions, ShowInput, ShowOutput } from './memory.js';

export async function show(places: Places, input: ShowInput, options: CallOptions = {}): Promise<ShowOutput> {
  await refreshBefore(places, 'auto', options);
  const asked = [input.section, input.block, input.lines].filter((part) => part !== undefined);
  if (asked.length > 1) {
    throw new MemoryError('invalid_input', 'Ask for a section, a block or lines, one at a time', {
      hint: 'Leave out all but one of --section, --block and --lines.',
    });
  }
  const { note, lines } = await findNoteOrLine(places, input.note);
  const [file] = await places.vault.read([note]);
  if (!file || 'reason' in file) {
    throw new MemoryError('not_found', `"${note}" ${file?.reason ?? 'cannot be read'}`, {
      hint: 'Run `memory reindex`.',
    });
  }
  const { text } = decodeNote(file.bytes);
  const part = partOf(text, { ...input, lines: input.lines ?? (asked.length === 0 ? lines : undefined) });
  const cut = cutToTokens(text.slice(part.start, part.end), input.maxTokens);
  return {
    path: note,
    title: readNote(file).title,
    text: cut.text,
    hash: file.hash,
    truncated: cut.truncated,
  };
}

/** `path:line` shows from that line on; a note that really ends so wins. */
async function findNoteOrLine(
  { index }: Places,
  named: string,
): Promise<{ readonly note: string; readonly lines?: string }> {
  const match = /^(.+):(\d+)$/.exec(named.trim());
  if (!match) return { note: (await findNote(index, named)).path };
  try {
    return { note: (await findNote(index, named)).path };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'not_found') throw error;
    return { note: (await findNote(index, match[1]!)).path, lines: `${match[2]}-` };
  }
}

function partOf(text: string, input: Pick<ShowInput, 'section' | 'block' | 'lines'>): Part {
  if (input.section === undefined && input.block === undefined && input.lines === undefined) {
    return { start: 0, end: text.length };
  }
  const note = scan(text);
  if (input.section !== undefined) return findSection(note, input.section);
  if (input.block !== undefined) return findBlock(note, input.block);
  return findLines(note, input.lines!);
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
  return { text: text.slice(0, length), truncated: true };
}
