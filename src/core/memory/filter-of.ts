/** The filters over notes that callers give, as the index takes them. */

import { dateFilter } from '../note/date-filter.js';
import { parsePropertyTest } from '../note/property-test.js';
import type { NoteFilter } from '../note/stored-note.js';
import type { NoteIndex } from '../ports.js';
import type { CallOptions } from './memory.js';
import type { NoteFilters } from './search-types.js';

export function filterOf(input: NoteFilters, by: 'created' | 'updated'): NoteFilter {
  return {
    folder: input.folder === undefined ? undefined : plainFolder(input.folder),
    tag: input.tag === undefined ? undefined : plainTag(input.tag),
    type: input.type,
    where: input.where?.map(parsePropertyTest),
    dated: dateFilter(by, input),
  };
}

/** Says why nothing was found where that is the filters' doing. */
export async function noticeEmptyScope(
  index: NoteIndex,
  { folder }: NoteFilter,
  options: CallOptions,
): Promise<void> {
  if (folder !== undefined && (await index.filter({ folder }))?.length === 0) {
    options.notice?.(`there are no notes in a folder "${folder}"`);
  } else options.notice?.('no note passes the filters');
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
