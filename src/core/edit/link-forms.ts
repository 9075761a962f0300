/** How a link names its note: the same way of writing it, for a note that has another path. Where it is put: relink.ts. */

import { lookupKey } from '../note/lookup-key.js';
import type { LinkTarget } from '../note/resolve-link.js';

/**
 * Targets that lead to `wanted`, nearest to the old way of writing first. `from` is the note that holds the link,
 * before and after the move; `old` is where the link led.
 */
export function targetsLike(
  link: LinkTarget,
  old: string,
  wanted: string,
  from: { readonly before: string; readonly after: string },
): readonly string[] {
  const ending = /\.md$/i.exec(link.target)?.[0];
  const written = ending === undefined ? link.target : link.target.slice(0, -3);
  const base = wanted.replace(/\.md$/i, '');
  const own = relativePath(folderOf(from.after), base);
  const bare = (path: string) => path.replace(/\.md$/i, '');
  const ordered = (): readonly string[] => {
    if (written.startsWith('/')) return [`/${base}`];
    if (/^\.\.?\//.test(written)) return [own.startsWith('../') ? own : `./${own}`];
    if (link.form === 'markdown' || link.form === 'reference') {
      const joined = joinedPath(folderOf(from.before), written);
      const isRelative = joined !== undefined && lookupKey(joined) === lookupKey(bare(old));
      if (isRelative) return [own, base];
      if (lookupKey(written) === lookupKey(bare(old))) return [base, own];
    }
    const isWhole = written.includes('/') && lookupKey(written) === lookupKey(bare(old));
    return isWhole ? [base] : endings(base, written.split('/').length);
  };
  const all = [...ordered(), ...endings(base, 1), `/${base}`];
  return [...new Set(all)].map((target) =>
    ending === undefined ? target : target + wanted.slice(base.length),
  );
}

/** The last `least` parts of a path, then more of them up to the whole. */
function endings(path: string, least: number): readonly string[] {
  const parts = path.split('/');
  const all: string[] = [];
  for (let count = Math.min(least, parts.length); count <= parts.length; count += 1) {
    all.push(parts.slice(parts.length - count).join('/'));
  }
  return all;
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** From a folder (`a/b/`, or empty) to a path, both relative to the vault. */
export function relativePath(folder: string, path: string): string {
  const from = folder.split('/').filter((part) => part !== '');
  const to = path.split('/');
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same += 1;
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/');
}

/** `a/./b/../c` as `a/c`; undefined when it leads out. */
export function joinedPath(folder: string, target: string): string | undefined {
  const parts: string[] = [];
  for (const part of `${folder}${target}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

/** A path as the destination of a Markdown link, encoded as much as the one it takes the place of. */
export function encodePath(path: string, old: string): string {
  if (old.startsWith('<')) return path.replace(/%/g, '%25').replace(/[<>\\]/g, percent);
  const encodesLetters = /%[89A-F][\dA-F]/i.test(old);
  const balanced = isBalanced(path);
  return path
    .replace(/[^A-Za-z0-9\-._~/!$'()*+,;=@]/gu, (sign) => {
      if (sign > '\u007f')
        return encodesLetters ? encodeURIComponent(sign) : /\s/u.test(sign) ? encodeURIComponent(sign) : sign;
      return percent(sign);
    })
    .replace(/[()]/g, (sign) => (balanced ? sign : percent(sign)));
}

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const sign of text) {
    if (sign === '(') depth += 1;
    else if (sign === ')' && --depth < 0) return false;
  }
  return depth === 0;
}
