/** The refusal of a configuration file that cannot be changed without guessing. */

import { MemoryError } from '../../core/errors.js';

export function brokenConfig(path: string, line: number, reason: string): MemoryError {
  return new MemoryError('conflict', `"${path}" cannot be changed: line ${line}: ${reason}`, {
    hint: 'Mend that line in an editor, then run the command again. Nothing was written.',
    details: { path, line },
  });
}

/** Of an offset in the text, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\n|\r/).length;
}
