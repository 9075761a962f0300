/** `recent`: notes by the time they changed or were made. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { noteFilters } from './note-filters.js';
import { defineOperation } from './operation.js';
import { grouped, oneLine } from './wording.js';

export const recent = defineOperation({
  name: 'recent',
  summary: 'List notes by the time they last changed, newest first',
  effect: 'read',
  input: z.strictObject({
    limit: z._default(described('Most notes to list', z.int().check(z.minimum(1), z.maximum(10_000))), 20),
    by: z._default(described('Which date counts', z.enum(['updated', 'created'])), 'updated'),
    ...noteFilters,
  }),
  output: z.strictObject({
    notes: z.array(
      z.strictObject({
        path: z.string(),
        title: z.string(),
        created: z.string(),
        updated: z.string(),
        uri: z.string(),
      }),
    ),
    total: described('Notes that pass the filters', z.int()),
  }),
  positional: [],
  run: async ({ openMemory, signal, notice }, input) =>
    (await openMemory()).recent(input, { signal, notice }),
  toText: (output, page) =>
    [
      ...output.notes.map(
        ({ path, title, updated, uri }) =>
          `${updated.slice(0, 16).replace('T', ' ').padEnd(16)}  ${page.path(oneLine(path), uri)}   ${oneLine(title)}`,
      ),
      page.faint(`${grouped(output.notes.length)} of ${grouped(output.total)} notes`),
    ].join('\n'),
});
