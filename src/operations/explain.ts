/** `explain`: why a note ranks where it does for a query, or not at all. The reasons are found in core/memory/explain.ts. */

import * as z from 'zod/mini';
import { SEARCH_PROFILE_NAMES } from '../core/retrieval/profile-names.js';
import { described } from './described.js';
import { noteFilters } from './note-filters.js';
import { defineOperation } from './operation.js';
import { oneLine } from './wording.js';

const contribution = z.strictObject({
  kind: described(
    'word, coverage, meaning, phrase, adjacency, span, title, alias, heading, exact or recency',
    z.string(),
  ),
  text: described('The word, phrase, model, spelling or date', z.string()),
  amount: described('What it adds', z.number()),
});

export const explain = defineOperation({
  name: 'explain',
  summary: 'Say why a note ranks where it does for a query, or why it is no hit',
  effect: 'read',
  input: z.strictObject({
    query: described('The query, as for search', z.string()),
    note: described('Path of the note, its title or an alias', z.string()),
    limit: z._default(
      described('Hits that the search would list', z.int().check(z.minimum(1), z.maximum(1000))),
      10,
    ),
    ...noteFilters,
    profile: z.optional(described('As of a search with this profile', z.enum(SEARCH_PROFILE_NAMES))),
    words: z._default(described('As of a search by words alone', z.boolean()), false),
    semantic: z._default(described('As of a search that asks the larger model', z.boolean()), false),
  }),
  output: () =>
    z.strictObject({
      path: described('Path of the note, relative to the vault', z.string()),
      verdict: described(
        'Whether the search lists it, and if not what keeps it away',
        z.enum(['shown', 'ranked', 'cut', 'abstained', 'no match', 'filtered', 'ignored']),
      ),
      rank: described('Among all notes, counted from 1; 0 where it has none', z.int()),
      score: described('The sum of the contributions', z.number()),
      contributions: described('What the score is made of', z.array(contribution)),
      lacks: described('Words of the query that the note lacks', z.array(z.string())),
      why: described('The verdict in a sentence', z.string()),
      advice: described('What would bring it up', z.string()),
    }),
  positional: ['query', 'note'],
  run: async ({ openMemory, signal, notice }, input) =>
    (await openMemory()).explain(input, { signal, notice }),
  toText: (output, page) =>
    [
      `${oneLine(output.path)}   ${oneLine(output.why)}`,
      ...output.contributions.map(
        ({ kind, text, amount }) => `  ${amount.toFixed(3).padStart(8)}  ${oneLine(`${kind} ${text}`)}`,
      ),
      ...(output.contributions.length > 0 ? [`  ${output.score.toFixed(3).padStart(8)}  in all`] : []),
      ...(output.lacks.length > 0 ? [`lacks ${output.lacks.map(oneLine).join(', ')}`] : []),
      ...(output.advice === '' ? [] : [page.faint(oneLine(output.advice))]),
    ].join('\n'),
});
