/** Reads the one list of objects an operation may take, `items`, as JSON lines from a file or stdin. */

import { readFile } from 'node:fs/promises';
import { MemoryError } from '../../core/errors.js';

export async function readItems(from: string, readStdin: () => Promise<string>): Promise<unknown[]> {
  const text = from === '-' ? await readStdin() : await readText(from);
  const items: unknown[] = [];
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    try {
      items.push(JSON.parse(line));
    } catch (cause) {
      const place = `line ${at + 1} of ${from === '-' ? 'stdin' : from}`;
      throw new MemoryError('invalid_input', `No JSON in ${place}`, {
        hint: 'Write one JSON object a line.',
        cause,
      });
    }
  });
  return items;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new MemoryError('not_found', `Cannot read "${path}"`, { cause });
  }
}
