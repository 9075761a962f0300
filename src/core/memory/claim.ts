/** Takes a handoff, once among all processes: its status is rewritten under the vault's lock. The edit: core/edit/claim-handoff.ts. */

import { claimHandoff } from '../edit/claim-handoff.js';
import { formatDate } from '../edit/new-note.js';
import { unifiedDiff } from '../edit/unified-diff.js';
import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import { decodeNote } from '../note/decode-note.js';
import { readTitle } from '../note/title.js';
import type { NoteFile } from '../ports.js';
import { carryOut } from './carry-out.js';
import { readJournal } from './journal.js';
import type { CallOptions } from './memory.js';
import { openHandoffs } from './open.js';
import type { Places } from './places.js';
import { indexNow, locateNote, planEdit, withWriting } from './write-note.js';
import type { ClaimInput, ClaimOutput } from './writing-types.js';

const MINUTE = 'YYYY-MM-DD HH:mm';

/** Journal entries looked through for who was quicker. */
const MOST_ENTRIES = 500;

export async function claim(
  places: Places,
  input: ClaimInput,
  options: CallOptions = {},
): Promise<ClaimOutput> {
  checkInput(input);
  if (input.note !== undefined) {
    const { path } = await locateNote(places, input.note, options);
    return claimNote(places, path, input, options);
  }
  for (const { path } of await openHandoffs(places, input, options)) {
    try {
      return await claimNote(places, path, input, options);
    } catch (error) {
      // Somebody else took this one meanwhile, or it cannot be written; the next may do.
      if (!(error instanceof MemoryError) || error.code !== 'conflict') throw error;
    }
  }
  throw new MemoryError('not_found', 'There is no open handoff to take', {
    hint: '`memory open` lists them; `memory add <title> --handoff` leaves one.',
  });
}

function checkInput({ note, next, folder, tag }: ClaimInput): void {
  if ((note === undefined) === (next !== true)) {
    throw new MemoryError('invalid_input', 'claim takes either a note or next', {
      hint: '`memory open` lists the handoffs; --next takes the first of them.',
      details: { arguments: ['note', 'next'] },
    });
  }
  if (note === undefined || (folder === undefined && tag === undefined)) return;
  throw new MemoryError('invalid_input', 'folder and tag choose among handoffs, so they go with next alone', {
    hint: 'Leave them out, or give --next in the place of the note.',
    details: { arguments: ['folder', 'tag', 'next'] },
  });
}

async function claimNote(
  places: Places,
  path: string,
  input: ClaimInput,
  options: CallOptions,
): Promise<ClaimOutput> {
  const by = input.by?.replace(/\s+/g, ' ').trim() || undefined;
  let reply: ClaimOutput;
  try {
    reply = await withWriting(places, options, async (writing) => {
      const claimed = `claimed (${formatDate(new Date(places.clock.nowMs()), MINUTE)})`;
      const { file, planned } = await planEdit(
        places,
        writing,
        path,
        (note) => claimHandoff(path, note, claimed),
        undefined,
      );
      const text = planned?.after ?? decodeNote(file.bytes).text;
      const told = { path, title: readTitle(scan(text), path).title, status: claimed };
      if (planned === undefined || input.dryRun) {
        const diff = unifiedDiff({ path, text: planned?.before ?? text }, { path, text });
        return { ...told, hash: file.hash, id: '', diff };
      }
      const done = await carryOut(places, writing, { operation: 'claim', by, edits: [planned], moves: [] });
      const [{ hash, bytes }] = done.files as readonly [NoteFile];
      await places.vault.keepSeen(hash, decodeNote(bytes).text);
      return { ...told, hash, id: done.id, diff: '' };
    });
  } catch (error) {
    throw await tellWinner(places, path, error);
  }
  if (reply.id !== '') await indexNow(places, [path]);
  return reply;
}

/** Adds to the refusal who was quicker, where the journal knows it. */
async function tellWinner(places: Places, path: string, error: unknown): Promise<unknown> {
  const status = error instanceof MemoryError ? error.details?.['status'] : undefined;
  if (!(error instanceof MemoryError) || error.code !== 'conflict' || typeof status !== 'string')
    return error;
  let looked = 0;
  for await (const entry of readJournal(places.vault, false)) {
    looked += 1;
    if (looked > MOST_ENTRIES) return error;
    const isIt =
      entry.operation === 'claim' && entry.steps.some((step) => step.kind === 'edit' && step.path === path);
    if (!isIt) continue;
    const isSame = status.includes(formatDate(new Date(entry.at), MINUTE));
    if (typeof entry.by !== 'string' || !isSame) return error;
    const { code, message, hint, details, cause } = error;
    const more = { ...details, by: entry.by, at: entry.at };
    return new MemoryError(code, `${message}, by ${entry.by}`, { hint, details: more, cause });
  }
  return error;
}
