/** `search`: finds notes. The ranking is in core/retrieval. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { noteFilters } from './note-filters.js';
import { defineOperation, type Page } from './operation.js';
import { age, count, displayWidth, oneLine } from './wording.js';

const hit = z.strictObject({
  path: described('Path of the note, relative to the vault', z.string()),
  line: described('Line of the best words in it, counted from 1', z.int()),
  title: described('Title of the note', z.string()),
  headings: described('Headings above that line, outermost first', z.array(z.string())),
  snippet: described('Text around the best words', z.string()),
  score: described('For comparing the hits of one search', z.number()),
  date: described('Date of the note', z.string()),
  uri: described('Opens the note in Obsidian', z.string()),
});

const droppedPart = z.strictObject({
  text: described('The part', z.string()),
  reason: described('Why, in words', z.string()),
});

type Hit = Readonly<Omit<z.output<typeof hit>, 'headings'>> & { readonly headings: readonly string[] };

type Reply = {
  readonly hits: readonly Hit[];
  readonly checkedMsAgo: number;
  readonly notes: number;
  readonly dropped: readonly { readonly text: string }[];
  readonly streams: readonly string[];
};

export const search = defineOperation({
  name: 'search',
  summary: 'Find notes by exact words and by meaning',
  effect: 'read',
  input: z.strictObject({
    query: described('Words to look for; any text is valid', z.string()),
    limit: z._default(described('Most hits to return', z.int().check(z.minimum(1), z.maximum(1000))), 10),
    ...noteFilters,
    exclude: z.optional(
      described('Path of a note to leave out, such as a hit already seen', z.array(z.string())),
    ),
    full: z._default(described('List hits far below the best ones, too', z.boolean()), false),
    words: z._default(described('Search by words alone, without meaning', z.boolean()), false),
    maxTokens: z.optional(
      described('Cut the list of hits to about this many tokens', z.int().check(z.minimum(1))),
    ),
    refresh: z.optional(
      described(
        'Compare with the notes on disk first, or do not; unless given, age and cost decide',
        z.boolean(),
      ),
    ),
  }),
  output: z.strictObject({
    hits: described('Notes, best first', z.array(hit)),
    checkedMsAgo: described('Milliseconds since the index was compared with the notes on disk', z.number()),
    notes: described('Notes searched, before filters', z.int()),
    dropped: described('Parts of the query that were left out', z.array(droppedPart)),
    streams: described('Ways of finding that took part', z.array(z.string())),
  }),
  positional: ['query'],
  run: async ({ openMemory, signal, notice }, { refresh, ...input }) => {
    const freshness = refresh === undefined ? 'auto' : refresh ? 'always' : 'never';
    return (await openMemory()).search({ ...input, freshness }, { signal, notice });
  },
  toText: (output, page) =>
    [...output.hits.map((found, at) => hitText(found, at + 1, page)), footer(output, page)].join('\n'),
});

function hitText(found: Hit, rank: number, page: Page): string {
  const place = `${oneLine(found.path)}:${found.line}`;
  const heading = headingPath(found);
  const indent = ' '.repeat(`${rank}  `.length);
  const bare = `${rank}  ${place}   ${heading}`;
  const dressed = `${rank}  ${page.path(place, found.uri)}   ${page.found(heading)}`;
  const snippet = oneLine(found.snippet);
  const first = `${dressed}${dateAtEdge(bare, found.date, page)}`;
  return snippet === '' ? first : `${first}\n${indent}${page.found(snippet)}`;
}

function headingPath({ title, headings }: Hit): string {
  const below = headings[0] === title ? headings.slice(1) : headings;
  return [title, ...below].map(oneLine).join(' › ');
}

/** The date at the right edge where there are columns, else three spaces on. */
function dateAtEdge(before: string, date: string, page: Page): string {
  if (date === '') return '';
  const room = page.columns === undefined ? 0 : page.columns - displayWidth(before) - date.length;
  return `${' '.repeat(Math.max(3, room))}${page.faint(date)}`;
}

function footer(output: Reply, page: Page): string {
  const [only = 'nothing'] = output.streams;
  const parts = [
    `${count(output.hits.length, 'hit')} in ${count(output.notes, 'note')}`,
    output.streams.length > 1 ? output.streams.join(' + ') : `${only} only`,
    output.dropped.length > 0 ? `left out ${output.dropped.map(({ text }) => oneLine(text)).join(' ')}` : '',
    page.elapsedMs === undefined ? '' : `${Math.round(page.elapsedMs)} ms`,
    `checked ${age(output.checkedMsAgo)}`,
  ];
  return page.faint(parts.filter((part) => part !== '').join(' · '));
}
