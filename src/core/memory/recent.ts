/** Notes by the time they last changed, or were made. */

import { obsidianUri } from '../note/obsidian-uri.js';
import { filterOf, noticeEmptyScope } from './filter-of.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import type { RecentInput, RecentOutput } from './reading-types.js';

const DEFAULT_LIMIT = 20;

export async function recent(
  places: Places,
  input: RecentInput,
  options: CallOptions = {},
): Promise<RecentOutput> {
  await refreshBefore(places, 'auto', options);
  const { index, vault } = places;
  const by = input.by ?? 'updated';
  const filter = filterOf(input, by);
  const newest = await index.findNotes(filter, { newestBy: by, limit: input.limit ?? DEFAULT_LIMIT });
  const total = (await index.filter(filter))?.length ?? (await index.shape()).noteCount;
  if (total === 0) await noticeEmptyScope(index, filter, options);
  return {
    by,
    notes: newest.map((note) => ({
      path: note.path,
      title: note.title,
      created: note.created.text,
      updated: note.updated.text,
      uri: obsidianUri(vault.root, note.path),
    })),
    total,
  };
}
