/** Builds the adapters for one vault and opens its memory: the composition root. */

import { openSqliteIndex } from '../adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../adapters/vault-fs/open-vault.js';
import { joinMemory } from '../core/memory/join-memory.js';
import type { CallOptions, Memory } from '../core/memory/memory.js';
import type { Clock } from '../core/ports.js';
import { modelsOf } from './built-in-model.js';
import { findVault } from './find-vault.js';
import { placeIndex } from './index-place.js';
import { systemClock } from './system-clock.js';

export type OpenOptions = {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly workingFolder?: string;
  readonly clock?: Clock;
  /** One line for people about something out of the ordinary. */
  readonly notice?: (text: string) => void;
  /** Of the call that it is opened for: a model that is missing may be downloaded where somebody says yes. */
  readonly asking?: Pick<CallOptions, 'signal' | 'report' | 'confirm'>;
};

/**
 * Opens the memory of a vault. `vault` is a folder, relative to the working directory; without it AGENT_MEMORY_VAULT
 * counts, or the nearest vault upwards. Throws `not_found` without a vault, `unavailable` when the SQLite binding
 * cannot load. Close it when done.
 */
export async function openMemory(vault?: string, options: OpenOptions = {}): Promise<Memory> {
  const environment = options.environment ?? process.env;
  const root = findVault({
    named: vault,
    environment,
    workingFolder: options.workingFolder ?? process.cwd(),
  });
  const place = placeIndex(root, environment);
  if (place.notice !== undefined) options.notice?.(place.notice);
  const clock = options.clock ?? systemClock;
  const index = await openSqliteIndex({ folder: place.folder, clock });
  const { embedder, further, reranker } = await modelsOf(environment, {
    ...options.asking,
    notice: options.notice,
  });
  return joinMemory({
    vault: openVault(root),
    index,
    clock,
    embedder,
    reranker,
    ...(further === undefined ? {} : { further }),
  });
}
