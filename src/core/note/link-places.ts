/**
 * The places in a note that links name: headings, blocks and, for Markdown links, the anchors that a web page would
 * have. It errs towards finding one, since a reader follows a link that leads near enough. What stands there:
 * note-parts.ts.
 */

import { scanOutline } from '../markdown/scan.js';
import { nearestName } from '../text/nearest-name.js';
import type { IndexedLink } from './indexed-note.js';
import { headingKey } from './note-parts.js';

const SHORTEST_LIKE = 3;

export type NamedPlace = Pick<IndexedLink, 'form' | 'heading' | 'block'>;

/** A heading as a link would name it. */
export type KnownHeading = { readonly text: string; readonly line: number };

type Outlined = KnownHeading & { readonly level: number; readonly keys: readonly string[] };

/** A line that would be the place but for a missing space. */
export type AlmostPlace = {
  readonly line: number;
  readonly space: 'before' | 'behind';
  readonly sign: string;
};

export class LinkPlaces {
  private readonly headings: readonly Outlined[];
  private readonly blocks: readonly string[];
  private webAnchors: ReadonlySet<string> | undefined;

  constructor(private readonly text: string) {
    const note = scanOutline(text);
    this.headings = note.headings.map(({ text: plain, line, level, contentStart, contentEnd }) => ({
      text: plain,
      line,
      level,
      keys: headingKeys(plain, text.slice(contentStart, contentEnd)),
    }));
    this.blocks = note.blockIds.map(({ id }) => id);
  }

  /** Whether the note has the heading or block; true for a link that names neither. */
  hold({ form, heading, block }: NamedPlace): boolean {
    if (block !== '') return this.blocks.some((id) => id.toLowerCase() === block.toLowerCase());
    if (heading === '' || this.hasHeading(heading)) return true;
    return (form === 'markdown' || form === 'reference') && this.hasWebAnchor(heading);
  }

  /** The heading that a link with a wrong one likely means: one that is called almost so, or the last of a wrong path. */
  headingLike(wanted: string): KnownHeading | undefined {
    const key = looseKey(wanted.slice(wanted.lastIndexOf('#') + 1));
    const keys = this.headings.map(({ text }) => looseKey(text));
    // Two short names that differ in a letter have nothing to do with each other.
    const near = keys.includes(key) || key.length < SHORTEST_LIKE ? key : nearestName(key, keys);
    return near === undefined || near === '' ? undefined : this.headings[keys.indexOf(near)];
  }

  blockLike(wanted: string): string | undefined {
    return nearestName(wanted, this.blocks);
  }

  /** `##Heading` and `text^id`. */
  almost({ heading, block }: NamedPlace): AlmostPlace | undefined {
    const key = headingKey(heading.slice(heading.lastIndexOf('#') + 1));
    for (const [at, line] of this.text.split('\n').entries()) {
      const [, signs, rest] = /^(#{1,6})([^#\s].*)$/.exec(line) ?? [];
      if (signs !== undefined && key !== '' && block === '' && headingKey(rest!) === key)
        return { line: at + 1, space: 'behind', sign: signs };
      if (block !== '' && line.trimEnd().endsWith(`^${block}`))
        return { line: at + 1, space: 'before', sign: `^${block}` };
    }
    return undefined;
  }

  get headingTexts(): readonly string[] {
    return this.headings.map(({ text }) => text).filter((text) => text !== '');
  }

  get blockIds(): readonly string[] {
    return this.blocks;
  }

  /** `H1#H2`: each below the one before, as headings nest or merely as they follow each other. */
  private hasHeading(wanted: string): boolean {
    const whole = headingKey(wanted);
    if (whole !== '' && this.headings.some(({ keys }) => keys.includes(whole))) return true;
    const path = wanted.split('#').map(headingKey);
    const parts = path.filter((part) => part !== '');
    // Signs alone, such as an emoji, have no key.
    if (parts.length === 0) return this.headings.some(({ text }) => text === wanted.trim());
    return this.headings.some(({ keys }, at) => keys.includes(parts.at(-1)!) && this.isBelow(at, parts));
  }

  private isBelow(at: number, parts: readonly string[]): boolean {
    let level = this.headings[at]!.level;
    let wanted = parts.length - 2;
    for (let above = at - 1; above >= 0 && wanted >= 0; above -= 1) {
      const heading = this.headings[above]!;
      if (heading.level >= level || !heading.keys.includes(parts[wanted]!)) continue;
      level = heading.level;
      wanted -= 1;
    }
    return wanted < 0;
  }

  private hasWebAnchor(wanted: string): boolean {
    const key = looseKey(wanted);
    // Every page has its top; what has a slash is no name but the state of a page, such as an open tab.
    if (key === 'top' || wanted.includes('/')) return true;
    this.webAnchors ??= new Set([...htmlAnchors(this.text), ...slugs(this.headings)]);
    return this.webAnchors.has(key);
  }
}

/** Obsidian takes the signs out of what was typed, and `[[a|b]]` gives `a b`, where readers see `b`. */
function headingKeys(plain: string, typed: string): readonly string[] {
  const key = headingKey(plain);
  if (typed === plain) return [key];
  const typedKey = headingKey(typed);
  return typedKey === key ? [key] : [key, typedKey];
}

/**
 * Slugs differ from site to site in what they make of signs (`c++-and-c`, `c-and-c`), so letters and digits alone
 * are compared.
 */
function looseKey(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]/gu, '');
}

/** A heading that stands again has a number behind its slug. */
function slugs(headings: readonly Outlined[]): readonly string[] {
  const counts = new Map<string, number>();
  return headings.flatMap(({ keys }) =>
    keys.map((key) => {
      const slug = looseKey(key);
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      return count === 0 ? slug : `${slug}${count}`;
    }),
  );
}

/** `<a name="x">`, and `id="x"` of any tag. */
function htmlAnchors(text: string): readonly string[] {
  if (!/\s(?:id|name)\s*=/i.test(text)) return [];
  const found = text.matchAll(/<[a-z][^<>]*?\s(?:id|name)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi);
  return [...found].map((match) => looseKey(match[1] ?? match[2] ?? match[3] ?? ''));
}
