/** `search`: finds notes. The ranking is in core/retrieval. */

import * as z from 'zod/mini';
import type { SearchExplanation } from '../core/memory/explain-search.js';
import { SEARCH_PROFILE_NAMES } from '../core/retrieval/profile-names.js';
import { described } from './described.js';
import { noteFilters } from './note-filters.js';
import { defineOperation, type Page } from './operation.js';
import { age, count, displayWidth, oneLine } from './wording.js';

const hit = () =>
  z.strictObject({
    path: described('Path of the note, relative to the vault', z.string()),
    line: described('Line of the best words in it, counted from 1', z.int()),
    title: described('Title of the note', z.string()),
    headings: described('Headings above that line, outermost first', z.array(z.string())),
    snippet: described('Text around the best words', z.string()),
    score: described('For comparing the hits of one search', z.number()),
    date: described('Date of the note', z.string()),
    uri: described('Opens it in Obsidian', z.string()),
    band: described('How sure: high, medium, low or none', z.string()),
  });

const droppedPart = () =>
  z.strictObject({
    text: described('The part', z.string()),
    reason: described('Why, in words', z.string()),
  });

type Hit = Readonly<Omit<z.output<ReturnType<typeof hit>>, 'headings'>> & {
  readonly headings: readonly string[];
};

type Reply = {
  readonly hits: readonly Hit[];
  readonly checkedMsAgo: number;
  readonly notes: number;
  readonly dropped: readonly { readonly text: string }[];
  readonly streams: readonly string[];
  readonly band: string;
  readonly gate: string;
};

export const search = defineOperation({
  name: 'search',
  summary: 'Find notes by exact words and by meaning',
  effect: 'read',
  input: z.strictObject({
    query: described('Words to look for; any text is valid', z.string()),
    limit: z._default(described('Most hits', z.int().check(z.minimum(1), z.maximum(1000))), 10),
    ...noteFilters,
    exclude: z.optional(described('Note to leave out', z.array(z.string()))),
    full: z._default(described('List hits far below the best', z.boolean()), false),
    profile: z.optional(described('What counts most', z.enum(SEARCH_PROFILE_NAMES))),
    words: z._default(described('By words alone', z.boolean()), false),
    semantic: z._default(described('Always ask the larger model', z.boolean()), false),
    nearest: z._default(described('List the nearest if none answers', z.boolean()), false),
    explain: z._default(described('Explain the scores', z.boolean()), false),
    maxTokens: z.optional(
      described('Cut the list of hits to about this many tokens', z.int().check(z.minimum(1))),
    ),
    refresh: z.optional(described('Look at the notes on disk first, or not', z.boolean())),
  }),
  output: () =>
    z.strictObject({
      hits: described('Notes, best first', z.array(hit())),
      checkedMsAgo: described('Milliseconds since the notes on disk were looked at', z.number()),
      notes: described('Notes searched', z.int()),
      dropped: described('Parts of the query that were left out', z.array(droppedPart())),
      streams: described('Ways of finding that took part', z.array(z.string())),
      band: described('Of the best hit; with none there are no hits', z.string()),
      reason: described('Why there are no hits', z.string()),
      hint: described('What to try then', z.string()),
      gate: described('Why the larger model was asked, or not, and what came of it', z.string()),
      explain: z.optional(
        described(
          'With explain: words, gate, and what each score is made of',
          z.record(z.string(), z.unknown()),
        ),
      ),
    }),
  positional: ['query'],
  run: async ({ openMemory, signal, notice }, { refresh, ...input }) => {
    const freshness = refresh === undefined ? 'auto' : refresh ? 'always' : 'never';
    const { explain, ...found } = await (await openMemory()).search(
      { ...input, freshness },
      { signal, notice },
    );
    return explain ? { ...found, explain: { ...explain } } : found;
  },
  toText: (output, page) => {
    const { explain } = output as { readonly explain?: SearchExplanation };
    return [
      ...output.hits.map((found, at) => {
        const why = explain?.hits[at];
        return [hitText(found, at + 1, page), ...(why ? [whyText(why, page)] : [])].join('\n');
      }),
      ...(output.reason === '' ? [] : [oneLine(output.reason), page.faint(output.hint)]),
      ...(explain ? [planText(explain, page)] : []),
      footer(output, page),
    ].join('\n');
  },
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
    `${output.streams.length > 1 ? output.streams.join(' + ') : `${only} only`}${modelText(output)}`,
    output.hits.length > 0 && output.band === 'low' ? 'low confidence' : '',
    output.dropped.length > 0 ? `left out ${output.dropped.map(({ text }) => oneLine(text)).join(' ')}` : '',
    page.elapsedMs === undefined ? '' : `${Math.round(page.elapsedMs)} ms`,
    `checked ${age(output.checkedMsAgo)}`,
  ];
  return page.faint(parts.filter((part) => part !== '').join(' · '));
}

/** What became of asking the larger model, and the reranker. */
function modelText({ gate }: Reply): string {
  const [, ...asked] = gate.split('; ');
  return asked.map((part) => `, ${part}`).join('');
}

function whyText({ contributions, score, lacks }: SearchExplanation['hits'][number], page: Page): string {
  const parts = contributions.map(
    ({ kind, text, amount }) => `${oneLine(text === '' ? kind : `${kind} ${text}`)} ${amount.toFixed(3)}`,
  );
  const missing = lacks.length === 0 ? '' : ` · without ${lacks.map(oneLine).join(', ')}`;
  return page.faint(`   ${parts.join(' + ')} = ${score.toFixed(3)}${missing}`);
}

function planText({ words, missing, gate, candidates, cut, ms }: SearchExplanation, page: Page): string {
  const asked = words.map(
    ({ term, notes, gain }) => `${oneLine(term)} (${count(notes, 'note')}, ${gain.toFixed(2)})`,
  );
  const lines = [
    `words: ${asked.join(', ')}${missing.length === 0 ? '' : `; in no note: ${missing.map(oneLine).join(', ')}`}`,
    gate
      ? `gate: ${gate.reason}; coverage ${gate.coverage.toFixed(2)}, best passage ${gate.passageCoverage.toFixed(2)}, unknown ${gate.unknown.toFixed(2)}, lead ${gate.lead.toFixed(2)}`
      : 'gate: not asked',
    `${count(candidates, 'candidate')}, ${cut} cut · check ${ms.check} ms, ranking ${ms.rank} ms, model ${ms.model} ms`,
  ];
  return page.faint(lines.join('\n'));
}
