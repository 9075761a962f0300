/**
 * What doctor finds in links: broken, ambiguous and inferred ones, each with the link that would be sure. What they name
 * in a note is place-findings.ts.
 */

import { lookupKey, stemKey } from '../note/lookup-key.js';
import type { StoredNote } from '../note/stored-note.js';
import type { Finding } from './findings.js';
import { linkTo } from './link-to.js';
import { type ResolvedLink, resolveAll } from './links.js';
import { placeFindings } from './place-findings.js';
import type { Places } from './places.js';

/** Of the notes that a link could mean, a message names so many. */
const MOST_NAMED = 5;

/** Without their signs, C, C++ and C# would be one. */
const SHORTEST_NAME = 2;

/** Links of all `notes`, or of one of them. */
export async function linkFindings(
  places: Places,
  notes: readonly StoredNote[],
  only?: StoredNote,
): Promise<readonly Finding[]> {
  const { index } = places;
  const pathOf = new Map(notes.map((note) => [note.number, note.path]));
  const links = await index.links(only === undefined ? {} : { from: only.number });
  const resolved = await resolveAll(index, links, pathOf);
  const similar = new SimilarNotes(notes);
  return [
    ...resolved.flatMap((found) => linkFinding(found, similar) ?? []),
    ...(await placeFindings(places, resolved)),
  ];
}

function linkFinding({ link, from, to }: ResolvedLink, similar: SimilarNotes): Finding | undefined {
  const at = { path: from, line: link.line };
  if (to.kind === 'missing' && to.candidates.length === 0) {
    const meant = similar.to(link.target).filter((path) => path !== from);
    return {
      ...at,
      kind: 'broken-link',
      message: `leads to "${link.target}", which is not there`,
      fix:
        meant.length === 0
          ? 'Make that note, or change the link.'
          : `Is ${someOf(meant)} meant? Then write ${linkTo(link, meant[0]!)}`,
    };
  }
  if (to.kind === 'missing') {
    return {
      ...at,
      kind: 'ambiguous-link',
      message: `"${link.target}" is a name of ${someOf(to.candidates)}`,
      fix: `Write which is meant, such as ${linkTo(link, to.candidates[0]!)}`,
    };
  }
  if (to.kind === 'note') {
    // Paths that differ in case alone are no choice, but twins, which doctor finds for themselves.
    const others = to.others.filter((other) => lookupKey(other) !== lookupKey(to.path));
    if (others.length === 0) return undefined;
    return {
      ...at,
      kind: 'ambiguous-link',
      message: `"${link.target}" leads to ${to.path}, but could mean ${someOf(others)}`,
      fix: `Write ${linkTo(link, to.path)}`,
    };
  }
  if (to.kind === 'inferred') {
    return {
      ...at,
      kind: 'inferred-link',
      message: `"${link.target}" is the ${to.by} of ${to.path}; Obsidian leaves it unresolved`,
      fix: `Write ${linkTo(link, to.path)}`,
    };
  }
  return undefined;
}

function someOf(paths: readonly string[]): string {
  const rest = paths.length - MOST_NAMED;
  return paths.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Finds what a broken link may have meant: a note that was moved, or one that is called the same but for signs. */
class SimilarNotes {
  private readonly byStem = new Map<string, Set<string>>();
  private readonly byLetters = new Map<string, Set<string>>();

  constructor(notes: readonly StoredNote[]) {
    for (const { path, title, aliases } of notes) {
      add(this.byStem, stemKey(path), path);
      for (const name of [stemKey(path), title, ...aliases]) add(this.byLetters, lettersOf(name), path);
    }
  }

  to(target: string): readonly string[] {
    const found = this.byStem.get(stemKey(target)) ?? this.byLetters.get(lettersOf(stemKey(target))) ?? [];
    return [...found].sort();
  }
}

function add(map: Map<string, Set<string>>, key: string, path: string): void {
  if (key.length < SHORTEST_NAME) return;
  const paths = map.get(key);
  if (paths) paths.add(path);
  else map.set(key, new Set([path]));
}

function lettersOf(name: string): string {
  return lookupKey(name).replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}
