/** Reads the text that a command takes from stdin. Which inputs may be `-`: quirks.ts; lists of objects: items.ts. */

import { MemoryError } from '../../core/errors.js';

/** The input of that name as stdin has it. stdin can be read once, so one text alone may come from it. */
export async function readStdinText(
  command: string,
  names: readonly string[],
  readStdin: () => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  const [name, second] = names;
  if (name === undefined) return {};
  if (second !== undefined) {
    throw new MemoryError('invalid_input', `${command}: ${names.join(' and ')} cannot both be stdin`, {
      hint: 'Give one of them as text.',
    });
  }
  return { [name]: await readStdin() };
}
