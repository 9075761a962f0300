/** `open`: work that was left for whoever comes next, and that nobody has taken yet. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { age, count, grouped, oneLine } from './wording.js';

export const open = defineOperation({
  name: 'open',
  summary: 'List the handoffs that nobody has claimed, newest first, with where each stopped',
  effect: 'read',
  input: z.strictObject({
    limit: z._default(described('Most handoffs to list', z.int().check(z.minimum(1), z.maximum(1_000))), 20),
    folder: z.optional(described('Only those in this folder of sessions/', z.string())),
    tag: z.optional(described('Only those with this tag or one nested in it', z.string())),
  }),
  output: () =>
    z.strictObject({
      handoffs: described(
        'Handoffs, newest first',
        z.array(
          z.strictObject({
            path: described('Path of the note, relative to the vault', z.string()),
            title: described('Title of the note', z.string()),
            created: described('A year, month or day, or a moment in UTC', z.string()),
            ageMs: described('How long ago that was, in milliseconds', z.int()),
            project: described('Project it belongs to; empty where none is given', z.string()),
            stopped: described('First lines of where it stopped', z.string()),
            uri: described('Opens the note in Obsidian', z.string()),
          }),
        ),
      ),
      total: described('Open handoffs, those beyond the limit too', z.int()),
    }),
  positional: [],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).open(input, { signal, notice }),
  toText: ({ handoffs, total }, page) =>
    [
      ...handoffs.flatMap((handoff) => [
        [
          page.path(oneLine(handoff.path), handoff.uri),
          oneLine(handoff.title),
          ...(handoff.project === '' ? [] : [oneLine(handoff.project)]),
          page.faint(age(handoff.ageMs)),
        ].join('   '),
        ...handoff.stopped.split('\n').flatMap((line) => (line === '' ? [] : `    ${line}`)),
      ]),
      page.faint(
        handoffs.length < total
          ? `${grouped(handoffs.length)} of ${count(total, 'open handoff')}: --limit ${total} lists all`
          : total === 0
            ? 'no open handoffs'
            : `${count(total, 'open handoff')} · memory claim <note> takes one`,
      ),
    ].join('\n'),
});
