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
    sort: z._default(described('Order of the tags of one level', z.enum(['name', 'count'])), 'name'),
    limit: z._default(described('Most tags to list', z.int().check(z.minimum(1), z.maximum(100_000))), 500),
  }),
  output: () =>
    z.strictObject({
      tags: described(
        'Each tag followed by those nested in it',
        z.array(
          z.strictObject({
            tag: described('The whole tag as most notes write it, without #', z.string()),
            depth: described('How deep it is nested, from 0', z.int()),
            notes: described('Notes with it or a tag nested in it', z.int()),
            direct: described('Notes with just it', z.int()),
          }),
        ),
      ),
      total: described('Tags, those beyond the limit too', z.int()),
    }),
  positional: ['below'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).tags(input, { signal, notice }),
  toText: (output, page) => {
    const top = output.tags[0]?.depth ?? 0;
    const rest = output.total - output.tags.length;
    return [
      ...output.tags.map(({ tag, depth, notes }) => {
        const name = depth === top ? `#${tag}` : tag.slice(tag.lastIndexOf('/') + 1);
        return `${'  '.repeat(depth - top)}${oneLine(name)}  ${page.faint(grouped(notes))}`;
      }),
      ...(rest > 0 ? [page.faint(`and ${grouped(rest)} more: --limit ${output.total}`)] : []),
      page.faint(count(output.total, 'tag')),
    ].join('\n');
  },
});
