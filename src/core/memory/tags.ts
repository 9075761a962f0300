/** The tags of the vault as a tree with counts. */

import { lookupKey } from '../note/lookup-key.js';
import { plainTag } from './filter-of.js';
import { refreshBefore } from './freshness.js';
import type { CallOptions } from './memory.js';
import type { Places } from './places.js';
import type { TagCount, TagsInput, TagsOutput } from './reading-types.js';

const DEFAULT_LIMIT = 500;

export async function tags(places: Places, input: TagsInput, options: CallOptions = {}): Promise<TagsOutput> {
  await refreshBefore(places, 'auto', options);
  const bearers = await places.index.tagBearers();
  const below = input.below === undefined ? undefined : lookupKey(plainTag(input.below));

  // A note with `a/b` and `a/c` counts once for `a`.
  const direct = new Map<string, Set<number>>();
  const all = new Map<string, Set<number>>();
  const spellings = new Map<string, Map<string, number>>();
  for (const { tag, shown, note } of bearers) {
    add(direct, tag, note);
    const names = tag.split('/');
    const written = shown.split('/');
    for (let depth = names.length; depth > 0; depth -= 1) {
      const name = names.slice(0, depth).join('/');
      add(all, name, note);
      const spelling = written.slice(0, depth).join('/');
      const known = spellings.get(name) ?? new Map<string, number>();
      spellings.set(name, known.set(spelling, (known.get(spelling) ?? 0) + 1));
    }
  }
  const counts: TagCount[] = [...all]
    .filter(([tag]) => below === undefined || tag === below || tag.startsWith(`${below}/`))
    .map(([tag, notes]) => ({
      tag: commonest(spellings.get(tag)!),
      depth: tag.split('/').length - 1,
      notes: notes.size,
      direct: direct.get(tag)?.size ?? 0,
    }));
  const order = input.sort === 'count' ? byCount(counts) : byName(counts);
  return { tags: order.slice(0, input.limit ?? DEFAULT_LIMIT), total: counts.length };
}

/** Tags have no regard to case; they are shown as most notes write them. */
function commonest(spellings: ReadonlyMap<string, number>): string {
  const [first] = [...spellings].sort(([a, times], [b, others]) => others - times || (a < b ? -1 : 1));
  return first![0];
}

function add(map: Map<string, Set<number>>, tag: string, note: number): void {
  const notes = map.get(tag);
  if (notes) notes.add(note);
  else map.set(tag, new Set([note]));
}

/** Parents before children: `/` sorts before every character a tag may hold. */
function byName(counts: readonly TagCount[]): readonly TagCount[] {
  const key = ({ tag }: TagCount) => tag.toLowerCase().replaceAll('/', '\0');
  return [...counts].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Siblings by falling count, each followed by what is nested in it. */
function byCount(counts: readonly TagCount[]): readonly TagCount[] {
  const children = new Map<string, TagCount[]>();
  for (const count of byName(counts)) {
    const parent = count.tag.slice(0, Math.max(0, count.tag.lastIndexOf('/')));
    const known = counts.some(({ tag }) => tag.toLowerCase() === parent.toLowerCase())
      ? parent.toLowerCase()
      : '';
    const siblings = children.get(known);
    if (siblings) siblings.push(count);
    else children.set(known, [count]);
  }
  const walk = (parent: string): readonly TagCount[] =>
    [...(children.get(parent) ?? [])]
      .sort((a, b) => b.notes - a.notes)
      .flatMap((count) => [count, ...walk(count.tag.toLowerCase())]);
  return walk('');
}
