/** Tells from what calls gave whether there are other notes than before, so that clients list resources again. */

import type { Output } from './pieces.js';
import { changesWhichNotesExist, noteCounts } from './quirks.js';

export type NoteChanges = {
  /** Whether the call made, or showed, a change of which notes exist. */
  readonly seenIn: (operation: string, output: Output) => boolean;
};

export function watchNoteChanges(): NoteChanges {
  let lastCount: number | undefined;
  return {
    seenIn: (operation, output) => {
      if (changesWhichNotesExist.has(operation)) {
        // The next count differs because of this write, which has been told.
        lastCount = undefined;
        return output['id'] !== '';
      }
      if (operation === 'reindex') return Number(output['moved']) + Number(output['removed']) > 0;
      const count = output[noteCounts[operation] ?? ''];
      if (typeof count !== 'number') return false;
      const isOther = lastCount !== undefined && lastCount !== count;
      lastCount = count;
      return isOther;
    },
  };
}
