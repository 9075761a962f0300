/** Takes a note out of the vault into its trash, as Obsidian does, and tells which links lead nowhere then. */

import { stemOf } from '../note/lookup-key.js';
import type { Vault } from '../ports.js';
import { carryOut } from './carry-out.js';
import { refreshBefore } from './freshness.js';
import { TRASH_FOLDER } from './journal.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { unfollowed } from './unfollowed.js';
import { checkHash, indexNow, locateNote, readExisting, withWriting } from './write-note.js';
import type { DeleteInput, DeleteOutput } from './writing-types.js';

const MOST_LISTED = 100;

export async function deleteNote(
  places: Places,
  input: DeleteInput,
  options: CallOptions = {},
): Promise<DeleteOutput> {
  await refreshBefore(places, 'always', options);
  const { path } = await locateNote(places, input.note, options);
  const broken = await unfollowed(places.index, path);
  const reply = await withWriting(places, options, async (writing) => {
    const file = await readExisting(writing, path);
    checkHash(file, input.ifHash);
    const trash = await trashName(places.vault, path);
    if (input.dryRun) return { trash, id: '' };
    const { id } = await carryOut(places, writing, {
      operation: 'delete',
      edits: [],
      moves: [{ from: path, to: trash }],
    });
    return { trash, id };
  });
  if (reply.id !== '') await indexNow(places, [path]);
  return { path, ...reply, broken: broken.slice(0, MOST_LISTED), totalBroken: broken.length };
}

/** A free name in the trash: `Note.md`, `Note 1.md` … */
export async function trashName(vault: Vault, path: string): Promise<string> {
  const taken = new Set((await vault.names(TRASH_FOLDER)).map((name) => name.toLowerCase()));
  const stem = stemOf(path);
  const ending = path.slice(path.lastIndexOf('/') + 1).slice(stem.length);
  for (let number = 0; ; number += 1) {
    const mark = number === 0 ? '' : ` ${number}`;
    // A name that is as long as names may be has to give way.
    const name = `${mark !== '' && stem.length > 60 ? stem.slice(0, 60).trimEnd() : stem}${mark}${ending}`;
    if (!taken.has(name.toLowerCase())) return `${TRASH_FOLDER}/${name}`;
  }
}
