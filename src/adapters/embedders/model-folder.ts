/** Whether the folder of a model is whole before it is opened, and what to do where it is not. */

import { MemoryError } from '../../core/errors.js';
import { missingFiles } from './encoder-files.js';
import type { SharedFacts } from './model-facts.js';

/** Throws `unavailable` with the names of the files that are missing. */
export function checkFiles({ id, dtype }: SharedFacts, folder: string, remedy: string): void {
  const missing = missingFiles(folder, dtype);
  if (missing.length === 0) return;
  throw new MemoryError('unavailable', `The model "${id}" in "${folder}" lacks ${missing.join(', ')}`, {
    hint: remedy,
  });
}

/** The next step where a model cannot be used. `without` is how to do without any. */
export function remedyFor({ id, hubId }: SharedFacts, without: string): string {
  if (hubId === '') return `Name the folder of another model, or ${without}.`;
  const name = id === hubId ? `transformers:${hubId}` : id;
  return `Download it again with \`memory model pull ${name}\`.`;
}
