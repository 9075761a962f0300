/** A NoteFilter as SQL over the notes table `n`. Property tests are decided by core and come as lists of notes. */

import { lookupKey } from '../../core/note/lookup-key.js';
import type { NoteFilter } from '../../core/note/stored-note.js';

/** Notes that a property test lets pass, or, when `isExcluded`, the ones it keeps out. */
export type TestedNotes = { readonly isExcluded: boolean; readonly notes: readonly number[] };

export function selectNotes(
  filter: NoteFilter,
  tested: readonly TestedNotes[],
): { readonly where: string; readonly values: readonly (string | number)[] } | undefined {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...given: readonly (string | number)[]) => {
    parts.push(sql);
    values.push(...given);
  };

  if (filter.folder !== undefined && filter.folder !== '') {
    add('n.path >= ? AND n.path < ?', `${filter.folder}/`, `${filter.folder}0`);
  }
  if (filter.tag !== undefined) {
    const tag = lookupKey(filter.tag);
    add(
      'n.number IN (SELECT note FROM tags WHERE tag = ? OR (tag >= ? AND tag < ?))',
      tag,
      `${tag}/`,
      `${tag}0`,
    );
  }
  if (filter.dated !== undefined) {
    const { by, fromMs, beforeMs } = filter.dated;
    if (fromMs > Number.NEGATIVE_INFINITY) add(`n.${by}_to > ?`, fromMs);
    if (beforeMs < Number.POSITIVE_INFINITY) add(`n.${by}_from < ?`, beforeMs);
  }
  if (filter.paths !== undefined) {
    add(`n.path IN (${filter.paths.map(() => '?').join(',')})`, ...filter.paths);
  }
  if (filter.named !== undefined) {
    add('n.number IN (SELECT note FROM names WHERE key = ?)', lookupKey(filter.named));
  }
  for (const { isExcluded, notes } of tested) {
    add(`n.number ${isExcluded ? 'NOT ' : ''}IN (SELECT value FROM json_each(?))`, JSON.stringify(notes));
  }
  if (parts.length === 0) return undefined;
  return { where: parts.map((part) => `(${part})`).join(' AND '), values };
}
