/** The edit that takes a handoff: its status becomes `claimed (…)`, on the line where it stands and nowhere else. */

import { MemoryError } from '../errors.js';
import { scan } from '../markdown/scan.js';
import type { ScannedNote } from '../markdown/scanned-note.js';
import { HANDOFF_FOLDER, isInHandoffFolder, readHandoffStatus, stateOf } from '../note/handoff.js';
import { setProperty } from './set-property.js';
import { applyChanges, type TextChange } from './text-change.js';

/** The note as claimed. Throws `conflict` where somebody was quicker, `invalid_input` for what is no handoff. */
export function claimHandoff(path: string, note: ScannedNote, claimed: string): ScannedNote {
  if (!isInHandoffFolder(path)) {
    throw new MemoryError('invalid_input', `"${path}" is no handoff: it does not lie in ${HANDOFF_FOLDER}/`, {
      hint: '`memory open` lists the handoffs that can be claimed.',
      details: { path },
    });
  }
  const status = readHandoffStatus(note);
  if (status === undefined) {
    throw new MemoryError('invalid_input', `"${path}" is no handoff: it has no status`, {
      hint: 'Give it one with `memory edit <note> --set status=open`.',
      details: { path },
    });
  }
  const { state, value, place } = status;
  if (state !== 'open') throw notOpen(path, state, value);
  const changes =
    place.kind === 'line'
      ? [{ start: place.start, end: place.end, text: claimed }]
      : claimProperty(path, note, place.entry.key, place.entry.values, claimed);
  return scan(applyChanges(note.text, changes));
}

/** A status is text from a note: what is told of it is short. */
const MOST_STATUS = 60;

function notOpen(path: string, state: string, written: string): MemoryError {
  const isClaimed = state === 'claimed';
  const value = written.replace(/\s+/g, ' ').slice(0, MOST_STATUS).toWellFormed();
  return new MemoryError(
    'conflict',
    isClaimed
      ? `"${path}" was taken by somebody else: ${value}`
      : `"${path}" is not open: its status is "${value}"`,
    {
      hint: isClaimed
        ? '`memory open` lists what is left, `memory claim --next` takes the first of it.'
        : 'Set its status to open with `memory edit <note> --set status=open` if it is to be taken.',
      details: { path, status: value },
    },
  );
}

/** In a list, the other items stay. */
function claimProperty(
  path: string,
  note: ScannedNote,
  key: string,
  values: readonly string[],
  claimed: string,
): readonly TextChange[] {
  const at = values.findIndex((value) => stateOf(value) === 'open');
  const isList = values.length > 1;
  return setProperty(path, note, key, {
    values: values.map((value, i) => (i === at ? claimed : value)),
    isList,
  });
}
