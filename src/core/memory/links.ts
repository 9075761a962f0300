/** The links of a note in both directions, resolved as the contract says (note/resolve-link.ts). */

import { LinkPlaces } from '../note/link-places.js';
import { lookupKey, stemKey } from '../note/lookup-key.js';
import { type NamedNote, type Resolution, resolveLink } from '../note/resolve-link.js';
import type { StoredLink, StoredNote } from '../note/stored-note.js';
import type { NoteIndex } from '../ports.js';
import { findNote } from './find-note.js';
import { refreshBefore } from './freshness.js';
import { linksByTarget } from './links-by-target.js';
import type { CallOptions } from './memory.js';
import { lineAround, NoteTexts } from './note-texts.js';
import type { Places } from './places.js';
import type { LinkPlace, LinksInput, LinksOutput } from './reading-types.js';

const DEFAULT_LIMIT = 100;

export async function links(
  places: Places,
  input: LinksInput,
  options: CallOptions = {},
): Promise<LinksOutput> {
  await refreshBefore(places, 'auto', options);
  const { index } = places;
  const note = await findNote(places, input.note);
  const limit = input.limit ?? DEFAULT_LIMIT;
  const all = await resolveAll(
    index,
    await index.links({ from: note.number }),
    new Map([[note.number, note.path]]),
  );
  const own = all.filter(({ link }) => link.target !== '');
  const groups = {
    out: own.filter(({ link, to }) => link.kind === 'link' && to.kind !== 'missing'),
    back: await linksTo(index, note),
    embeds: own.filter(({ link, to }) => link.kind === 'embed' && to.kind !== 'missing'),
    unresolved: own.filter(({ to }) => to.kind === 'missing'),
    ambiguous: own.filter(({ to }) => isAmbiguous(to)),
    inferred: own.filter(({ to }) => to.kind === 'inferred'),
  };
  const texts = new NoteTexts(places.vault);
  await texts.load(Object.values(groups).flatMap((group) => group.slice(0, limit).map(({ from }) => from)));
  const listed = Object.values(groups).flatMap((group) => group.slice(0, limit));
  const withoutPart = await missingParts(texts, listed);
  const shown = (group: readonly ResolvedLink[]) =>
    group
      .slice(0, limit)
      .map((found) => linkPlace(found, group === groups.back, texts, withoutPart.has(found.link)));
  return {
    path: note.path,
    title: note.title,
    out: shown(groups.out),
    back: shown(groups.back),
    embeds: shown(groups.embeds),
    unresolved: shown(groups.unresolved),
    ambiguous: shown(groups.ambiguous),
    inferred: shown(groups.inferred),
    totals: {
      out: groups.out.length,
      back: groups.back.length,
      embeds: groups.embeds.length,
      unresolved: groups.unresolved.length,
      ambiguous: groups.ambiguous.length,
      inferred: groups.inferred.length,
    },
  };
}

export type ResolvedLink = { readonly link: StoredLink; readonly from: string; readonly to: Resolution };

export function isAmbiguous(to: Resolution): boolean {
  return (to.kind === 'note' && to.others.length > 0) || (to.kind === 'missing' && to.candidates.length > 0);
}

/** Resolves links whose notes' paths are known. */
export async function resolveAll(
  index: NoteIndex,
  found: readonly StoredLink[],
  pathOf: ReadonlyMap<number, string>,
): Promise<readonly ResolvedLink[]> {
  const keys = new Set<string>();
  for (const link of found) {
    keys.add(link.targetKey);
    keys.add(lookupKey(link.target.replace(/\.md$/i, '')));
  }
  const named = await index.named([...keys]);
  const lookUp = (key: string): readonly NamedNote[] => named.get(key) ?? [];
  return found.flatMap((link) => {
    const from = pathOf.get(link.from);
    return from === undefined ? [] : [{ link, from, to: resolveLink(link, from, lookUp) }];
  });
}

/** Links from other notes that lead here, inferred ones too, by path of the other note. */
export async function linksTo(index: NoteIndex, note: StoredNote): Promise<readonly ResolvedLink[]> {
  const keys = new Set([stemKey(note.path), stemKey(note.title), ...note.aliases.map(stemKey)]);
  const found = (await index.links({ keys: [...keys] })).filter((link) => link.from !== note.number);
  const sources = await index.notes([...new Set(found.map((link) => link.from))]);
  const pathOf = new Map(sources.map((source) => [source.number, source.path]));
  const resolved = await resolveAll(index, found, pathOf);
  return resolved
    .filter(({ to }) => (to.kind === 'note' || to.kind === 'inferred') && to.path === note.path)
    .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.link.start - b.link.start));
}

/** Those of the links whose note lacks the heading or block that they name. */
async function missingParts(
  texts: NoteTexts,
  found: readonly ResolvedLink[],
): Promise<ReadonlySet<StoredLink>> {
  const byTarget = linksByTarget(found);
  const missing = new Set<StoredLink>();
  await texts.load([...byTarget.keys()]);
  for (const [path, links] of byTarget) {
    const text = texts.get(path);
    const there = text === undefined ? undefined : new LinkPlaces(text);
    for (const { link } of links) if (there && !there.hold(link)) missing.add(link);
  }
  return missing;
}

function linkPlace(
  { link, from, to }: ResolvedLink,
  isBack: boolean,
  texts: NoteTexts,
  partMissing: boolean,
): LinkPlace {
  const text = texts.get(from);
  const path = isBack ? from : to.kind === 'note' || to.kind === 'inferred' ? to.path : '';
  const part = link.block !== '' ? `#^${link.block}` : link.heading !== '' ? `#${link.heading}` : '';
  return {
    path,
    line: link.line,
    target: `${link.target}${part}`,
    text: text === undefined ? '' : lineAround(text, link.start, link.end),
    state: stateOf(to),
    partMissing,
    candidates: to.kind === 'note' ? to.others : to.kind === 'missing' ? to.candidates : [],
  };
}

function stateOf(to: Resolution): LinkPlace['state'] {
  if (to.kind === 'note') return to.others.length > 0 ? 'ambiguous' : 'resolved';
  if (to.kind === 'missing') return to.candidates.length > 0 ? 'ambiguous' : 'unresolved';
  return to.kind;
}
