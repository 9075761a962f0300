/** `status`: what is indexed, what is not, and how fresh it is. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { indexNeighbours } from './index-neighbours.js';
import { defineOperation } from './operation.js';
import { skippedFiles } from './skipped-file.js';
import { byteSize, count, grouped, oneLine, skippedLines } from './wording.js';

export const status = defineOperation({
  name: 'status',
  summary: 'Say what is indexed, what was skipped and why, and how fresh the index is',
  effect: 'read',
  input: z.strictObject({}),
  output: () =>
    z.strictObject({
      notes: described('Notes in the index', z.int()),
      ignored: described('Markdown files that the ignore rules leave out', z.int()),
      skipped: skippedFiles(),
      passages: described('Pieces of notes that are searched and cited', z.int()),
      links: described('Links between notes', z.int()),
      indexBytes: described('Size of the index on disk', z.int()),
      schema: described('Version of the index format', z.int()),
      lastCheck: described(
        'ISO moment of the last comparison with the notes on disk; empty: never',
        z.string(),
      ),
      vault: described('Absolute path of the vault', z.string()),
      model: described('Model of meaning; empty: searches are by words alone', z.string()),
      embedded: described('Passages that have a vector', z.int()),
      pending: described('Passages that have none yet', z.int()),
      stale: described('Vectors that no passage has', z.int()),
      vectorBytes: described('Size of the vectors on disk', z.int()),
      further: z.optional(
        described(
          'The further model, opened where words and the one above are not enough',
          z.strictObject({
            model: described('Its name', z.string()),
            embedded: described('Passages that have a vector of it', z.int()),
            pending: described('Passages that have none yet', z.int()),
            failed: described('Of these, passages that it refused', z.int()),
            stale: described('Vectors that no passage has', z.int()),
            bytes: described('Size of its vectors on disk', z.int()),
          }),
        ),
      ),
      reranker: z.optional(described('The reranker that the profile precise asks', z.string())),
      calibrated: described(
        'ISO moment when the bands of confidence were calibrated; empty: the usual ones hold',
        z.string(),
      ),
      calibratedNotes: described('Notes there were then', z.int()),
      ...indexNeighbours,
    }),
  positional: [],
  run: async ({ openMemory, signal, notice }) => (await openMemory()).status({ signal, notice }),
  toText: (output) =>
    [
      `vault     ${oneLine(output.vault)}`,
      `notes     ${grouped(output.notes)} indexed, ${grouped(output.ignored)} ignored, ${grouped(output.skipped.length)} skipped`,
      `holding   ${count(output.passages, 'passage')}, ${count(output.links, 'link')}`,
      `index     ${byteSize(output.indexBytes)}, schema ${output.schema}`,
      meaningLine(output),
      ...(output.further ? [furtherLine(output.further)] : []),
      ...(output.reranker === undefined ? [] : [`reranker  ${oneLine(output.reranker)}`]),
      ...(output.calibrated === ''
        ? []
        : [`bands     calibrated ${output.calibrated}, with ${count(output.calibratedNotes, 'note')}`]),
      `checked   ${output.lastCheck === '' ? 'never: memory reindex' : output.lastCheck}`,
      ...(output.lockedBy === '' ? [] : [`written   by ${oneLine(output.lockedBy)} just now`]),
      ...(output.orphans.length === 0
        ? []
        : [
            `beside    ${count(output.orphans.length, 'file')} of the index may be deleted: ${output.orphans.map(oneLine).join(', ')}`,
          ]),
      ...skippedLines(output.skipped),
    ].join('\n'),
});

function meaningLine(output: {
  readonly model: string;
  readonly embedded: number;
  readonly pending: number;
  readonly vectorBytes: number;
}): string {
  if (output.model === '') return 'meaning   none: searches are by words alone';
  const pending = output.pending === 0 ? '' : `, ${grouped(output.pending)} pending: memory reindex`;
  return `meaning   ${oneLine(output.model)}, ${count(output.embedded, 'vector')}${pending}, ${byteSize(output.vectorBytes)}`;
}

function furtherLine(further: {
  readonly model: string;
  readonly embedded: number;
  readonly pending: number;
  readonly failed: number;
  readonly bytes: number;
}): string {
  const pending = further.pending - further.failed;
  return [
    `further   ${oneLine(further.model)}, ${count(further.embedded, 'vector')}`,
    ...(pending === 0 ? [] : [`${grouped(pending)} pending: memory reindex`]),
    ...(further.failed === 0 ? [] : [`${grouped(further.failed)} refused`]),
    byteSize(further.bytes),
  ].join(', ');
}
