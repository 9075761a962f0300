/** `undo`: takes back what was written, as the journal has it. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { oneLine } from './wording.js';
import { writtenLine } from './written-line.js';

export const undo = defineOperation({
  name: 'undo',
  summary: 'Take back the last write, or the one with this id',
  effect: 'write',
  input: z.strictObject({
    id: z.optional(described('Id that the write gave; without it, the last on this machine', z.string())),
    dryRun: z._default(described('Only show the difference', z.boolean()), false),
  }),
  output: () =>
    z.strictObject({
      undone: described('Id of what was taken back', z.string()),
      operation: described('What it had been', z.string()),
      at: described('When it was written', z.string()),
      id: described('Of this undo, which can be undone itself; empty when nothing was written', z.string()),
      notes: described(
        'Notes as they are now',
        z.array(
          z.strictObject({
            path: described('Path of the note, relative to the vault', z.string()),
            hash: described('SHA-256 of the note as it is now, in hex', z.string()),
          }),
        ),
      ),
      diff: described('The difference it would make, of a dry run', z.string()),
    }),
  positional: ['id'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).undo(input, { signal, notice }),
  toText: (output, page) => {
    if (output.id === '') return output.diff;
    const notes = output.notes.map(({ path }) => page.path(oneLine(path)));
    const shown =
      notes.length > 5 ? `${notes.slice(0, 5).join(', ')} and ${notes.length - 5} more` : notes.join(', ');
    const what = `${output.operation} ${output.undone} of ${output.at.slice(0, 16).replace('T', ' ')}`;
    return writtenLine(`took back ${what}:`, shown, { hash: '', id: output.id }, page);
  },
});
