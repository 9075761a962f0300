/** What doctor finds in links whose note is there, but not the heading or block that they name. */

import { type KnownHeading, LinkPlaces } from '../note/link-places.js';
import type { StoredLink } from '../note/stored-note.js';
import type { Finding } from './findings.js';
import { linkTo } from './link-to.js';
import type { ResolvedLink } from './links.js';
import { linksByTarget } from './links-by-target.js';
import { NoteTexts } from './note-texts.js';
import type { Places } from './places.js';

/** Notes read between two turns. */
const NOTES_AT_ONCE = 16;
/** Of the headings that a note has, a message names so many. */
const MOST_NAMED = 5;

/** Only the notes that such links name are read, each once. */
export async function placeFindings(
  { vault, clock }: Pick<Places, 'vault' | 'clock'>,
  resolved: readonly ResolvedLink[],
): Promise<readonly Finding[]> {
  const byTarget = linksByTarget(resolved);
  const paths = [...byTarget.keys()];
  const found = new Map<StoredLink, Finding>();
  for (let from = 0; from < paths.length; from += NOTES_AT_ONCE) {
    const batch = paths.slice(from, from + NOTES_AT_ONCE);
    const texts = new NoteTexts(vault);
    await texts.load(batch);
    for (const path of batch) {
      const text = texts.get(path);
      if (text === undefined) continue;
      const there = new LinkPlaces(text);
      for (const link of byTarget.get(path)!) {
        if (!there.hold(link.link)) found.set(link.link, findingOf(link, path, there));
      }
    }
    await clock.giveTurn();
  }
  return resolved.flatMap(({ link }) => found.get(link) ?? []);
}

function findingOf({ link, from }: ResolvedLink, path: string, there: LinkPlaces): Finding {
  const part = link.block === '' ? 'heading' : 'block';
  const name = link.block === '' ? `#${link.heading}` : `#^${link.block}`;
  const note = link.target === '' ? 'this note' : path;
  return {
    kind: 'missing-part',
    path: from,
    line: link.line,
    message: `"${link.target}${name}" names no ${part} of ${note}`,
    fix: fixFor(link, path, there),
  };
}

function fixFor(link: StoredLink, path: string, there: LinkPlaces): string {
  const almost = there.almost(link);
  if (almost) return `Put a space ${almost.space} the "${almost.sign}" in ${path}:${almost.line}`;
  if (link.block !== '') {
    const near = there.blockLike(link.block);
    if (near !== undefined) return `Is ^${near} meant? Then write ${linkTo(link, link.target, `#^${near}`)}`;
    return `Put ^${link.block} behind the block that is meant, or take #^${link.block} out of the link.`;
  }
  const near = there.headingLike(link.heading);
  if (near) {
    return `Is "${near.text}" in line ${near.line} meant? Then write ${linkTo(link, link.target, partOf(link, near))}`;
  }
  const texts = there.headingTexts;
  if (texts.length === 0) return 'The note has no headings; make one, or change the link.';
  const rest = texts.length - MOST_NAMED;
  const shown = texts.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `Name one of those that are there: ${shown}`;
}

/** In the link's own way: as a slug, or by its words without what a link cannot hold. */
function partOf(link: StoredLink, { text }: KnownHeading): string {
  const isWeb = link.form === 'markdown' || link.form === 'reference';
  if (isWeb && !/[\s\p{Lu}]/u.test(link.heading)) {
    const letters = text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '');
    return `#${letters.trim().replace(/\s/g, '-')}`;
  }
  const words = text.replace(/[#^[\]|]|%%/g, ' ');
  return `#${words.replace(/\s+/g, ' ').trim()}`;
}
