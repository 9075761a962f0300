/** `claim`: takes a handoff, so that nobody else does. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { writtenLine } from './written-line.js';

export const claim = defineOperation({
  name: 'claim',
  summary: 'Take an open handoff; only one caller can, the others are told who and when',
  effect: 'write',
  input: z.strictObject({
    note: z.optional(described('The handoff: its path, title or an alias', z.string())),
    next: z._default(described('Take the first that open lists', z.boolean()), false),
    folder: z.optional(described('With next: only in this folder of sessions/', z.string())),
    tag: z.optional(described('With next: only with this tag', z.string())),
    by: z.optional(described('Who takes it, for those who come too late', z.string())),
    dryRun: z._default(described('Only show the difference', z.boolean()), false),
  }),
  output: () =>
    z.strictObject({
      path: described('Path of the note, relative to the vault', z.string()),
      title: described('Title of the note', z.string()),
      status: described('Its status now', z.string()),
      hash: described('SHA-256 of the note as it is now, in hex', z.string()),
      id: described('For undo; empty when nothing was written', z.string()),
      diff: described('The difference it would make, of a dry run', z.string()),
    }),
  positional: ['note'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).claim(input, { signal, notice }),
  toText: (output, page) =>
    output.id === '' ? output.diff : writtenLine('claimed', page.path(output.path), output, page),
});
