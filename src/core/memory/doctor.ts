/** Looks at the whole vault for what a person would want to mend, and says how. Changes nothing. */

import type { Places } from './bring-up-to-date.js';
import { findNote } from './find-note.js';
import {
  conflictCopies,
  type Finding,
  findTwins,
  flaggedNotes,
  linkFindings,
  repeatedFactIds,
} from './findings.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions, DoctorInput, DoctorOutput, FindingKind } from './memory.js';
import { NoteTexts } from './note-texts.js';

const DEFAULT_LIMIT = 20;

/** The order of the report: what keeps a note out of search first, matters of taste last. */
const KINDS: readonly FindingKind[] = [
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
];

export async function doctor(
  places: Places,
  input: DoctorInput,
  options: CallOptions = {},
): Promise<DoctorOutput> {
  await refreshBefore(places, 'always', options);
  const { index, vault } = places;
  const only = input.note === undefined ? undefined : (await findNote(index, input.note)).path;
  const listing = await vault.list({ countIgnored: true, nameIgnored: true, signal: options.signal });
  const notes = await index.findNotes({});
  const last = await index.lastCheck();

  const findings: Finding[] = [
    ...(last?.skipped ?? []).map(
      ({ path, reason }): Finding => ({
        kind: 'skipped',
        path,
        line: 0,
        message: reason,
        fix: fixForSkipped(path, reason),
      }),
    ),
    ...listing.ruleProblems.map(
      ({ path, message }): Finding => ({ kind: 'settings', path, line: 0, message, fix: `Mend ${path}.` }),
    ),
    ...listing.ignoredFiles.map(
      ({ path, reason }): Finding => ({
        kind: 'ignored',
        path,
        line: 0,
        message: `left out by ${reason}`,
        fix: 'Nothing, if that is meant; else change the rule or move the note.',
      }),
    ),
    ...flaggedNotes(notes),
    ...findTwins(notes),
    ...repeatedFactIds(notes),
    ...(await conflictCopies(notes, new NoteTexts(vault))),
    ...(await linkFindings(index, notes)),
  ];
  const limit = input.limit ?? DEFAULT_LIMIT;
  const groups = KINDS.flatMap((kind) => {
    const items = findings.filter(
      (finding) => finding.kind === kind && (only === undefined || finding.path === only),
    );
    if (items.length === 0) return [];
    items.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
    return [{ kind, total: items.length, items: items.slice(0, limit).map(({ kind: _, ...item }) => item) }];
  });
  return {
    vault: vault.root,
    notes: notes.length,
    findings: groups,
    index: {
      place: index.place,
      schema: index.schema,
      bytes: (await index.counts()).bytes,
      lastCheck: last ? new Date(last.checkedAtMs).toISOString() : '',
    },
  };
}

function fixForSkipped(path: string, reason: string): string {
  if (reason.includes('permission')) return `chmod u+r ${JSON.stringify(path)}`;
  if (reason.includes('UTF-8')) return 'Rename the file to a name in UTF-8.';
  if (reason.startsWith('link'))
    return 'Put the note itself into the vault, or leave the link: it is not followed.';
  return 'Replace it by a regular file, or leave it out with .memoryignore.';
}
