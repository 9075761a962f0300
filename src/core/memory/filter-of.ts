/** The filters over notes that callers give, as the index takes them. */

import { dateFilter } from '../note/date-filter.js';
import { parsePropertyTest } from '../note/property-test.js';
import type { NoteFilter } from '../note/stored-note.js';
import type { RecentInput } from './memory.js';

export function filterOf(
  input: Pick<RecentInput, 'folder' | 'tag' | 'type' | 'where' | 'after' | 'before'>,
  by: 'created' | 'updated',
): NoteFilter {
  return {
    folder: input.folder === undefined ? undefined : plainFolder(input.folder),
    tag: input.tag === undefined ? undefined : plainTag(input.tag),
    type: input.type,
    where: input.where?.map(parsePropertyTest),
    dated: dateFilter(by, input),
  };
}

/** `./decisions/`, as a shell completes it, is `decisions`; the vault itself is the empty text. */
function plainFolder(folder: string): string {
  return folder
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** `#work/` is `work`. */
export function plainTag(tag: string): string {
  return tag.trim().replace(/^#|\/+$/g, '');
}
