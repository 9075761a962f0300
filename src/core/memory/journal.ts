/**
 * What was written, when, and how to take it back: `.memory/journal/<month>.<host>.jsonl`, one line a call. Hosts write
 * files of their own, so that the journal can be synced. What is written to several files leaves an intent first
 * (carry-out.ts).
 */

import type { TextChange } from '../edit/text-change.js';
import { applyChanges } from '../edit/text-change.js';
import { makeRecordId } from '../facts/record-id.js';
import { decodeNote } from '../note/decode-note.js';
import type { Clock, Vault, VaultWriting } from '../ports.js';

export const JOURNAL_FOLDER = '.memory/journal';
export const TRASH_FOLDER = '.trash';

/** `made`: the topmost of the folders that had to be made for the file. */
export type JournalStep =
  /** `undo` leads from the text after to the text before; `before` and `after` are hashes. */
  | {
      readonly kind: 'edit';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      readonly undo: readonly TextChange[];
    }
  | { readonly kind: 'move'; readonly from: string; readonly to: string; readonly made?: string }
  | { readonly kind: 'add'; readonly path: string; readonly after: string; readonly made?: string };

export type JournalEntry = {
  readonly id: string;
  /** ISO moment. */
  readonly at: string;
  readonly operation: string;
  /** The entry that this one takes back. */
  readonly undoes?: string;
  /** Who asked for it, where that was said. */
  readonly by?: string;
  readonly steps: readonly JournalStep[];
};

export function newEntryId(clock: Clock): string {
  return makeRecordId('r', clock.nowMs(), clock.randomId(5)).slice(2);
}

export async function appendEntry(vault: Vault, writing: VaultWriting, entry: JournalEntry): Promise<void> {
  const path = `${JOURNAL_FOLDER}/${entry.at.slice(0, 7)}.${vault.host}.jsonl`;
  await writing.append(path, new TextEncoder().encode(`${JSON.stringify(entry)}\n`));
}

/** The topmost folder that a file at `path` would need and that is not there. */
export async function folderToMake(vault: Vault, path: string): Promise<string | undefined> {
  const parts = path.split('/').slice(0, -1);
  const folders = parts.map((_, depth) => parts.slice(0, depth + 1).join('/'));
  const there = await vault.exist(folders);
  return folders.find((folder) => !there.has(folder));
}

/** Newest first, month by month; `own`: only of this host. Lines that cannot be read are passed over. */
export async function* readJournal(vault: Vault, own: boolean): AsyncGenerator<JournalEntry> {
  const names = (await vault.names(JOURNAL_FOLDER)).filter(
    (name) => name.endsWith('.jsonl') && (!own || name.slice(8) === `${vault.host}.jsonl`),
  );
  const months = [...new Set(names.map((name) => name.slice(0, 7)))].sort().reverse();
  for (const month of months) {
    const paths = names.filter((name) => name.startsWith(month)).map((name) => `${JOURNAL_FOLDER}/${name}`);
    const entries: JournalEntry[] = [];
    for (const file of await vault.peek(paths)) {
      if ('reason' in file) continue;
      for (const line of decodeNote(file.bytes).text.split('\n')) {
        const entry = readEntry(line);
        if (entry) entries.push(entry);
      }
    }
    // A stable sort keeps the order of one host's lines within a millisecond.
    entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    yield* entries.reverse();
  }
}

function readEntry(line: string): JournalEntry | undefined {
  if (line.trim() === '') return undefined;
  try {
    const entry = JSON.parse(line) as Partial<JournalEntry> | null;
    const isWhole =
      typeof entry?.id === 'string' && typeof entry.at === 'string' && Array.isArray(entry.steps);
    return isWhole ? (entry as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** Entries looked through for the text that a note had. */
const MOST_ENTRIES = 2_000;

/**
 * The text that the note had when its hash began with `wanted`: kept since somebody saw it, or worked out from the present
 * one by taking back what the journal says was written since.
 */
export async function earlierText(
  vault: Vault,
  present: { readonly path: string; readonly hash: string; readonly text: string },
  wanted: string,
): Promise<string | undefined> {
  if (present.hash.startsWith(wanted)) return present.text;
  const kept = await vault.seen(wanted);
  if (kept !== undefined) return kept;
  let { hash, text } = present;
  let looked = 0;
  for await (const { steps } of readJournal(vault, false)) {
    looked += 1;
    if (looked > MOST_ENTRIES) return undefined;
    for (const step of steps) {
      if (step.kind !== 'edit' || step.path !== present.path || step.after !== hash) continue;
      text = applyChanges(text, step.undo);
      hash = step.before;
    }
    if (hash.startsWith(wanted)) return text;
  }
  return undefined;
}
