/** `move`: gives a note another path and rewrites the links to it. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { count, oneLine } from './wording.js';
import { ifHashField, writtenLine } from './written-line.js';

export const move = defineOperation({
  name: 'move',
  summary: 'Move or rename a note; links to it are rewritten in their own form',
  effect: 'write',
  input: z.strictObject({
    note: described('Path of the note, its title or an alias', z.string()),
    to: described('New path in the vault, or a folder with / at its end', z.string().check(z.minLength(1))),
    ifHash: ifHashField('a changed note is not moved'),
    dryRun: z._default(described('Only show the differences', z.boolean()), false),
  }),
  output: () =>
    z.strictObject({
      from: described('Old path', z.string()),
      path: described('New path', z.string()),
      hash: described('SHA-256 of the note as it is now, in hex', z.string()),
      id: described('For undo; empty when nothing was written', z.string()),
      links: described('How many links were rewritten', z.int()),
      notes: described('In how many notes', z.int()),
      left: described(
        'Links that were not touched, and why',
        z.array(
          z.strictObject({
            path: described('Note that holds the link', z.string()),
            line: described('Line of the link', z.int()),
            target: described('Its target, as written', z.string()),
            reason: described('Why it was left', z.string()),
          }),
        ),
      ),
      diff: described('The differences it would make, of a dry run', z.string()),
    }),
  positional: ['note', 'to'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).move(input, { signal, notice }),
  toText: (output, page) => {
    if (output.from === output.path) return `${page.path(output.path)} is there already`;
    const left = output.left.map(
      ({ path, line, target, reason }) =>
        `left ${page.path(path)}:${line} ${oneLine(target)}: ${oneLine(reason)}`,
    );
    const rewritten = `${count(output.links, 'link')} in ${count(output.notes, 'note')} rewritten`;
    const first =
      output.id === ''
        ? output.diff.replace(/\n$/, '')
        : `${writtenLine('moved', `${oneLine(output.from)} to ${page.path(output.path)}`, output, page)}\n${rewritten}`;
    return [first, ...left].join('\n');
  },
});
