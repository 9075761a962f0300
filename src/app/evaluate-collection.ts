/** Evaluation on a collection: an index in memory, no vault. */

import { resolve } from 'node:path';
import { readCollection } from '../adapters/collection-fs/read-collection.js';
import { openSqliteIndex } from '../adapters/index-sqlite/sqlite-index.js';
import { evaluateCollection as evaluate } from '../core/evaluation/evaluate-collection.js';
import type { CallOptions } from '../core/memory/memory.js';
import type { EvalInput, EvalOutput } from '../core/memory/search-types.js';
import { modelsOf } from './built-in-model.js';
import { expandHome } from './find-vault.js';
import { systemClock } from './system-clock.js';

/** Throws `not_found` for a folder that is no collection. */
export async function evaluateCollection(
  folder: string,
  input: EvalInput,
  options: CallOptions,
): Promise<EvalOutput> {
  const collection = readCollection(resolve(expandHome(folder)));
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  try {
    return await evaluate(
      collection,
      { index, clock: systemClock, ...(await modelsOf(process.env, { notice: options.notice })) },
      input,
      options,
    );
  } finally {
    await index.close();
  }
}
