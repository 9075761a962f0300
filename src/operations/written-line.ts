/** The line that every write answers with: what was done, the new hash for --if-hash, the id for undo. */

import * as z from 'zod/mini';
import { described } from './described.js';
import type { Page } from './operation.js';

/** So many digits are enough to tell the versions of a note apart. */
const HASH_DIGITS = 16;

export function writtenLine(
  verb: string,
  what: string,
  { hash, id }: { readonly hash: string; readonly id: string },
  page: Page,
): string {
  const shown = hash === '' ? '' : `hash ${hash.slice(0, HASH_DIGITS)} · `;
  return `${verb} ${what} ${page.faint(`· ${shown}memory undo ${id}`)}`;
}

/** The input that holds the hash of the note as the caller saw it. */
export function ifHashField(consequence: string) {
  const hash = z
    .string()
    .check(z.regex(/^[0-9a-fA-F]{12,64}$/, 'must be a hash, or its first 12 digits or more'));
  return z.optional(described(`Hash of the note as you read it: ${consequence}`, hash));
}
