/** `recent`: notes by the time they changed or were made. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { noteFilters } from './note-filters.js';
import { defineOperation } from './operation.js';
import { count, grouped, localMinute, oneLine } from './wording.js';

/** `2026-01-31 09:00`. */
const DATE_WIDTH = 16;

export const recent = defineOperation({
  name: 'recent',
  summary: 'List the notes that changed last, or were made last, newest first',
  effect: 'read',
  input: z.strictObject({
    limit: z._default(described('Most notes to list', z.int().check(z.minimum(1), z.maximum(10_000))), 20),
    by: z._default(
      described(
        'Date that counts, for the filters too: of the last change, or of making',
        z.enum(['updated', 'created']),
      ),
      'updated',
    ),
    ...noteFilters,
  }),
  output: () =>
    z.strictObject({
      by: described('Date that the notes are ordered by', z.enum(['updated', 'created'])),
      notes: described(
        'Notes, newest first',
        z.array(
          z.strictObject({
            path: described('Path of the note, relative to the vault', z.string()),
            title: described('Title of the note', z.string()),
            created: described('A year, month or day, or a moment in UTC', z.string()),
            updated: described('The same of the last change', z.string()),
            uri: described('Opens the note in Obsidian', z.string()),
          }),
        ),
      ),
      total: described('Notes that pass the filters, those beyond the limit too', z.int()),
    }),
  positional: [],
  run: async ({ openMemory, signal, notice }, input) =>
    (await openMemory()).recent(input, { signal, notice }),
  toText: ({ by, notes, total }, page) =>
    [
      ...notes.map((note) => {
        const date = localMinute(note[by]).padEnd(DATE_WIDTH);
        return `${page.faint(date)}  ${page.path(oneLine(note.path), note.uri)}   ${oneLine(note.title)}`;
      }),
      page.faint(
        notes.length < total
          ? `${grouped(notes.length)} of ${count(total, 'note')} by date ${by}: --limit ${total} lists all`
          : `${count(total, 'note')} by date ${by}`,
      ),
    ].join('\n'),
});
