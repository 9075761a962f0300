/** Copies that sync programs leave beside a note when two machines changed it. */

/**
 * By name alone: Dropbox and Nextcloud `(… conflicted copy …)`, Obsidian Sync `(Conflicted copy …)`, Syncthing
 * `.sync-conflict-…`.
 */
export function isConflictCopy(path: string): boolean {
  return originalOfCopy(path) !== undefined;
}

/** The path of the note that it is a copy of. */
export function originalOfCopy(path: string): string | undefined {
  const match = /^(.*?) ?(?:\([^()/]*conflicted copy[^()/]*\)|\.sync-conflict-[^/]*)(\.md)$/i.exec(path);
  return match ? `${match[1]}${match[2]}` : undefined;
}

/** `Note 2.md` may be a copy of `Note.md`; whether it is, its content decides (isLikelyCopy). */
export function possibleOriginal(path: string): string | undefined {
  const match = /^(.*\S) (\d{1,2})(\.md)$/i.exec(path);
  return match ? `${match[1]}${match[3]}` : undefined;
}

/** A bare `Note 2.md` is a copy when it shares a block id or four fifths of its lines with the note. */
export function isLikelyCopy(copy: string, original: string): boolean {
  const ids = new Set(blockIdsOf(original));
  if (blockIdsOf(copy).some((id) => ids.has(id))) return true;
  const lines = linesOf(copy);
  if (lines.length === 0) return false;
  const known = new Set(linesOf(original));
  return lines.filter((line) => known.has(line)).length >= lines.length * 0.8;
}

function blockIdsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|\s)\^([A-Za-z0-9-]+)\s*$/gm)].map((match) => match[1]!);
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
