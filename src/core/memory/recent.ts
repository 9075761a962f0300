/** Notes by the time they last changed, or were made. */

import { dateFilter } from '../note/date-filter.js';
import { obsidianUri } from '../note/obsidian-uri.js';
import { parsePropertyTest } from '../note/property-test.js';
import type { Places } from './bring-up-to-date.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions, RecentInput, RecentOutput } from './memory.js';

const DEFAULT_LIMIT = 20;

export async function recent(
  places: Places,
  input: RecentInput,
  options: CallOptions = {},
): Promise<RecentOutput> {
  await refreshBefore(places, 'auto', options);
  const { index, vault } = places;
  const by = input.by ?? 'updated';
  const found = await index.findNotes({
    folder: input.folder,
    tag: input.tag,
    type: input.type,
    where: input.where?.map(parsePropertyTest),
    dated: dateFilter(by, input),
  });
  const ordered = [...found].sort((a, b) => b[by].fromMs - a[by].fromMs || (a.path < b.path ? -1 : 1));
  return {
    notes: ordered.slice(0, input.limit ?? DEFAULT_LIMIT).map((note) => ({
      path: note.path,
      title: note.title,
      created: note.created.text,
      updated: note.updated.text,
      uri: obsidianUri(vault.root, note.path),
    })),
    total: ordered.length,
  };
}
