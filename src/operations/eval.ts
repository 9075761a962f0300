/** `eval`: how good the ranking is, on own questions or a public collection. The measures are in core/retrieval/metrics.ts. */

import * as z from 'zod/mini';
import { PROFILE_NAMES } from '../core/retrieval/profile-names.js';
import { described } from './described.js';
import { defineOperation, type Page } from './operation.js';
import { count, oneLine } from './wording.js';

const comparison = z.strictObject({
  profile: described('The second ranking', z.string()),
  better: described('Queries whose nDCG@10 rose', z.int()),
  equal: described('Queries that stayed', z.int()),
  worse: described('Queries whose nDCG@10 fell', z.int()),
  difference: described('Mean change of nDCG@10', z.number()),
  low: described('Lower end of its 95 % interval', z.number()),
  high: described('Upper end', z.number()),
  gateSkipped: z.optional(
    described('If it is gated: share of the queries answered by words alone', z.number()),
  ),
  changed: described(
    'Queries that changed most',
    z.array(
      z.strictObject({
        query: described('Its text', z.string()),
        before: described('nDCG@10 with the first ranking', z.number()),
        after: described('nDCG@10 with the second', z.number()),
      }),
    ),
  ),
});

export const evaluation = defineOperation({
  name: 'eval',
  summary: 'Measure how well questions find their answers',
  effect: 'read',
  input: z.strictObject({
    collection: z.optional(
      described(
        'Folder with docs.jsonl, queries.jsonl and qrels.tsv; without it the golden questions of the vault are asked',
        z.string(),
      ),
    ),
    add: z.optional(described('Record this question in the vault first; needs --note', z.string())),
    note: z.optional(described('The note that answers it: path, title or alias', z.string())),
    profile: z._default(
      described('Search profile to measure; `memory profile` tells what they are', z.enum(PROFILE_NAMES)),
      'default',
    ),
    compare: z.optional(described('A second profile, compared query by query', z.enum(PROFILE_NAMES))),
    half: z._default(
      described(
        'Of a collection: all queries, or one of two fixed halves',
        z.enum(['all', 'tune', 'report']),
      ),
      'all',
    ),
    limit: z._default(
      described('Most changed queries to list', z.int().check(z.minimum(0), z.maximum(10_000))),
      10,
    ),
  }),
  output: () =>
    z.strictObject({
      collection: described('Name of the collection, or the vault', z.string()),
      documents: described('Texts or notes searched', z.int()),
      profile: described('The ranking measured', z.string()),
      queries: described('Questions asked', z.int()),
      ndcg10: described('Normalised discounted cumulative gain of the first ten', z.number()),
      recall10: described('Share of the answers among the first ten', z.number()),
      recall100: described('Share among the first hundred', z.number()),
      mrr: described('Mean of one over the rank of the first answer', z.number()),
      p50Ms: described('Milliseconds a query, median', z.number()),
      p95Ms: described('The time that one of twenty exceeds', z.number()),
      gateSkipped: z.optional(
        described('Of a gated ranking: share of the queries answered by words alone', z.number()),
      ),
      comparison: z.optional(described('The second ranking against the first', comparison)),
    }),
  positional: ['collection'],
  run: async ({ openMemory, evaluateCollection, signal, report, notice }, { collection, ...input }) => {
    const options = { signal, report, notice };
    if (collection !== undefined) return evaluateCollection(collection, input, options);
    return (await openMemory()).eval(input, options);
  },
  toText: (output, page) => {
    const measures = [
      `nDCG@10 ${output.ndcg10.toFixed(4)}`,
      `recall@10 ${output.recall10.toFixed(4)}`,
      `recall@100 ${output.recall100.toFixed(4)}`,
      `MRR ${output.mrr.toFixed(4)}`,
    ].join('   ');
    return [
      `${oneLine(output.collection)}   ${output.profile}`,
      measures,
      ...skippedLine(output),
      ...(output.comparison ? comparisonLines(output.comparison, page) : []),
      page.faint(
        `${count(output.queries, 'query', 'queries')} over ${count(output.documents, 'document')} · p50 ${output.p50Ms} ms · p95 ${output.p95Ms} ms`,
      ),
    ].join('\n');
  },
});

function skippedLine({ gateSkipped }: { readonly gateSkipped?: number | undefined }): readonly string[] {
  return gateSkipped === undefined ? [] : [`gate: ${(100 * gateSkipped).toFixed(1)} % by words alone`];
}

type Comparison = Omit<z.output<typeof comparison>, 'changed'> & {
  readonly changed: readonly { readonly query: string; readonly before: number; readonly after: number }[];
};

function comparisonLines(found: Comparison, page: Page): readonly string[] {
  const sign = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(4)}`;
  return [
    `${found.profile}: ${sign(found.difference)} (${sign(found.low)} to ${sign(found.high)}), ${found.better} better, ${found.worse} worse, ${found.equal} equal`,
    ...skippedLine(found),
    ...found.changed.map(
      ({ query, before, after }) =>
        `  ${before.toFixed(3)} → ${after.toFixed(3)}   ${page.faint(oneLine(query))}`,
    ),
  ];
}
