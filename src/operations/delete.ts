/** `delete`: takes a note out of the vault, into its trash. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { count, oneLine } from './wording.js';
import { ifHashField } from './written-line.js';

export const deleteNote = defineOperation({
  name: 'delete',
  summary: 'Move a note into .trash and tell which links break',
  effect: 'destructive',
  input: z.strictObject({
    note: described('Path of the note, its title or an alias', z.string()),
    ifHash: ifHashField('a changed note is not deleted'),
    dryRun: z._default(described('Only tell which links would break', z.boolean()), false),
  }),
  output: () =>
    z.strictObject({
      path: described('Path that the note had', z.string()),
      trash: described('Where it lies now, relative to the vault', z.string()),
      id: described('For undo; empty when nothing was written', z.string()),
      broken: described(
        'Links that lead nowhere now',
        z.array(
          z.strictObject({
            path: described('Note that holds the link', z.string()),
            line: described('Line of the link', z.int()),
            target: described('Its target, as written', z.string()),
          }),
        ),
      ),
      totalBroken: described('How many they are; at most 100 are listed', z.int()),
    }),
  positional: ['note'],
  run: async ({ openMemory, signal, notice }, input) =>
    (await openMemory()).delete(input, { signal, notice }),
  toText: (output, page) => {
    const done = output.id === '' ? 'would move' : 'moved';
    const undo = output.id === '' ? '' : ` ${page.faint(`· memory undo ${output.id}`)}`;
    const lines = output.broken.map(
      ({ path, line, target }) => `breaks ${page.path(path)}:${line} ${oneLine(target)}`,
    );
    const rest = output.totalBroken - output.broken.length;
    if (rest > 0) lines.push(`and ${count(rest, 'more link')}`);
    return [`${done} ${oneLine(output.path)} to ${oneLine(output.trash)}${undo}`, ...lines].join('\n');
  },
});
