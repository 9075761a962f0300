/** `doctor`: what a person would want to mend in the vault, and how. What it finds is in core/memory/findings.ts. */

import * as z from 'zod/mini';
import { FINDING_KINDS, type FindingKind } from '../core/memory/finding-kinds.js';
import { described } from './described.js';
import { indexNeighbours } from './index-neighbours.js';
import { defineOperation, type Page } from './operation.js';
import { byteSize, count, grouped, oneLine } from './wording.js';

const HEADINGS: Readonly<Record<FindingKind, string>> = {
  skipped: 'skipped',
  settings: 'settings that cannot be read',
  encoding: 'not plain UTF-8',
  'conflict-markers': 'conflict markers of git',
  properties: 'properties that cannot be read',
  'conflict-copy': 'copies that a sync program made',
  twins: 'paths that some disks take for one',
  'duplicate-block': 'block ids that stand twice',
  'broken-link': 'links that lead nowhere',
  'missing-part': 'links to headings and blocks that are not there',
  'ambiguous-link': 'links that could mean another note',
  'inferred-link': 'links by alias or title',
  ignored: 'ignored',
};

const finding = z.strictObject({
  path: described('Path of the note, relative to the vault', z.string()),
  line: described('Counted from 1; 0: the whole note', z.int()),
  message: described('What is wrong', z.string()),
  fix: described('The command or edit that mends it', z.string()),
});

export const doctor = defineOperation({
  name: 'doctor',
  summary: 'Find what is wrong with the notes and their links, and say how to mend it',
  effect: 'read',
  input: z.strictObject({
    note: z.optional(described('Only what stands in this note: its path, title or an alias', z.string())),
    limit: z._default(
      described('Most findings to list of each kind', z.int().check(z.minimum(1), z.maximum(100_000))),
      20,
    ),
  }),
  output: () =>
    z.strictObject({
      vault: described('Absolute path of the vault', z.string()),
      notes: described('Notes in the index', z.int()),
      findings: described(
        'By kind, what keeps a note out of search first',
        z.array(
          z.strictObject({
            kind: described('What kind of trouble', z.enum(FINDING_KINDS)),
            total: described('Findings of this kind, those beyond the limit too', z.int()),
            items: described('By path and line', z.array(finding)),
          }),
        ),
      ),
      index: described(
        'The derived data, which can be deleted',
        z.strictObject({
          place: described('Where it lies', z.string()),
          schema: described('Version of the index format', z.int()),
          bytes: described('Size on disk', z.int()),
          lastCheck: described('ISO moment of the last comparison with the notes on disk', z.string()),
          ...indexNeighbours,
        }),
      ),
    }),
  positional: ['note'],
  run: async ({ openMemory, signal, notice, report }, input) =>
    (await openMemory()).doctor(input, { signal, notice, report }),
  toText: (output, page) => {
    const troubles = output.findings.filter(({ kind }) => kind !== 'ignored');
    const total = troubles.reduce((sum, group) => sum + group.total, 0);
    const ignored = output.findings.find(({ kind }) => kind === 'ignored')?.total ?? 0;
    const parts = [
      `${total === 0 ? 'nothing to mend' : count(total, 'finding')} in ${count(output.notes, 'note')}`,
      ignored > 0 ? `${count(ignored, 'file')} ignored` : '',
      `index ${byteSize(output.index.bytes)} in ${oneLine(output.index.place)}`,
      output.index.lockedBy === '' ? '' : `written by ${oneLine(output.index.lockedBy)}`,
      output.index.orphans.length === 0
        ? ''
        : `${count(output.index.orphans.length, 'file')} beside it may be deleted: ${output.index.orphans.map(oneLine).join(', ')}`,
    ];
    return [
      ...output.findings.flatMap((group) => groupLines(group, page)),
      page.faint(parts.filter((part) => part !== '').join(' · ')),
    ].join('\n');
  },
});

type Group = {
  readonly kind: FindingKind;
  readonly total: number;
  readonly items: readonly Readonly<z.output<typeof finding>>[];
};

function groupLines({ kind, total, items }: Group, page: Page): readonly string[] {
  const rest = total - items.length;
  return [
    `${HEADINGS[kind]} (${grouped(total)})`,
    ...items.flatMap(({ path, line, message, fix }, at) => {
      const place = page.path(`${oneLine(path)}${line > 0 ? `:${line}` : ''}`);
      const first = `  ${place}   ${oneLine(message)}`;
      // What mends several in a row is said once, below the last of them.
      return items[at + 1]?.fix === fix ? first : [first, `    → ${oneLine(fix)}`];
    }),
    ...(rest > 0 ? [page.faint(`  and ${grouped(rest)} more: --limit ${total}`)] : []),
  ];
}
