/** `reindex`: brings the index up to date with the vault. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { skippedFiles } from './skipped-file.js';
import { count, grouped, skippedLines } from './wording.js';

export const reindex = defineOperation({
  name: 'reindex',
  summary: 'Bring the index up to date with the notes on disk',
  effect: 'read',
  input: z.strictObject({
    verify: z._default(
      described('Compare the content of every note, not only its size and times; takes longer', z.boolean()),
      false,
    ),
    wait: z._default(described('Wait for another reindex of the same vault to finish', z.boolean()), true),
  }),
  output: () =>
    z.strictObject({
      indexed: described('Notes that were new or changed', z.int()),
      unchanged: described('Notes that were as the index knew them', z.int()),
      moved: described('Notes that only have a new path', z.int()),
      removed: described('Notes that are gone from the vault', z.int()),
      ignored: described('Markdown files that the ignore rules leave out', z.int()),
      skipped: skippedFiles(),
      embedded: z.optional(described('Passages that the further model gave a vector now', z.int())),
      pending: z.optional(described('Passages that still have none of it', z.int())),
      failed: z.optional(described('Of these, passages that it refused', z.int())),
      ms: described('Milliseconds it took', z.number()),
    }),
  positional: [],
  run: async ({ openMemory, signal, report, notice }, input) =>
    (await openMemory()).reindex(input, { signal, report, notice }),
  toText: (output) => {
    const parts = [
      `${count(output.indexed, 'note')} indexed`,
      `${grouped(output.unchanged)} unchanged`,
      output.moved > 0 ? `${grouped(output.moved)} moved` : '',
      output.removed > 0 ? `${grouped(output.removed)} removed` : '',
      output.ignored > 0 ? `${grouped(output.ignored)} ignored` : '',
      output.skipped.length > 0 ? `${grouped(output.skipped.length)} skipped` : '',
      output.embedded ? `${count(output.embedded, 'passage')} embedded` : '',
      output.pending ? `${grouped(output.pending)} pending` : '',
    ].filter((part) => part !== '');
    return [
      `${parts.join(', ')} · ${grouped(Math.round(output.ms))} ms`,
      ...skippedLines(output.skipped),
    ].join('\n');
  },
});
