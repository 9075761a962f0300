/**
 * What an independent parser sees in a note, in the scanner's terms, and the classes of difference that are meant.
 * docs/note-format.md explains each class; a difference in no class fails the oracle test.
 */

import { remark } from 'remark';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import { visit } from 'unist-util-visit';
import { lineOf } from '../../src/core/markdown/lines.js';
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
      const sign = text[start];
      const isFence = sign === '`' || sign === '~';
      found.fences.push({
        start,
        detail: isFence ? fenceDetail(text.slice(start, end), node.position!.end.line) : 'indented',
      });
    } else if (node.type === 'link' || node.type === 'image') {
      if (isInternal(node.url)) found.links.push({ start, detail: `to ${end}` });
    } else if (node.type === 'linkReference' || node.type === 'imageReference')
      if (isInternal(urls.get(node.identifier))) found.links.push({ start, detail: `to ${end}` });
  });
  return found;
}

/** An open fence ends at its last line here, behind the blank lines that follow there. */
function fenceDetail(source: string, endLine: number): string {
  const opening = /^(`+|~+)/.exec(source)![0];
  const last = /[\n\r]([ \t>]*)([`~]+)[ \t]*$/.exec(source)?.[2];
  const isClosed = last?.startsWith(opening) && new Set(last).size === 1;
  return isClosed ? `fence to line ${endLine}` : 'open fence';
}

export function scannerSees(note: ScannedNote): Sightings {
  return {
    headings: note.headings.map(({ start, level }) => ({ start, detail: `level ${level}` })),
    fences: note.regions.flatMap(({ kind, start, endLine, closed }) => {
      if (kind === 'fence') return [{ start, detail: closed ? `fence to line ${endLine}` : 'open fence' }];
      return kind === 'indented-code' ? [{ start, detail: 'indented' }] : [];
    }),
    items: note.items.map(({ start }) => ({ start, detail: '' })),
    links: note.links
      .filter(({ form }) => form === 'markdown' || form === 'reference')
      .map(({ start, end }) => ({ start, detail: `to ${end}` })),
  };
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
    // Where exactly indented code begins in its first line is a matter of taste.
    const key = ({ start, detail }: Sighting) =>
      `${detail === 'indented' ? lineOf(note.lineStarts, start) : start} ${detail}`;
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
  const inRegion = (region: string) =>
    note.regions.some((r) => r.kind === region && r.start <= start && start < r.end);
  if (by === 'remark' && inRegion('comment')) return 'comment';
  if (by === 'remark' && inRegion('math')) return 'math';
  if (by === 'remark' && kind === 'links' && note.text.startsWith('[[', start)) return 'wikilink';
  if (by === 'remark' && kind === 'links' && note.tasks.some((task) => task.start === start + 1))
    return 'task';
  if (by === 'scanner' && kind === 'items') return classOfItem(note, start);
  if (
    kind === 'headings' &&
    note.headings.some(({ setext, start: at }) => setext && at >= start) &&
    by === 'remark'
  )
    return note.text[start] === '[' ? 'setext heading behind a definition' : undefined;
  return undefined;
}

/** CommonMark lets only paragraphs keep lists from starting; remark lets other open blocks do so too. */
function classOfItem(note: ScannedNote, start: number): string | undefined {
  const item = note.items.find((other) => other.start === start)!;
  if (item.textStart === item.textEnd) return 'empty item';
  const before = note.text.slice(note.lineStarts[item.line - 1]!, item.start);
  if (/^(?!1[.)])\d/.test(item.marker) && before.trim() !== '')
    return 'numbered item on the line of what holds it';
  const isBehindCode = note.regions.some(
    ({ kind, end }) =>
      kind === 'indented-code' && end <= item.start && note.text.slice(end, item.start).trim() === '',
  );
  return isBehindCode ? 'item behind indented code' : undefined;
}
