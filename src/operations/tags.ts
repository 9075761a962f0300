/** `tags`: the tags of the vault as a tree. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { count, grouped, oneLine } from './wording.js';

export const tags = defineOperation({
  name: 'tags',
  summary: 'Show the tags of the vault as a tree, with the number of notes for each',
  effect: 'read',
  input: z.strictObject({
    below: z.optional(described('Only this tag and what is nested in it', z.string())),
    sort: z._default(described('Order of siblings', z.enum(['name', 'count'])), 'name'),
  }),
  output: z.strictObject({
    tags: z.array(
      z.strictObject({
        tag: described('As most notes write it, without #', z.string()),
        depth: described('How deep it is nested, from 0', z.int()),
        notes: described('Notes with it or a tag nested in it', z.int()),
        direct: described('Notes with just it', z.int()),
      }),
    ),
    total: z.int(),
  }),
  positional: ['below'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).tags(input, { signal, notice }),
  toText: (output, page) =>
    [
      ...output.tags.map(({ tag, depth, notes }) => {
        const name = depth === 0 ? `#${tag}` : tag.slice(tag.lastIndexOf('/') + 1);
        return `${'  '.repeat(depth)}${oneLine(name)}  ${page.faint(grouped(notes))}`;
      }),
      page.faint(count(output.total, 'tag')),
    ].join('\n'),
});
