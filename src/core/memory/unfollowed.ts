/** Links of other notes that would lead nowhere if a note were gone. */

import { lookupKey } from '../note/lookup-key.js';
import { type NamedNote, resolveLink } from '../note/resolve-link.js';
import type { NoteIndex } from '../ports.js';
import { linksTo } from './links.js';

export type UnfollowedLink = { readonly path: string; readonly line: number; readonly target: string };

export async function unfollowed(index: NoteIndex, path: string): Promise<readonly UnfollowedLink[]> {
  const [note] = await index.findNotes({ paths: [path] });
  if (note === undefined) return [];
  const back = await linksTo(index, note);
  const keys = back.flatMap(({ link }) => [link.targetKey, lookupKey(link.target.replace(/\.md$/i, ''))]);
  const named = await index.named([...new Set(keys)]);
  const without = (key: string): readonly NamedNote[] =>
    (named.get(key) ?? []).filter((other) => other.path !== path);
  return back
    .filter(({ link, from }) => !['note', 'inferred'].includes(resolveLink(link, from, without).kind))
    .map(({ link, from }) => ({ path: from, line: link.line, target: link.target }));
}
