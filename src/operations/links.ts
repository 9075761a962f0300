/** `links`: what a note points to and what points to it. The resolving is in core/note/resolve-link.ts. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation, type Page } from './operation.js';
import { count, oneLine } from './wording.js';

const linkPlace = z.strictObject({
  path: described('The note at the other end; empty where there is none', z.string()),
  line: described('Line of the link: in this note, for back in the other', z.int()),
  target: described('What the link says, decoded', z.string()),
  text: described('The line around it', z.string()),
  state: z.enum(['resolved', 'ambiguous', 'inferred', 'unresolved', 'attachment']),
  candidates: described('Other notes it could have meant', z.array(z.string())),
});

type LinkPlace = Omit<z.output<typeof linkPlace>, 'candidates'> & { readonly candidates: readonly string[] };

const GROUPS = ['out', 'embeds', 'back', 'unresolved', 'ambiguous', 'inferred'] as const;
type Group = (typeof GROUPS)[number];

const HEADINGS: Readonly<Record<Group, string>> = {
  out: 'links to',
  embeds: 'embeds',
  back: 'linked from',
  unresolved: 'leads nowhere',
  ambiguous: 'could mean another note',
  inferred: 'by alias or title, which Obsidian leaves unresolved',
};

const places = z.array(linkPlace);
const total = z.int();

export const links = defineOperation({
  name: 'links',
  summary: 'List the links of a note in both directions, and those that lead nowhere',
  effect: 'read',
  input: z.strictObject({
    note: described('Path of the note, its title or an alias', z.string()),
    limit: z._default(
      described('Most links to list of each kind', z.int().check(z.minimum(1), z.maximum(10_000))),
      100,
    ),
  }),
  output: z.strictObject({
    path: z.string(),
    title: z.string(),
    out: places,
    back: places,
    embeds: places,
    unresolved: places,
    ambiguous: places,
    inferred: places,
    totals: z.strictObject({
      out: total,
      back: total,
      embeds: total,
      unresolved: total,
      ambiguous: total,
      inferred: total,
    }),
  }),
  positional: ['note'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).links(input, { signal, notice }),
  toText: (output, page) =>
    [
      `${page.path(oneLine(output.path))}   ${oneLine(output.title)}`,
      ...GROUPS.flatMap((group) => groupLines(group, output[group], output.totals[group], page)),
      page.faint(
        `${count(output.totals.out + output.totals.embeds, 'link')} out, ${output.totals.back} back, ${output.totals.unresolved} unresolved`,
      ),
    ].join('\n'),
});

function groupLines(group: Group, found: readonly LinkPlace[], all: number, page: Page): readonly string[] {
  if (found.length === 0) return [];
  const lines = found.map((place) => {
    const name = place.path === '' ? oneLine(place.target) : page.path(oneLine(place.path));
    const where = group === 'back' ? `:${place.line}` : `   line ${place.line}`;
    const others = place.candidates.length === 0 ? '' : `   (or ${place.candidates.map(oneLine).join(', ')})`;
    return `  ${name}${where}${others}   ${page.faint(oneLine(place.text))}`;
  });
  const rest = all - found.length;
  return [HEADINGS[group], ...lines, ...(rest > 0 ? [page.faint(`  and ${rest} more: --limit ${all}`)] : [])];
}
