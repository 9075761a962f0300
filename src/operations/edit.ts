/** `edit`: changes lines of a note and leaves all others as they are. The edits are in core/edit. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { ifHashField, writtenLine } from './written-line.js';

export const edit = defineOperation({
  name: 'edit',
  summary: 'Change a note: its text, a section, a block or lines of it, properties and tags',
  effect: 'write',
  input: z.strictObject({
    note: described('Path of the note, its title or an alias', z.string()),
    append: z.optional(described('Lines to put at the end of the note, or of the part named', z.string())),
    prepend: z.optional(described('Lines to put at its beginning, behind properties or heading', z.string())),
    replace: z.optional(described('Exact text to replace', z.string())),
    with: z.optional(described('What to put in the place of --replace', z.string())),
    count: z.optional(
      described(
        'How often --replace stands there; all are replaced; 1 unless given',
        z.int().check(z.minimum(1)),
      ),
    ),
    section: z.optional(described('Only the section under this heading; H1 > H2 tells apart', z.string())),
    block: z.optional(described('Only the block with this id, without ^', z.string())),
    lines: z.optional(described('Only these lines: 12, 12-40 or 12-', z.string())),
    content: z.optional(
      described('New text of the section, block or lines; a heading and an id stay', z.string()),
    ),
    before: z.optional(described('Lines to put before the section, block or lines', z.string())),
    after: z.optional(described('Lines to put after the section, block or lines', z.string())),
    set: z.optional(described('Property to set, as key=value or key=[a, b]', z.array(z.string()))),
    unset: z.optional(described('Property to take out', z.array(z.string()))),
    addTag: z.optional(described('Tag to add to the property tags', z.array(z.string()))),
    removeTag: z.optional(described('Tag to take out of the property tags', z.array(z.string()))),
    ifHash: ifHashField('later changes of other lines are kept, of the same refused'),
    dryRun: z._default(described('Only show the difference', z.boolean()), false),
  }),
  output: () =>
    z.strictObject({
      path: described('Path of the note, relative to the vault', z.string()),
      hash: described('SHA-256 of the note as it is now, in hex', z.string()),
      changed: described('Whether the edit makes a difference', z.boolean()),
      id: described('For undo; empty when nothing was written', z.string()),
      diff: described('The difference it would make, of a dry run', z.string()),
    }),
  positional: ['note'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).edit(input, { signal, notice }),
  toText: (output, page) => {
    if (!output.changed) return `${page.path(output.path)} is so already`;
    return output.id === '' ? output.diff : writtenLine('edited', page.path(output.path), output, page);
  },
});
