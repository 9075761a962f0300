/** `doctor`: what a person would want to mend in the vault, and how. */

import * as z from 'zod/mini';
import { described } from './described.js';
import { defineOperation, type Page } from './operation.js';
import { byteSize, count, oneLine } from './wording.js';

const KINDS = [
  'skipped',
  'settings',
  'encoding',
  'conflict-markers',
  'properties',
  'conflict-copy',
  'twins',
  'duplicate-block',
  'broken-link',
  'ambiguous-link',
  'inferred-link',
  'ignored',
] as const;

const HEADINGS: Readonly<Record<(typeof KINDS)[number], string>> = {
  skipped: 'skipped',
  settings: 'settings that cannot be read',
  encoding: 'not plain UTF-8',
  'conflict-markers': 'conflict markers of git',
  properties: 'properties that cannot be read',
  'conflict-copy': 'copies that a sync program made',
  twins: 'paths that some disks take for one',
  'duplicate-block': 'block ids that stand twice',
  'broken-link': 'links that lead nowhere',
  'ambiguous-link': 'links that could mean another note',
  'inferred-link': 'links by alias or title',
  ignored: 'ignored',
};

const finding = z.strictObject({
  path: z.string(),
  line: described('Counted from 1; 0: the whole note', z.int()),
  message: z.string(),
  fix: described('The command or edit that mends it', z.string()),
});

export const doctor = defineOperation({
  name: 'doctor',
  summary: 'Find what is wrong in the vault or the index, and say how to mend it',
  effect: 'read',
  input: z.strictObject({
    note: z.optional(described('Only what concerns this note', z.string())),
    limit: z._default(
      described('Most findings to list of each kind', z.int().check(z.minimum(1), z.maximum(100_000))),
      20,
    ),
  }),
  output: z.strictObject({
    vault: z.string(),
    notes: z.int(),
    findings: z.array(z.strictObject({ kind: z.enum(KINDS), total: z.int(), items: z.array(finding) })),
    index: z.strictObject({ place: z.string(), schema: z.int(), bytes: z.int(), lastCheck: z.string() }),
  }),
  positional: ['note'],
  run: async ({ openMemory, signal, notice, report }, input) =>
    (await openMemory()).doctor(input, { signal, notice, report }),
  toText: (output, page) =>
    [
      ...output.findings.flatMap((group) => groupLines(group, page)),
      page.faint(
        `${count(
          output.findings.reduce((sum, { total }) => sum + total, 0),
          'finding',
        )} in ${count(output.notes, 'note')} · index ${byteSize(output.index.bytes)} in ${oneLine(output.index.place)}`,
      ),
    ].join('\n'),
});

type Group = {
  readonly kind: (typeof KINDS)[number];
  readonly total: number;
  readonly items: readonly Readonly<z.output<typeof finding>>[];
};

function groupLines({ kind, total, items }: Group, page: Page): readonly string[] {
  const rest = total - items.length;
  return [
    `${HEADINGS[kind]} (${total})`,
    ...items.map(({ path, line, message, fix }) => {
      const place = page.path(`${oneLine(path)}${line > 0 ? `:${line}` : ''}`);
      return `  ${place}   ${oneLine(message)}\n      ${page.faint(oneLine(fix))}`;
    }),
    ...(rest > 0 ? [page.faint(`  and ${rest} more: --limit ${total}`)] : []),
  ];
}
