/** Edits a note: the edits themselves are in core/edit. */

import { checkEdits, editText } from '../edit/edit-text.js';
import { unifiedDiff } from '../edit/unified-diff.js';
import { decodeNote } from '../note/decode-note.js';
import type { NoteFile } from '../ports.js';
import { carryOut } from './carry-out.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import { indexNow, locateNote, planEdit, withWriting } from './write-note.js';
import type { EditInput, EditOutput } from './writing-types.js';

export async function edit(places: Places, input: EditInput, options: CallOptions = {}): Promise<EditOutput> {
  const { path, part } = await locateNote(places, input.note, options);
  const isNamed = input.section !== undefined || input.block !== undefined || input.lines !== undefined;
  // `Note#Heading` names a part; the line of `Note:12`, as search gives it, is a place to look at.
  const edits = isNamed ? input : { ...input, section: part.section, block: part.block };
  checkEdits(edits);
  const reply = await withWriting(places, options, async (writing) => {
    const { file, planned } = await planEdit(
      places,
      writing,
      path,
      (note) => editText(path, note, edits),
      input.ifHash,
    );
    if (planned === undefined) return { path, hash: file.hash, changed: false, id: '', diff: '' };
    if (input.dryRun) {
      const diff = unifiedDiff({ path, text: planned.before }, { path, text: planned.after });
      return { path, hash: file.hash, changed: true, id: '', diff };
    }
    const done = await carryOut(places, writing, { operation: 'edit', edits: [planned], moves: [] });
    const [{ hash, bytes }] = done.files as readonly [NoteFile];
    await places.vault.keepSeen(hash, decodeNote(bytes).text);
    return { path, hash, changed: true, id: done.id, diff: '' };
  });
  if (reply.id !== '') await indexNow(places, [path]);
  return reply;
}
