/** `add`: makes a note. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { writtenLine } from './written-line.js';

export const add = defineOperation({
  name: 'add',
  summary: 'Add a note; one that is there is never overwritten',
  effect: 'write',
  input: z.strictObject({
    title: described('Title of the note, or its path if it ends in .md', z.string().check(z.minLength(1))),
    content: z.optional(described('Its text, in Markdown', z.string())),
    folder: z.optional(described('Folder of the vault to put it in', z.string())),
    type: z.optional(described('Its property type, such as decision', z.string())),
    tag: z.optional(described('Tag to give it', z.array(z.string()))),
    set: z.optional(described('Property to give it, as key=value or key=[a, b]', z.array(z.string()))),
    template: z.optional(
      described('Note to begin with; {{title}}, {{date}} and {{time}} are filled in', z.string()),
    ),
    handoff: z._default(
      described('Work left for whoever comes next: into sessions/, dated, with status: open', z.boolean()),
      false,
    ),
    dryRun: z._default(described('Only show what would be written', z.boolean()), false),
  }),
  output: () =>
    z.strictObject({
      path: described('Path of the note, relative to the vault', z.string()),
      title: described('Title of the note', z.string()),
      hash: described('SHA-256 of the note, in hex', z.string()),
      id: described('For undo; empty when nothing was written', z.string()),
      diff: described('What would be written, of a dry run', z.string()),
    }),
  positional: ['title', 'content'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).add(input, { signal, notice }),
  toText: (output, page) =>
    output.id === '' ? output.diff : writtenLine('added', page.path(output.path), output, page),
});
