/** Note paths given by callers: kept inside the vault and free of what file systems or links cannot hold. */

import { MemoryError } from '../errors.js';

const RESERVED_NAME = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;
const MAX_NAME_BYTES = 255;

/**
 * A path relative to the vault, with `/`, without `.` parts. Throws `invalid_input` for absolute paths, `..`,
 * NUL and control characters and, for notes to be made, names that Windows reserves or file systems cannot hold.
 */
export function checkNotePath(given: string, purpose: 'find' | 'make'): string {
  const refuse = (why: string, hint: string) =>
    new MemoryError('invalid_input', `The path ${JSON.stringify(given)} ${why}`, { hint });
  if (given === '') throw refuse('is empty', 'Give a path like "decisions/lazy-model.md", or a title.');
  if (/[\0-\x1f\x7f]/.test(given)) {
    throw refuse('holds a control character', 'Paths in a vault are plain text on one line.');
  }
  if (/^([/\\]|[a-z]:[/\\]|~[/\\])/i.test(given)) {
    throw refuse('is absolute', 'Give it relative to the vault, as `memory search` prints it.');
  }
  const parts = given.split('/').filter((part) => part !== '' && part !== '.');
  for (const part of parts) {
    if (part === '..' || part.split('\\').includes('..')) {
      throw refuse('leads out of the vault', 'Give it relative to the vault, without "..".');
    }
    if (purpose === 'find') continue;
    if (RESERVED_NAME.test(part))
      throw refuse(`holds "${part}", which Windows reserves`, 'Choose another name.');
    if (utf8Length(part) > MAX_NAME_BYTES) {
      throw refuse(`holds a name of more than ${MAX_NAME_BYTES} bytes`, 'Choose a shorter name.');
    }
  }
  if (parts.length === 0)
    throw refuse('names no note', 'Give a path like "decisions/lazy-model.md", or a title.');
  return parts.join('/');
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
