/**
 * Which note a link leads to. In tiers: exact path, path that ends in the target, and only then a note whose alias or
 * title it is, which stock Obsidian leaves unresolved. Inside a tier the note's own folder wins, then the shorter
 * path, then code-point order; that there was a choice is told.
 */

import { isConflictCopy } from './conflict-copy.js';
import { lookupKey, stemKey } from './lookup-key.js';

/** A note that answers to a key, and by which of its names. */
export type NamedNote = { readonly path: string; readonly kind: 'stem' | 'title' | 'alias' };

/** Notes by the key of one of their names. */
export type NameLookUp = (key: string) => readonly NamedNote[];

export type LinkTarget = {
  readonly target: string;
  readonly form: 'wiki' | 'markdown' | 'reference' | 'property';
};

export type Resolution =
  | { readonly kind: 'note'; readonly path: string; readonly others: readonly string[] }
  | { readonly kind: 'inferred'; readonly path: string; readonly by: 'alias' | 'title' }
  | { readonly kind: 'attachment' }
  | { readonly kind: 'missing'; readonly candidates: readonly string[] };

/** Endings of files that Obsidian shows and that are no notes. */
const ATTACHMENT =
  /\.(avif|bmp|gif|jpe?g|png|svg|webp|ico|heic|tiff?|flac|m4a|mp3|ogg|oga|opus|wav|3gp|webm|mkv|mov|mp4|ogv|avi|pdf|canvas|base|excalidraw|zip|tar|gz|7z|docx?|xlsx?|pptx?|odt|ods|odp|epub|csv|tsv|json|ya?ml|xml|txt|html?|css|js|ts|py|ipynb|c|h|cpp|rs|go|java|sh|sql|toml|ini|log|bib|tex|drawio|psd|ai|sketch|fig|woff2?|ttf|otf)$/i;

export function resolveLink(link: LinkTarget, from: string, named: NameLookUp): Resolution {
  // A link that names no note points into its own.
  if (link.target === '') return { kind: 'note', path: from, others: [] };
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  const isNoteEnding = /\.md$/i.test(link.target);
  const target = lookupKey(link.target.replace(/\.md$/i, ''));
  const stems = named(stemKey(link.target)).filter((note) => note.kind === 'stem');

  for (const wanted of exactPaths(target, lookupKey(folder), link.form)) {
    const found = stems.filter((note) => pathKey(note.path) === wanted);
    if (found.length > 0) return choose(found, folder);
  }
  if (!/^(\.\.?)?\//.test(target)) {
    const suffix = `/${target}`;
    const found = stems.filter((note) => `/${pathKey(note.path)}`.endsWith(suffix));
    if (found.length > 0) return choose(found, folder);
  }
  // `[[v1.0]]` may be a note; what ends like a file of another kind is taken for one.
  if (!isNoteEnding && ATTACHMENT.test(link.target)) return { kind: 'attachment' };

  for (const by of ['alias', 'title'] as const) {
    const paths = new Set(
      named(target)
        .filter((note) => note.kind === by && !isConflictCopy(note.path))
        .map((note) => note.path),
    );
    const [path] = paths;
    if (path !== undefined && paths.size === 1) return { kind: 'inferred', path, by };
    if (paths.size > 1) return { kind: 'missing', candidates: [...paths].sort(byPath) };
  }
  return { kind: 'missing', candidates: [] };
}

/** Keys of full paths to try, in order. */
function exactPaths(target: string, folder: string, form: LinkTarget['form']): readonly string[] {
  if (target.startsWith('/')) return [target.slice(1)];
  const relative = joinPath(folder, target);
  if (/^\.\.?\//.test(target)) return relative === undefined ? [] : [relative];
  if (form === 'markdown' || form === 'reference')
    return relative === undefined ? [target] : [relative, target];
  return [target];
}

/** Undefined when `..` leads out of the vault. */
function joinPath(folder: string, target: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${folder}${target}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

function choose(found: readonly NamedNote[], folder: string): Resolution {
  const paths = [...new Set(found.map((note) => note.path))].sort((a, b) => {
    const isOwn = Number(folderOf(b) === folder) - Number(folderOf(a) === folder);
    return isOwn || a.length - b.length || byPath(a, b);
  });
  return { kind: 'note', path: paths[0]!, others: paths.slice(1) };
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

function pathKey(path: string): string {
  return lookupKey(path.replace(/\.md$/i, ''));
}

function byPath(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
