/** Texts that callers saw, by hash, in `.vectors/seen/`: what an edit of an older version is merged from. */

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = '.vectors/seen';
const MOST_LENGTH = 400_000;
const MOST_TEXTS = 400;
/** Old ones go when one in so many is kept. */
const SWEEP_SHARE = 64;

/** What cannot be kept is not: an edit of it is then refused instead of merged. */
export function keepSeenText(root: string, hash: string, text: string): void {
  if (
    text.length > MOST_LENGTH ||
    !isHash(hash) ||
    !statSync(join(root, '.vectors'), { throwIfNoEntry: false })
  )
    return;
  const folder = join(root, FOLDER);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, hash), text, { flag: 'wx', mode: 0o600 });
    if (Number.parseInt(hash.slice(0, 4), 16) % SWEEP_SHARE === 0) sweep(folder);
  } catch {
    // Kept already, or not to be kept.
  }
}

/** By the hash or the beginning of it. That what is found has it is the caller's to check. */
export function seenText(root: string, hash: string): string | undefined {
  if (!/^[0-9a-f]{12,64}$/.test(hash)) return undefined;
  const folder = join(root, FOLDER);
  try {
    const name = isHash(hash) ? hash : readdirSync(folder).find((kept) => kept.startsWith(hash));
    return name === undefined ? undefined : readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

function sweep(folder: string): void {
  const kept = readdirSync(folder).map((name) => ({ name, ms: statSync(join(folder, name)).mtimeMs }));
  kept.sort((a, b) => b.ms - a.ms);
  for (const { name } of kept.slice(MOST_TEXTS)) rmSync(join(folder, name), { force: true });
}
