/** Takes back what the journal says was written, unless what was written since stands in the same lines. */

import { readWritable } from '../edit/check-writable.js';
import { mergeTexts } from '../edit/merge-texts.js';
import { applyChanges } from '../edit/text-change.js';
import { unifiedDiff } from '../edit/unified-diff.js';
import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import type { VaultWriting } from '../ports.js';
import { carryOut, type EmptiedFolder, type Plan, type PlannedEdit } from './carry-out.js';
import { trashName } from './delete.js';
import { earlierText, type JournalEntry, type JournalStep, readJournal } from './journal.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { indexNow, withWriting } from './write-note.js';
import type { UndoInput, UndoOutput } from './writing-types.js';

export async function undo(places: Places, input: UndoInput, options: CallOptions = {}): Promise<UndoOutput> {
  const changed: string[] = [];
  const reply = await withWriting(places, options, async (writing): Promise<UndoOutput> => {
    const entry = input.id === undefined ? await lastEntry(places, writing) : await entryOf(places, input.id);
    const plan = await planUndo(places, writing, entry);
    const base = { undone: entry.id, operation: entry.operation, at: entry.at };
    if (input.dryRun) {
      const notes = plan.edits.map(({ seen }) => ({ path: seen.path, hash: seen.hash }));
      return { ...base, id: '', notes, diff: diffOf(plan) };
    }
    const done = await carryOut(places, writing, plan);
    const hashes = new Map(done.files.map(({ path, hash }) => [path, hash]));
    for (const { from, to } of plan.moves) {
      const file = await writing.read(to);
      hashes.delete(from);
      if (file) hashes.set(to, file.hash);
      changed.push(from, to);
    }
    changed.push(...done.files.map(({ path }) => path));
    return { ...base, id: done.id, notes: [...hashes].map(([path, hash]) => ({ path, hash })), diff: '' };
  });
  await indexNow(places, changed);
  return reply;
}

function diffOf(plan: Plan): string {
  const edits = plan.edits.map(({ seen, before, after }) =>
    unifiedDiff({ path: seen.path, text: before }, { path: seen.path, text: after }),
  );
  const moves = plan.moves.map(({ from, to }) => `--- a/${from}\n+++ b/${to}\n`);
  return [...edits, ...moves].join('');
}

async function entryOf({ vault }: Places, id: string): Promise<JournalEntry> {
  const takenBack = new Set<string>();
  for await (const entry of readJournal(vault, false)) {
    if (entry.undoes !== undefined && !takenBack.has(entry.id)) takenBack.add(entry.undoes);
    if (entry.id !== id) continue;
    if (!takenBack.has(id)) return entry;
    throw new MemoryError('conflict', `"${id}" was taken back already`, {
      hint: 'Undo that undo to have it again.',
    });
  }
  throw new MemoryError('not_found', `The journal has no entry "${id}"`, {
    hint: 'Every write tells its id; without one, the last write is taken back.',
  });
}

/** The last write of this host that is neither an undo nor taken back, and that came to be. */
async function lastEntry(places: Places, writing: VaultWriting): Promise<JournalEntry> {
  const takenBack = new Set<string>();
  for await (const entry of readJournal(places.vault, true)) {
    if (entry.undoes !== undefined) {
      if (!takenBack.has(entry.id)) takenBack.add(entry.undoes);
      continue;
    }
    if (!takenBack.has(entry.id) && (await hasHappened(writing, entry))) return entry;
  }
  throw new MemoryError('not_found', 'There is nothing to take back', {
    hint: 'Only what `memory` itself wrote on this machine can be undone.',
  });
}

/** Of a process that was killed between the journal and the note there is an entry and no write. */
async function hasHappened(writing: VaultWriting, { steps }: JournalEntry): Promise<boolean> {
  for (const step of steps) {
    if (step.kind === 'edit' && (await writing.read(step.path))?.hash !== step.before) return true;
    if (step.kind === 'move' && (await writing.read(step.to)) !== undefined) return true;
    if (step.kind === 'add' && (await writing.read(step.path)) !== undefined) return true;
  }
  return false;
}

async function planUndo(places: Places, writing: VaultWriting, entry: JournalEntry): Promise<Plan> {
  const moves: { from: string; to: string }[] = [];
  const edits: PlannedEdit[] = [];
  const emptied: EmptiedFolder[] = [];
  const nowAt = new Map<string, string>();
  for (const step of entry.steps) {
    if (step.kind !== 'edit' && step.made !== undefined) {
      const path = step.kind === 'move' ? step.to : step.path;
      emptied.push({ folder: path.slice(0, path.lastIndexOf('/')), made: step.made });
    }
    if (step.kind === 'move') {
      await checkMoveBack(places, entry, step);
      moves.push({ from: step.to, to: step.from });
      nowAt.set(step.from, step.to);
    } else if (step.kind === 'add') {
      const file = await writing.read(step.path);
      if (file?.hash !== step.after)
        throw overlaps(entry, step.path, file === undefined ? 'is gone' : 'was changed since');
      moves.push({ from: step.path, to: await trashName(places.vault, step.path) });
    }
  }
  for (const step of entry.steps) {
    if (step.kind === 'edit')
      edits.push(await planBack(places, writing, entry, step, nowAt.get(step.path) ?? step.path));
  }
  return { operation: 'undo', undoes: entry.id, edits, moves, emptied };
}

async function checkMoveBack(
  { vault }: Places,
  entry: JournalEntry,
  step: JournalStep & { kind: 'move' },
): Promise<void> {
  const there = await vault.exist([step.from, step.to]);
  if (!there.has(step.to)) throw overlaps(entry, step.to, 'is gone');
  if (there.has(step.from) && step.from.toLowerCase() !== step.to.toLowerCase()) {
    throw overlaps(entry, step.from, 'is there again');
  }
}

async function planBack(
  { vault }: Places,
  writing: VaultWriting,
  entry: JournalEntry,
  step: JournalStep & { kind: 'edit' },
  path: string,
): Promise<PlannedEdit> {
  const seen = await writing.read(path);
  if (seen === undefined) throw overlaps(entry, path, 'is gone');
  const note = readWritable(path, seen.bytes);
  const written = await earlierText(vault, { path: step.path, hash: seen.hash, text: note.text }, step.after);
  if (written === undefined) throw overlaps(entry, path, 'was changed since by another program');
  const again = (now: ScannedNote) => {
    const text = mergeTexts(written, applyChanges(written, step.undo), now.text);
    if (text === undefined) throw overlaps(entry, path, 'was changed since in the same lines');
    return scan(text);
  };
  return { seen, before: note.text, after: again(note).text, again };
}

function overlaps(entry: JournalEntry, path: string, why: string): MemoryError {
  return new MemoryError('conflict', `Cannot take back "${entry.id}": "${path}" ${why}`, {
    hint: 'Take back what came later first, or edit the note.',
  });
}
