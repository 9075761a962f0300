/**
 * Rewrites the links of one note after a move: those to the moved note, and, in the moved note itself, those that no
 * longer lead where they did. Only the path within a link changes. How it is spelt: link-forms.ts.
 */

import { skipWhiteSpace } from '../markdown/characters.js';
import { destinationEnd, normaliseLabel } from '../markdown/link-parts.js';
import { scan } from '../markdown/scan.js';
import type { Link, ScannedNote } from '../markdown/scanned-note.js';
import { lookupKey } from '../note/lookup-key.js';
import { type LinkTarget, type NameLookUp, type Resolution, resolveLink } from '../note/resolve-link.js';
import { encodePath, folderOf, joinedPath, relativePath, targetsLike } from './link-forms.js';
import { applyChanges, type TextChange } from './text-change.js';

export type Move = {
  /** The note that is moved. */
  readonly from: string;
  readonly to: string;
  /** Who answers to a name before the move, and after it. */
  readonly before: NameLookUp;
  readonly after: NameLookUp;
};

export type LeftLink = { readonly line: number; readonly target: string; readonly reason: string };

export type Relinked = {
  readonly note: ScannedNote;
  readonly links: number;
  readonly left: readonly LeftLink[];
};

/** `path` is the note's own, before the move; `files`: paths of other files that are there, for relative links to them. */
export function relink(note: ScannedNote, path: string, move: Move, files: ReadonlySet<string>): Relinked {
  const holder = { before: path, after: path === move.from ? move.to : path };
  const rewrites = new Map<number, Rewrite>();
  const left: LeftLink[] = [];
  const leave = (link: Link, reason: string) => left.push({ line: link.line, target: link.target, reason });
  note.links.forEach((link, at) => {
    if (link.target === '') return;
    const found = newTarget(link, holder, move, files);
    if (found.kind === 'same') return;
    if (found.kind === 'left') {
      leave(link, found.reason);
      return;
    }
    const change = changeOf(note, link, found.target);
    if (change === undefined) leave(link, 'its path was not found in the text');
    // Links by reference share the path in their definition.
    else if (rewrites.has(change.start)) rewrites.get(change.start)!.targets.set(at, found.target);
    else rewrites.set(change.start, { change, targets: new Map([[at, found.target]]) });
  });
  if (rewrites.size === 0) return { note, links: 0, left };
  const all = [...rewrites.values()].sort((a, b) => a.change.start - b.change.start);
  const whole = rewritten(note, all);
  if (whole !== undefined) return { note: whole, links: countLinks(all), left };
  const good = all.filter((rewrite) => rewritten(note, [rewrite]) !== undefined);
  const partly = rewritten(note, good);
  const kept = partly === undefined ? [] : good;
  for (const { targets } of all.filter((rewrite) => !kept.includes(rewrite))) {
    for (const at of targets.keys()) leave(note.links[at]!, 'it cannot be rewritten where it stands');
  }
  return { note: kept.length === 0 ? note : (partly ?? note), links: countLinks(kept), left };
}

type Rewrite = { readonly change: TextChange; readonly targets: Map<number, string> };

function countLinks(rewrites: readonly Rewrite[]): number {
  return rewrites.reduce((sum, { targets }) => sum + targets.size, 0);
}

/** The note with these links rewritten; undefined where, read again, it does not say what was meant. */
function rewritten(note: ScannedNote, rewrites: readonly Rewrite[]): ScannedNote | undefined {
  const after = scan(
    applyChanges(
      note.text,
      rewrites.map(({ change }) => change),
    ),
  );
  return isAsMeant(note, after, new Map(rewrites.flatMap(({ targets }) => [...targets]))) ? after : undefined;
}

/** Paths of files that relative links of the note could mean, for the vault to say which are there. */
export function relativeFiles(note: ScannedNote, path: string): readonly string[] {
  return note.links.flatMap((link) => {
    const isRelative = link.form === 'markdown' || link.form === 'reference' || /^\.\.?\//.test(link.target);
    const joined =
      isRelative && !link.target.startsWith('/') ? joinedPath(folderOf(path), link.target) : undefined;
    return joined === undefined ? [] : [joined];
  });
}

type Found =
  | { readonly kind: 'same' }
  | { readonly kind: 'left'; readonly reason: string }
  | { readonly kind: 'new'; readonly target: string };

const SAME: Found = { kind: 'same' };

function newTarget(
  link: Link,
  holder: { readonly before: string; readonly after: string },
  move: Move,
  files: ReadonlySet<string>,
): Found {
  const before = resolveLink(link, holder.before, move.before);
  if (before.kind === 'inferred') {
    return before.path === move.from
      ? { kind: 'left', reason: `it leads here by ${before.by}, which Obsidian does not follow` }
      : SAME;
  }
  if (before.kind !== 'note') return newFileTarget(link, holder, files);
  const wanted = before.path === move.from ? move.to : before.path;
  const after = resolveLink(link, holder.after, move.after);
  // Other programs know Markdown links as relative paths only, so one that was a path stays one.
  const isPath = isRelativePath(link, holder.before, before.path);
  if (leadsTo(after, wanted) && (!isPath || isRelativePath(link, holder.after, wanted))) return SAME;
  if (before.path !== move.from && holder.before === holder.after) {
    return { kind: 'left', reason: `it led to "${before.path}" and leads to the moved note now` };
  }
  const others = before.others.length;
  for (const target of targetsLike(link, before.path, wanted, holder)) {
    const resolved = resolveLink({ target, form: link.form }, holder.after, move.after);
    // A name that was clear before does not become one that has to be chosen.
    if (leadsTo(resolved, wanted) && (others > 0 || !hasChoice(resolved))) return { kind: 'new', target };
  }
  return { kind: 'left', reason: 'no way of writing it leads to the new path alone' };
}

/** A relative link to a picture or another file that stays where it is, from a note that leaves. */
function newFileTarget(
  link: Link,
  holder: { readonly before: string; readonly after: string },
  files: ReadonlySet<string>,
): Found {
  const folder = folderOf(holder.after);
  if (folder === folderOf(holder.before) || link.target.startsWith('/')) return SAME;
  if (link.form !== 'markdown' && link.form !== 'reference' && !/^\.\.?\//.test(link.target)) return SAME;
  const file = joinedPath(folderOf(holder.before), link.target);
  if (file === undefined || !files.has(file)) return SAME;
  const target = relativePath(folder, file);
  return {
    kind: 'new',
    target: link.target.startsWith('./') && !target.startsWith('../') ? `./${target}` : target,
  };
}

function isRelativePath(link: Link, holder: string, path: string): boolean {
  if (link.form !== 'markdown' && link.form !== 'reference') return false;
  const joined = joinedPath(folderOf(holder), link.target.replace(/\.md$/i, ''));
  return joined !== undefined && lookupKey(joined) === lookupKey(path.replace(/\.md$/i, ''));
}

function leadsTo(resolution: Resolution, path: string): boolean {
  return resolution.kind === 'note' && resolution.path === path;
}

function hasChoice(resolution: Resolution): boolean {
  return resolution.kind === 'note' && resolution.others.length > 0;
}

function changeOf(note: ScannedNote, link: Link, target: string): TextChange | undefined {
  if (link.form === 'wiki' || link.form === 'property') return wikiChange(note, link, target);
  const span = link.form === 'markdown' ? destinationOf(note.text, link) : definitionOf(note, link);
  return span && destinationChange(note.text, span, target);
}

/** From behind the brackets to the first `#`, `|` or `\|`, without the white space at its edges. */
function wikiChange({ text, properties }: ScannedNote, link: Link, target: string): TextChange | undefined {
  const open = text.startsWith('![[', link.start) ? 3 : 2;
  const inner = text.slice(link.start + open, link.end - 2);
  const stop = inner.search(/#|\\?\|/);
  const path = stop < 0 ? inner : inner.slice(0, stop);
  if (path.trim() === '') return undefined;
  const start = link.start + open + (path.length - path.trimStart().length);
  const end = start + path.trim().length;
  const isProperty = properties !== undefined && link.start < properties.end;
  return { start, end, text: isProperty ? quotedAs(text, link.start, target) : target };
}

/** Within YAML quotes their own sign is doubled or escaped. */
function quotedAs(text: string, start: number, target: string): string {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const quote = /(?:^|[\s[,:-])(["'])[^"']*$/.exec(line)?.[1];
  if (quote === "'") return target.replaceAll("'", "''");
  return quote === '"' ? target.replace(/["\\]/g, '\\$&') : target;
}

type Span = { readonly start: number; readonly end: number };

/** The destination in `[text](destination "title")`. */
function destinationOf(text: string, link: Link): Span | undefined {
  const close = link.start + (text[link.start] === '!' ? 2 : 1) + link.shown.length;
  const at = text.startsWith('](', close) ? close : text.lastIndexOf('](', link.end);
  if (at < link.start) return undefined;
  const start = skipWhiteSpace(text, at + 2, link.end);
  const end = destinationEnd(text, start, link.end);
  return end < 0 ? undefined : { start, end };
}

/** The destination in `[label]: destination`, of the first definition with the link's label. */
function definitionOf(note: ScannedNote, link: Link): Span | undefined {
  const { text } = note;
  const written = text.slice(link.start, link.end).replace(/^!/, '');
  const full = /\]\[([^\]]+)\]$/.exec(written)?.[1];
  const label = normaliseLabel(full ?? link.shown);
  const pattern =
    /^[ \t>]*(?:[-*+][ \t]+)?\[((?:[^\]\\]|\\.)+)\]:[ \t]*(?:\r?\n[ \t>]*)?(<[^<>\r\n]*>|[^\s<]\S*)/gm;
  for (const match of text.matchAll(pattern)) {
    if (normaliseLabel(match[1]!) !== label) continue;
    const end = match.index + match[0].length;
    const isCode = note.regions.some(
      ({ kind, start, end }) =>
        (kind === 'fence' || kind === 'indented-code') && start <= match.index && match.index < end,
    );
    if (!isCode) return { start: end - match[2]!.length, end };
  }
  return undefined;
}

function destinationChange(text: string, { start, end }: Span, target: string): TextChange {
  const raw = text.slice(start, end);
  const open = raw.startsWith('<') ? 1 : 0;
  const sign = raw.indexOf('#');
  const stop = sign < 0 ? raw.length - open : sign;
  return { start: start + open, end: start + stop, text: encodePath(target, raw) };
}

/** Read again, the rewritten links name their new targets, and nothing else has become another link. */
function isAsMeant(before: ScannedNote, after: ScannedNote, targets: ReadonlyMap<number, string>): boolean {
  if (before.links.length !== after.links.length) return false;
  return before.links.every((link, at) => {
    const now = after.links[at]!;
    const target = targets.get(at);
    const isSame =
      now.kind === link.kind &&
      now.form === link.form &&
      now.heading === link.heading &&
      now.block === link.block;
    return (
      isSame &&
      lookupKey(now.target) === lookupKey(target ?? (sharesDefinition(link) ? now.target : link.target))
    );
  });
}

/** Links of one definition change together. */
function sharesDefinition({ form }: LinkTarget): boolean {
  return form === 'reference';
}
