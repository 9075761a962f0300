/**
 * Carries out what a call wants written: one file at once, several all or none. Before the first of several is touched
 * an intent lies in the journal's folder; whoever takes the right to write next finishes what it says.
 *
 *   one file:  journal ── write
 *   several:   intent ── write, write, … ── move ── journal ── intent away
 */

import { readWritable } from '../edit/check-writable.js';
import { applyChanges, changesBetween, type TextChange } from '../edit/text-change.js';
import { MemoryError } from '../errors.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { decodeNote } from '../note/decode-note.js';
import type { NoteFile, VaultWriting } from '../ports.js';
import {
  appendEntry,
  folderToMake,
  JOURNAL_FOLDER,
  type JournalEntry,
  type JournalStep,
  newEntryId,
  readJournal,
} from './journal.js';
import type { Places } from './places.js';

export type PlannedEdit = {
  readonly seen: NoteFile;
  readonly before: string;
  readonly after: string;
  /** The same edit of what the file holds by then, should somebody change it at the last moment. */
  readonly again: (note: ScannedNote) => ScannedNote;
};

export type Plan = {
  readonly operation: string;
  readonly undoes?: string;
  readonly by?: string | undefined;
  readonly edits: readonly PlannedEdit[];
  /** After the edits. */
  readonly moves: readonly { readonly from: string; readonly to: string }[];
  /** After the moves: folders that go with all that is nested in them, as far as nothing lies there. */
  readonly emptied?: readonly EmptiedFolder[];
};

/** From `folder` upwards to `made`, which an earlier write had to make. */
export type EmptiedFolder = { readonly folder: string; readonly made: string };

export type CarriedOut = { readonly id: string; readonly files: readonly NoteFile[] };

type Intent = { readonly entry: JournalEntry; readonly redo: readonly (readonly TextChange[])[] };

const MOST_TRIES = 20;
const INTENT_ENDING = '.intent.json';
const encoder = new TextEncoder();

export async function carryOut(places: Places, writing: VaultWriting, plan: Plan): Promise<CarriedOut> {
  const done =
    plan.edits.length + plan.moves.length > 1
      ? await carryOutAll(places, writing, plan)
      : await carryOutOne(places, writing, plan);
  for (const emptied of plan.emptied ?? []) await removeEmptied(writing, emptied);
  return done;
}

async function removeEmptied(writing: VaultWriting, { folder, made }: EmptiedFolder): Promise<void> {
  for (
    let path = folder;
    path === made || path.startsWith(`${made}/`);
    path = path.slice(0, path.lastIndexOf('/'))
  )
    // What was asked for is done; an empty folder that stays is no failure of it.
    if (!(await writing.removeFolder(path).catch(() => false))) return;
}

/** The journal comes first: it holds the only copy of what an edit takes away. */
async function carryOutOne(places: Places, writing: VaultWriting, plan: Plan): Promise<CarriedOut> {
  const { vault } = places;
  const [edit] = plan.edits;
  if (edit === undefined) {
    const entry = newEntry(places, plan, await moveSteps(places, plan));
    await appendEntry(vault, writing, entry);
    for (const { from, to } of plan.moves) await moveOrRefuse(writing, from, to);
    return { id: entry.id, files: [] };
  }
  for (let planned = edit, tries = 1; ; tries += 1) {
    const entry = newEntry(places, plan, [await editStep(places, planned)]);
    await appendEntry(vault, writing, entry);
    const [file] = await writing.replace([{ seen: planned.seen, bytes: encoder.encode(planned.after) }]);
    if (file) return { id: entry.id, files: [file] };
    planned = await planAgain(writing, planned, tries);
  }
}

async function carryOutAll(places: Places, writing: VaultWriting, plan: Plan): Promise<CarriedOut> {
  const { vault } = places;
  const moves = await moveSteps(places, plan);
  const steps = [...(await Promise.all(plan.edits.map((edit) => editStep(places, edit)))), ...moves];
  const entry = newEntry(places, plan, steps);
  const intent: Intent = {
    entry,
    redo: plan.edits.map(({ before, after }) => changesBetween(before, after)),
  };
  const intentPath = `${JOURNAL_FOLDER}/${entry.id}${INTENT_ENDING}`;
  for (const { from, to } of plan.moves) {
    if ((await vault.exist([to])).has(to) && from.toLowerCase() !== to.toLowerCase()) throw isTaken(from, to);
  }
  await writing.create(intentPath, encoder.encode(JSON.stringify(intent)));
  const files: NoteFile[] = [];
  let left = plan.edits;
  const done: JournalStep[] = [];
  try {
    for (let tries = 1; left.length > 0; tries += 1) {
      const results = await writing.replace(
        left.map(({ seen, after }) => ({ seen, bytes: encoder.encode(after) })),
      );
      const again: PlannedEdit[] = [];
      for (const [at, file] of results.entries()) {
        const planned = left[at]!;
        if (file) {
          files.push(file);
          done.push(await editStep(places, planned, file.hash));
        } else again.push(await planAgain(writing, planned, tries));
      }
      left = again;
    }
    for (const { from, to } of plan.moves) await moveOrRefuse(writing, from, to);
  } catch (error) {
    // Where that fails too, as when the lock is lost, the intent stays for the next run.
    await takeBack(writing, intent, intentPath).catch(() => undefined);
    throw error;
  }
  await appendEntry(vault, writing, { ...entry, steps: [...done, ...moves] });
  await writing.remove(intentPath);
  return { id: entry.id, files };
}

/** What was written before something failed, such as a full disk, gets its old text back. */
async function takeBack(writing: VaultWriting, { entry }: Intent, intentPath: string): Promise<void> {
  for (const step of entry.steps) {
    if (step.kind !== 'edit') continue;
    const file = await writing.read(step.path);
    if (file?.hash !== step.after) continue;
    const text = applyChanges(decodeNote(file.bytes).text, step.undo);
    await writing.replace([{ seen: file, bytes: encoder.encode(text) }]);
  }
  await writing.remove(intentPath);
}

/** Finishes what a process that was killed had begun. Returns the paths that changed. */
export async function finishIntents(
  places: Places,
  writing: VaultWriting,
): Promise<{ readonly changed: readonly string[]; readonly problems: readonly string[] }> {
  const { vault } = places;
  const changed: string[] = [];
  const problems: string[] = [];
  for (const name of await vault.names(JOURNAL_FOLDER)) {
    if (!name.endsWith(INTENT_ENDING)) continue;
    const path = `${JOURNAL_FOLDER}/${name}`;
    const intent = readIntent(await writing.read(path));
    if (intent !== undefined) {
      for (const [at, step] of intent.entry.steps.entries()) {
        const problem =
          step.kind === 'edit'
            ? await finishEdit(writing, step, intent.redo[at] ?? [], intent.entry)
            : step.kind === 'move'
              ? await finishMove(writing, step)
              : undefined;
        if (problem !== undefined) problems.push(problem);
        changed.push(...(step.kind === 'move' ? [step.from, step.to] : [step.path]));
      }
      if (!(await isInJournal(places, intent.entry.id))) await appendEntry(vault, writing, intent.entry);
    }
    await writing.remove(path);
  }
  return { changed, problems };
}

function readIntent(file: NoteFile | undefined): Intent | undefined {
  if (file === undefined) return undefined;
  try {
    const intent = JSON.parse(decodeNote(file.bytes).text) as Partial<Intent> | null;
    const isWhole = Array.isArray(intent?.entry?.steps) && Array.isArray(intent.redo);
    return isWhole ? (intent as Intent) : undefined;
  } catch {
    return undefined;
  }
}

async function finishEdit(
  writing: VaultWriting,
  step: JournalStep & { kind: 'edit' },
  redo: readonly TextChange[],
  entry: JournalEntry,
): Promise<string | undefined> {
  const moved = entry.steps.find((other) => other.kind === 'move' && other.from === step.path);
  const file = await writing.read(step.path);
  if (file === undefined) return moved ? undefined : `"${step.path}" is gone`;
  if (file.hash === step.after) return undefined;
  if (file.hash === step.before) {
    const text = applyChanges(decodeNote(file.bytes).text, redo);
    const [written] = await writing.replace([{ seen: file, bytes: encoder.encode(text) }]);
    if (written) return undefined;
  }
  return `"${step.path}" was changed meanwhile and is left as it is`;
}

async function finishMove(
  writing: VaultWriting,
  { from, to }: { from: string; to: string },
): Promise<string | undefined> {
  const source = await writing.read(from);
  if (source === undefined) return undefined;
  if (await writing.move(from, to)) return undefined;
  const target = await writing.read(to);
  if (target?.hash === source.hash && target.stamp.inode === source.stamp.inode) {
    // Killed between the new name and the removal of the old one.
    await writing.remove(from);
    return undefined;
  }
  return `"${from}" was not moved, since "${to}" is there`;
}

async function isInJournal({ vault }: Places, id: string): Promise<boolean> {
  let looked = 0;
  for await (const entry of readJournal(vault, false)) {
    if (entry.id === id) return true;
    looked += 1;
    if (looked > 50) return false;
  }
  return false;
}

async function planAgain(writing: VaultWriting, planned: PlannedEdit, tries: number): Promise<PlannedEdit> {
  const { path } = planned.seen;
  if (tries >= MOST_TRIES) {
    throw new MemoryError('conflict', `"${path}" is being changed by another program all the time`, {
      hint: 'Close it there, then try again.',
    });
  }
  const seen = await writing.read(path);
  if (seen === undefined) {
    throw new MemoryError('conflict', `"${path}" was removed while it was to be written`, {
      hint: 'Nothing was written to it.',
    });
  }
  const note = readWritable(path, seen.bytes);
  return { ...planned, seen, before: note.text, after: planned.again(note).text };
}

async function moveOrRefuse(writing: VaultWriting, from: string, to: string): Promise<void> {
  if (!(await writing.move(from, to))) throw isTaken(from, to);
}

export function isTaken(from: string, to: string): MemoryError {
  return new MemoryError('conflict', `Cannot move "${from}": "${to}" is there already`, {
    hint: 'Choose another path, or move that note away first; to join two notes, edit one and delete the other.',
    details: { path: to },
  });
}

function newEntry(places: Places, plan: Plan, steps: readonly JournalStep[]): JournalEntry {
  return {
    id: newEntryId(places.clock),
    at: new Date(places.clock.nowMs()).toISOString(),
    operation: plan.operation,
    ...(plan.undoes === undefined ? {} : { undoes: plan.undoes }),
    ...(plan.by === undefined ? {} : { by: plan.by }),
    steps,
  };
}

function moveSteps({ vault }: Places, { moves }: Plan): Promise<readonly JournalStep[]> {
  return Promise.all(
    moves.map(async ({ from, to }): Promise<JournalStep> => {
      const made = await folderToMake(vault, to);
      return { kind: 'move', from, to, ...(made === undefined ? {} : { made }) };
    }),
  );
}

async function editStep(
  { vault }: Places,
  { seen, before, after }: PlannedEdit,
  hash?: string,
): Promise<JournalStep> {
  return {
    kind: 'edit',
    path: seen.path,
    before: seen.hash,
    after: hash ?? (await vault.hash(encoder.encode(after))),
    undo: changesBetween(after, before),
  };
}
