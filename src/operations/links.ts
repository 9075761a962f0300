/** `links`: what a note points to and what points to it. The resolving is in core/note/resolve-link.ts. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation, type Page } from './operation.js';
import { count, grouped, oneLine } from './wording.js';

const linkPlace = z.strictObject({
  path: described('The note at the other end; empty where there is none', z.string()),
  line: described('Line of the link: in this note, for back in the other', z.int()),
  target: described('What the link says, decoded', z.string()),
  text: described('The line around it', z.string()),
  state: described(
    'How the link was understood; inferred: by an alias or title, which Obsidian leaves unresolved',
    z.enum(['resolved', 'ambiguous', 'inferred', 'unresolved', 'attachment']),
  ),
  partMissing: described('Whether the note has no such heading or block as the link names', z.boolean()),
  candidates: described('Other notes it could mean', z.array(z.string())),
});

type LinkPlace = Omit<z.output<typeof linkPlace>, 'candidates'> & { readonly candidates: readonly string[] };

/** Those that the text lists; the others are among them. */
const GROUPS = ['out', 'embeds', 'back', 'unresolved'] as const;
type Group = (typeof GROUPS)[number];

const HEADINGS: Readonly<Record<Group, string>> = {
  out: 'links to',
  embeds: 'embeds',
  back: 'linked from',
  unresolved: 'leads nowhere',
};

const places = (description: string) => described(description, z.array(linkPlace));
const total = (of: string) => described(`All of ${of}`, z.int());

export const links = defineOperation({
  name: 'links',
  summary: 'List what a note links to, what links to it, and links that lead nowhere',
  effect: 'read',
  input: z.strictObject({
    note: described('Path of the note, its title or an alias', z.string()),
    limit: z._default(
      described('Most links to list of each kind', z.int().check(z.minimum(1), z.maximum(10_000))),
      100,
    ),
  }),
  output: () =>
    z.strictObject({
      path: described('Path of the note, relative to the vault', z.string()),
      title: described('Title of the note', z.string()),
      out: places('Links from the note to others and to attachments, in the order written'),
      back: places('Links from other notes to it, by their paths'),
      embeds: places('Notes and attachments it embeds'),
      unresolved: places('Links and embeds that lead to no note'),
      ambiguous: places('Those of the above, from this note, that could mean another note'),
      inferred: places('Those of out and embeds that only an alias or title leads to'),
      totals: described(
        'Links of each kind, those beyond the limit too',
        z.strictObject({
          out: total('out'),
          back: total('back'),
          embeds: total('embeds'),
          unresolved: total('unresolved'),
          ambiguous: total('ambiguous'),
          inferred: total('inferred'),
        }),
      ),
    }),
  positional: ['note'],
  run: async ({ openMemory, signal, notice }, input) => (await openMemory()).links(input, { signal, notice }),
  toText: (output, page) =>
    [
      `${page.path(oneLine(output.path))}   ${oneLine(output.title)}`,
      ...GROUPS.flatMap((group) => groupLines(group, output[group], output.totals[group], page)),
      page.faint(footer(output.totals)),
    ].join('\n'),
});

function groupLines(group: Group, found: readonly LinkPlace[], all: number, page: Page): readonly string[] {
  if (found.length === 0) return [];
  const lines = found.map((place) => {
    const name = place.path === '' ? oneLine(place.target) : page.path(oneLine(place.path));
    const where = group === 'back' ? `:${place.line}` : `   line ${place.line}`;
    return `  ${name}${where}   ${remark(group, place)}${page.faint(oneLine(place.text))}`;
  });
  const rest = all - found.length;
  const more = rest > 0 ? [page.faint(`  and ${grouped(rest)} more: --limit ${all}`)] : [];
  return [`${HEADINGS[group]} (${grouped(all)})`, ...lines, ...more];
}

/** What is unsure about a link. */
function remark(group: Group, { state, target, partMissing, candidates }: LinkPlace): string {
  if (partMissing) return `(${target.includes('#^') ? 'no such block' : 'no such heading'})   `;
  if (state === 'inferred') return '(by alias or title)   ';
  if (candidates.length === 0) return '';
  const others = candidates.map(oneLine).join(', ');
  return group === 'unresolved' ? `(one of ${others})   ` : `(or ${others})   `;
}

function footer(totals: Readonly<Record<Group | 'ambiguous' | 'inferred', number>>): string {
  const parts = [
    `${count(totals.out, 'link')} out`,
    totals.embeds > 0 ? `${grouped(totals.embeds)} embedded` : '',
    `${grouped(totals.back)} back`,
    totals.unresolved > 0 ? `${grouped(totals.unresolved)} unresolved` : '',
    totals.ambiguous > 0 ? `${grouped(totals.ambiguous)} ambiguous` : '',
    totals.inferred > 0 ? `${grouped(totals.inferred)} inferred` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
