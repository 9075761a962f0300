/** What only MCP does with some operations, by their names. */

import { localMinute } from '../../operations/wording.js';

/** Tools that are listed unless others are asked for. Together they may take 3,000 tokens, output schemas included. */
export const coreTools: readonly string[] = [
  'search',
  'show',
  'recent',
  'links',
  'add',
  'edit',
  'move',
  'undo',
];

/**
 * Inputs that are no arguments of the tool: `max_tokens`, which every tool takes, stands for one, and the tool `explain`
 * for the other.
 */
export const hiddenInputs: ReadonlySet<string> = new Set(['maxTokens', 'explain']);

/** Outputs that only such inputs ask for. */
export const hiddenOutputs: ReadonlySet<string> = new Set(['explain']);

/** Outputs that say whether the text was cut, which is so too when a page ends before it. */
export const cutMarks: Readonly<Record<string, string>> = { show: 'truncated' };

/** Writes after which there may be other notes than before. */
export const changesWhichNotesExist: ReadonlySet<string> = new Set(['init', 'add', 'move', 'delete', 'undo']);

/** Outputs that count the notes of the vault. Another number than last time means that others changed it. */
export const noteCounts: Readonly<Record<string, string>> = {
  search: 'notes',
  status: 'notes',
  doctor: 'notes',
};

/** Tools that may ask a server elsewhere, when told to. */
export const reachesOutside: ReadonlySet<string> = new Set(['model']);

/** What stands above the text, where that is a note as it is in the file. */
export function headingOf(operation: string, output: Readonly<Record<string, unknown>>): string | undefined {
  if (operation !== 'show') return undefined;
  const changed = localMinute(String(output['updated']));
  return `${String(output['path'])} · updated ${changed} · hash ${String(output['hash']).slice(0, 16)}`;
}
