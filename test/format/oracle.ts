/**
 * What an independent parser sees in a note, in the scanner's terms, and the classes of difference that are meant.
 * docs/note-format.md explains each class; a difference in no class fails the oracle test.
 */

import { remark } from 'remark';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import { visit } from 'unist-util-visit';
import { scan } from '../../src/core/markdown/scan.js';
import type { ScannedNote } from '../../src/core/markdown/scanned-note.js';

export const KINDS = ['headings', 'fences', 'items', 'links'] as const;
export type Kind = (typeof KINDS)[number];

/** One thing found: where it starts, and what must agree besides. */
export type Sighting = { readonly start: number; readonly detail: string };
export type Sightings = Readonly<Record<Kind, readonly Sighting[]>>;

const parser = remark().use(remarkGfm).use(remarkFrontmatter, ['yaml']);
const SCHEME = /^[A-Za-z][A-Za-z\d+.-]+:/;

function isInternal(url: string | undefined): boolean {
  return url !== undefined && url !== '' && url !== '#' && !SCHEME.test(url) && !url.startsWith('//');
}

export function remarkSees(text: string): Sightings {
  // Its offsets do not count a byte order mark.
  const shift = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const tree = parser.parse(text);
  const urls = new Map<string, string>();
  visit(tree, 'definition', ({ identifier, url }) => {
    if (!urls.has(identifier)) urls.set(identifier, url);
  });
  const found: Record<Kind, Sighting[]> = { headings: [], fences: [], items: [], links: [] };
  visit(tree, (node) => {
    const start = (node.position?.start.offset ?? 0) + shift;
    const end = (node.position?.end.offset ?? 0) + shift;
    if (node.type === 'heading') found.headings.push({ start, detail: `level ${node.depth}` });
    else if (node.type === 'listItem') found.items.push({ start, detail: '' });
    else if (node.type === 'code') {
      const isFence = /^[`~]/.test(text.slice(start));
      found.fences.push({ start, detail: isFence ? `fence to line ${node.position!.end.line}` : 'indented' });
    } else if (node.type === 'link' || node.type === 'image') {
      if (isInternal(node.url)) found.links.push({ start, detail: `to ${end}` });
    } else if (node.type === 'linkReference' || node.type === 'imageReference')
      if (isInternal(urls.get(node.identifier))) found.links.push({ start, detail: `to ${end}` });
  });
  return found;
}

export function scannerSees(note: ScannedNote): Sightings {
  return {
    headings: note.headings.map(({ start, level }) => ({ start, detail: `level ${level}` })),
    fences: note.regions.flatMap(({ kind, start, endLine }) => {
      if (kind === 'fence') return [{ start, detail: `fence to line ${endLine}` }];
      return kind === 'indented-code' ? [{ start: codeStart(note, start), detail: 'indented' }] : [];
    }),
    items: note.items.map(({ start }) => ({ start, detail: '' })),
    links: note.links
      .filter(({ form }) => form === 'markdown' || form === 'reference')
      .map(({ start, end }) => ({ start, detail: `to ${end}` })),
  };
}

/** Indented code starts with its indentation there, with its first sign here. */
function codeStart(note: ScannedNote, start: number): number {
  return start - /[ \t]*$/.exec(note.text.slice(Math.max(0, start - 200), start))![0].length;
}

export type Difference = {
  readonly kind: Kind;
  readonly by: 'remark' | 'scanner';
  readonly start: number;
  readonly detail: string;
  /** Undefined: unexplained. */
  readonly class: string | undefined;
};

/** All that one of the two sees and the other does not. */
export function differences(text: string): Difference[] {
  const note = scan(text);
  const theirs = remarkSees(text);
  const ours = scannerSees(note);
  const all: Difference[] = [];
  for (const kind of KINDS) {
    const key = ({ start, detail }: Sighting) => `${kind === 'fences' && detail === 'indented' ? note.text.slice(0, start).split('\n').length : start} ${detail}`;
    const their = new Set(theirs[kind].map(key));
    const our = new Set(ours[kind].map(key));
    const add = (by: Difference['by'], { start, detail }: Sighting) =>
      all.push({ kind, by, start, detail, class: classOf(note, kind, by, start) });
    for (const sighting of theirs[kind]) if (!our.has(key(sighting))) add('remark', sighting);
    for (const sighting of ours[kind]) if (!their.has(key(sighting))) add('scanner', sighting);
  }
  return all;
}

function classOf(note: ScannedNote, kind: Kind, by: Difference['by'], start: number): string | undefined {
  const inRegion = (region: string) => note.regions.some((r) => r.kind === region && r.start <= start && start < r.end);
  if (by === 'remark' && inRegion('comment')) return 'comment';
  if (by === 'remark' && inRegion('math')) return 'math';
  if (by === 'remark' && kind === 'links' && note.text.startsWith('[[', start)) return 'wikilink';
  return undefined;
}
