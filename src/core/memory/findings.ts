/** What doctor finds, one function a kind of trouble. */

import { isConflictCopy, isLikelyCopy, originalOfCopy, possibleOriginal } from '../note/conflict-copy.js';
import { lookupKey } from '../note/lookup-key.js';
import type { StoredNote } from '../note/stored-note.js';
import type { NoteIndex } from '../ports.js';
import { resolveAll } from './links.js';
import type { FindingItem, FindingKind } from './memory.js';
import type { NoteTexts } from './note-texts.js';

export type Finding = FindingItem & { readonly kind: FindingKind };

/** Flags are set when a note is read (note/read-note.ts). */
export function flaggedNotes(notes: readonly StoredNote[]): readonly Finding[] {
  return notes.flatMap(({ path, flags }) =>
    flags.map(
      (flag): Finding => ({
        kind: flag.kind,
        path,
        line: flag.line,
        message: flag.message,
        fix: FLAG_FIXES[flag.kind],
      }),
    ),
  );
}

const FLAG_FIXES = {
  encoding: 'Save the note as UTF-8; until then it is searched and never written to.',
  'conflict-markers': 'Choose a side and remove the lines <<<<<<<, ======= and >>>>>>>.',
  properties: 'Mend that line of the property block; the rest of the note is searched.',
  'duplicate-block': 'Give one of the two another id.',
} as const;

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
      group.map(
        (path): Finding => ({
          kind: 'twins',
          path,
          line: 0,
          message: `differs only in case or accents' form from ${group.filter((other) => other !== path).join(', ')}`,
          fix: 'Rename one: a disk without regard to case keeps only one of them.',
        }),
      ),
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
    new Set(found.map(({ path }) => path)).size < 2
      ? []
      : found.map(
          ({ path, line }): Finding => ({
            kind: 'duplicate-block',
            path,
            line,
            message: `^${id} stands also in ${found
              .filter((other) => other.path !== path)
              .map((other) => `${other.path}:${other.line}`)
              .join(', ')}`,
            fix: 'Keep the line in one note; remove the other, or its id.',
          }),
        ),
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
    if (isConflictCopy(path)) found.push(copyFinding(path, originalOfCopy(path)!));
    else if (original !== undefined && paths.has(original)) numbered.push([path, original]);
  }
  await texts.load(numbered.flat());
  for (const [copy, original] of numbered) {
    if (isLikelyCopy(texts.get(copy) ?? '', texts.get(original) ?? ''))
      found.push(copyFinding(copy, original));
  }
  return found;
}

function copyFinding(path: string, original: string): Finding {
  return {
    kind: 'conflict-copy',
    path,
    line: 0,
    message: `looks like a copy of ${original} that a sync program made`,
    fix: `Compare it with ${original}, take over what is missing there, and delete the copy.`,
  };
}

export async function linkFindings(
  index: NoteIndex,
  notes: readonly StoredNote[],
): Promise<readonly Finding[]> {
  const pathOf = new Map(notes.map((note) => [note.number, note.path]));
  const resolved = await resolveAll(index, await index.links({}), pathOf);
  return resolved.flatMap(({ link, from, to }): readonly Finding[] => {
    const at = { path: from, line: link.line };
    if (to.kind === 'missing' && to.candidates.length === 0) {
      return [
        {
          ...at,
          kind: 'broken-link',
          message: `leads to "${link.target}", which is not there`,
          fix: `Make the note, or change the link in ${from}:${link.line}.`,
        },
      ];
    }
    if (to.kind === 'missing') {
      return [
        {
          ...at,
          kind: 'ambiguous-link',
          message: `"${link.target}" is the title or alias of ${to.candidates.join(', ')}`,
          fix: `Write the path of the one meant: [[${to.candidates[0]!.replace(/\.md$/i, '')}|${link.target}]].`,
        },
      ];
    }
    if (to.kind === 'note' && to.others.length > 0) {
      return [
        {
          ...at,
          kind: 'ambiguous-link',
          message: `"${link.target}" leads to ${to.path}, but could mean ${to.others.slice(0, 5).join(', ')}`,
          fix: `Write its path: ${to.path.replace(/\.md$/i, '')}.`,
        },
      ];
    }
    if (to.kind === 'inferred') {
      return [
        {
          ...at,
          kind: 'inferred-link',
          message: `"${link.target}" is the ${to.by} of ${to.path}; Obsidian leaves it unresolved`,
          fix: `Write [[${to.path.replace(/\.md$/i, '')}|${link.target}]].`,
        },
      ];
    }
    return [];
  });
}
