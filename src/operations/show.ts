/** `show`: reads a note or a part of one. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';

export const show = defineOperation({
  name: 'show',
  summary: 'Read a note, or a section, a block or some lines of it',
  effect: 'read',
  input: z.strictObject({
    note: described('Path of the note, its title, an alias, or path:line as search gives it', z.string()),
    section: z.optional(described('Only the section under this heading; H1 > H2 tells apart', z.string())),
    block: z.optional(described('Only the block with this id, without ^', z.string())),
    lines: z.optional(described('Only these lines: 12, 12-40 or 12-', z.string())),
    maxTokens: z.optional(described('Cut the text to about this many tokens', z.int().check(z.minimum(1)))),
  }),
  output: () =>
    z.strictObject({
      path: described('Path of the note, relative to the vault', z.string()),
      title: described('Title of the note', z.string()),
      updated: described('Date of the last change: a year, month or day, or a moment in UTC', z.string()),
      text: described('The text as it stands in the file', z.string()),
      hash: described('SHA-256 of the whole note, in hex', z.string()),
      truncated: described('Whether the text was cut to fit the budget', z.boolean()),
    }),
  positional: ['note'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).show(input, { signal, notice }),
  toText: ({ text, truncated }, page) =>
    truncated
      ? `${text.replace(/\n$/, '')}\n${page.faint('[cut here; --lines or a larger --max-tokens gives more]')}`
      : text,
});
