/** What doctor finds in files and notes, one function a kind of trouble. Links are link-findings.ts. */

import { isConflictCopy, isLikelyCopy, originalOfCopy, possibleOriginal } from '../note/conflict-copy.js';
import type { NoteFlag } from '../note/indexed-note.js';
import { lookupKey } from '../note/lookup-key.js';
import type { StoredNote } from '../note/stored-note.js';
import type { SkippedFile, VaultListing } from '../ports.js';
import { shellWord } from '../text/shell-word.js';
import type { FindingKind } from './finding-kinds.js';
import type { FindingItem } from './index-types.js';
import type { NoteTexts } from './note-texts.js';

export type Finding = FindingItem & { readonly kind: FindingKind };

export function skippedFindings(skipped: readonly SkippedFile[]): readonly Finding[] {
  return skipped.map(({ path, reason }) => ({
    kind: 'skipped',
    path,
    line: 0,
    message: reason,
    fix: fixForSkipped(path, reason),
  }));
}

function fixForSkipped(path: string, reason: string): string {
  if (reason.includes('permission')) {
    return `In the vault: chmod ${path.endsWith('/') ? 'u+rx' : 'u+r'} ${shellWord(path)}`;
  }
  if (reason.includes('cannot be read')) return 'Look at the file and its disk, then: memory reindex';
  if (reason.includes('UTF-8')) return 'Rename the file; its name has to be UTF-8.';
  if (reason.includes('its own place')) return 'Nothing, if that is meant; else replace the link by a copy.';
  if (reason.startsWith('link that leads outside')) {
    return 'Put the notes themselves into the vault: links out of it are not followed.';
  }
  if (reason.startsWith('link')) return `In the vault: rm ${shellWord(path)}`;
  return 'Replace it by a regular file, or name it in .memoryignore.';
}

export function settingsFindings(problems: VaultListing['ruleProblems']): readonly Finding[] {
  return problems.map(({ path, message }) => ({
    kind: 'settings',
    path,
    line: 0,
    message,
    fix:
      path === '.obsidian/app.json'
        ? 'Set them anew in Obsidian: Settings, Files and links, Excluded files.'
        : `Mend ${path}.`,
  }));
}

export function ignoredFindings(ignored: readonly SkippedFile[]): readonly Finding[] {
  return ignored.map(({ path, reason }) => ({
    kind: 'ignored',
    path,
    line: 0,
    message: reason,
    fix: 'Nothing, if that is meant; else change the rule, or move the note.',
  }));
}

/** Flags are set when a note is read (note/read-note.ts). */
export function flaggedNotes(notes: readonly StoredNote[]): readonly Finding[] {
  return notes.flatMap(({ path, flags }) =>
    flags.map((flag) => ({ ...flag, path, fix: fixForFlag(path, flag) })),
  );
}

function fixForFlag(path: string, { kind, message }: NoteFlag): string {
  switch (kind) {
    case 'encoding':
      return message.includes('NUL')
        ? 'Take them out in an editor; until then the note is searched and never written to.'
        : 'Save the note as UTF-8; until then it is searched and never written to.';
    case 'conflict-markers':
      return 'Choose a side and take out the lines <<<<<<<, ======= and >>>>>>>.';
    case 'duplicate-block':
      return 'Give one of the two another id, and look at the links to it.';
    case 'properties':
      if (message.includes('twice')) return 'Keep one of the two lines, or make one list of their values.';
      if (message.startsWith('template code')) {
        const folder = path.slice(0, path.lastIndexOf('/') + 1);
        return `If the note is a template, write "${folder || path}" into .memoryignore; else quote the value.`;
      }
      return 'Mend that line of the property block; what else can be read of it is read.';
  }
}

/** Paths that some disks and people take for one. */
export function findTwins(notes: readonly StoredNote[]): readonly Finding[] {
  const groups = new Map<string, string[]>();
  for (const { path } of notes) {
    const key = lookupKey(path);
    const group = groups.get(key);
    if (group) group.push(path);
    else groups.set(key, [path]);
  }
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .flatMap((group) =>
      group.map((path) => ({
        kind: 'twins',
        path,
        line: 0,
        message: `differs only in case, or in the form of accents, from ${group.filter((other) => other !== path).join(', ')}`,
        fix: 'Rename one: a disk without regard to case keeps only one of them.',
      })),
    );
}

/** Ids of facts and relations are addresses in the whole vault. */
export function repeatedFactIds(notes: readonly StoredNote[]): readonly Finding[] {
  const places = new Map<string, { readonly path: string; readonly line: number }[]>();
  for (const { path, factIds } of notes) {
    for (const { id, line } of factIds) {
      const known = places.get(id);
      if (known) known.push({ path, line });
      else places.set(id, [{ path, line }]);
    }
  }
  return [...places].flatMap(([id, found]) =>
    found.flatMap(({ path, line }) => {
      const others = found.filter((other) => other.path !== path);
      if (others.length === 0) return [];
      return {
        kind: 'duplicate-block',
        path,
        line,
        message: `^${id} stands also in ${others.map((other) => `${other.path}:${other.line}`).join(', ')}`,
        fix: 'Keep the line in one note; take it out of the other, or its id.',
      };
    }),
  );
}

export async function conflictCopies(
  notes: readonly StoredNote[],
  texts: NoteTexts,
): Promise<readonly Finding[]> {
  const paths = new Set(notes.map((note) => note.path));
  const found: Finding[] = [];
  const numbered: [copy: string, original: string][] = [];
  for (const { path } of notes) {
    const original = possibleOriginal(path);
    if (isConflictCopy(path)) found.push(copyFinding(path, originalOfCopy(path)!, paths));
    else if (original !== undefined && paths.has(original)) numbered.push([path, original]);
  }
  await texts.load(numbered.flat());
  for (const [copy, original] of numbered) {
    if (isLikelyCopy(texts.get(copy) ?? '', texts.get(original) ?? ''))
      found.push(copyFinding(copy, original, paths));
  }
  return found;
}

function copyFinding(path: string, original: string, paths: ReadonlySet<string>): Finding {
  return {
    kind: 'conflict-copy',
    path,
    line: 0,
    message: `looks like a copy of ${original} that a sync program made`,
    fix: paths.has(original)
      ? `Take over what the note lacks, and delete the copy: diff ${shellWord(original)} ${shellWord(path)}`
      : `The note itself is gone; if this is what is left of it: mv ${shellWord(path)} ${shellWord(original)}`,
  };
}
