/** Looks at the whole vault for what a person would want to mend, and says how. Changes nothing. */

import { checkNotePath } from '../note/note-path.js';
import type { StoredNote } from '../note/stored-note.js';
import { findNote } from './find-note.js';
import { FINDING_KINDS } from './finding-kinds.js';
import {
  conflictCopies,
  type Finding,
  findTwins,
  flaggedNotes,
  ignoredFindings,
  repeatedFactIds,
  settingsFindings,
  skippedFindings,
} from './findings.js';
import { refreshBefore } from './freshness.js';
import type { DoctorInput, DoctorOutput } from './index-types.js';
import { linkFindings } from './link-findings.js';
import type { CallOptions } from './memory.js';
import { NoteTexts } from './note-texts.js';
import type { Places } from './places.js';
import { besideIndex } from './status.js';

const DEFAULT_LIMIT = 20;

export async function doctor(
  places: Places,
  input: DoctorInput,
  options: CallOptions = {},
): Promise<DoctorOutput> {
  await refreshBefore(places, 'always', options);
  const { index, vault } = places;
  const listing = await vault.list({ countIgnored: true, nameIgnored: true, signal: options.signal });
  const last = await index.lastCheck();
  const unread = [
    ...skippedFindings(last?.skipped ?? []),
    ...settingsFindings(listing.ruleProblems),
    ...ignoredFindings(listing.ignoredFiles),
  ];
  const only = await subjectOf(places, input.note, unread);
  const notes = await index.findNotes({});
  const findings = [
    ...unread,
    ...flaggedNotes(notes),
    ...findTwins(notes),
    ...repeatedFactIds(notes),
    ...(await conflictCopies(notes, new NoteTexts(vault))),
    ...(await linkFindings(places, notes, only?.note)),
  ].filter(({ path }) => only === undefined || path === only.path);
  return {
    vault: vault.root,
    notes: notes.length,
    findings: inGroups(findings, input.limit ?? DEFAULT_LIMIT),
    index: {
      place: index.place,
      schema: index.schema,
      bytes: (await index.counts()).bytes,
      lastCheck: last ? new Date(last.checkedAtMs).toISOString() : '',
      ...(await besideIndex(index)),
    },
  };
}

type Subject = { readonly path: string; readonly note: StoredNote | undefined };

/** What cannot be read as a note can be asked about as well. */
async function subjectOf(
  places: Places,
  named: string | undefined,
  unread: readonly Finding[],
): Promise<Subject | undefined> {
  if (named === undefined) return undefined;
  const path = checkNotePath(named.trim(), 'find');
  const known = unread.find((finding) => finding.path === path || finding.path === `${path}/`);
  if (known) return { path: known.path, note: undefined };
  const note = await findNote(places, named);
  return { path: note.path, note };
}

function inGroups(findings: readonly Finding[], limit: number): DoctorOutput['findings'] {
  return FINDING_KINDS.flatMap((kind) => {
    const items = findings.filter((finding) => finding.kind === kind);
    if (items.length === 0) return [];
    items.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
    return [{ kind, total: items.length, items: items.slice(0, limit).map(({ kind: _, ...item }) => item) }];
  });
}
