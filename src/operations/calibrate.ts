/** `calibrate`: what confidence means in this vault. How it is found is in core/memory/calibrate.ts. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation } from './operation.js';
import { count, grouped } from './wording.js';

const MEANINGS = {
  own: 'words of one passage',
  mixed: 'words of several passages',
  letters: 'words that do not exist',
  foreign: 'sentences in many languages',
} as const;

const probe = z.strictObject({
  kind: described('What the queries were made of', z.enum(['own', 'mixed', 'letters', 'foreign'])),
  queries: described('How many there were', z.int()),
  p5: described('Confidence that 5 of 100 stay below', z.number()),
  p50: described('Confidence that half stay below', z.number()),
  p95: described('Confidence that 95 of 100 stay below', z.number()),
});

export const calibrate = defineOperation({
  name: 'calibrate',
  summary: 'Set the bands of confidence by what this vault holds',
  effect: 'read',
  input: z.strictObject({}),
  output: () =>
    z.strictObject({
      notes: described('Notes in the index', z.int()),
      passages: described(
        'Passages that queries were made of; 0: too little text, the usual bands hold',
        z.int(),
      ),
      queries: described('Queries that were asked', z.int()),
      low: described('Least confidence of a hit that is shown unasked', z.number()),
      medium: described('Least confidence of the band medium', z.number()),
      high: described('Least confidence of the band high', z.number()),
      probes: described('What confidence each kind of query came to', z.array(probe)),
      ms: described('Milliseconds it took', z.number()),
    }),
  positional: [],
  run: async ({ openMemory, signal, notice, report }) =>
    (await openMemory()).calibrate({ signal, notice, report }),
  toText: (output) => {
    const bands = `low from ${output.low}, medium from ${output.medium}, high from ${output.high}`;
    if (output.queries === 0) return `too little text to calibrate with; the usual bands hold: ${bands}`;
    return [
      bands,
      ...output.probes.map(
        ({ kind, queries, p5, p50, p95 }) =>
          `  ${MEANINGS[kind].padEnd(28)} ${grouped(queries).padStart(3)} queries: half below ${p50}, 5 % below ${p5}, 5 % above ${p95}`,
      ),
      `${count(output.queries, 'query', 'queries')} from ${count(output.passages, 'passage')} of ${count(output.notes, 'note')} · ${grouped(output.ms)} ms`,
    ].join('\n');
  },
});
