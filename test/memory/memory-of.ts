/** A memory over notes written for one test. Its index is kept in memory. */

import { onTestFinished } from 'vitest';
import { openSqliteIndex } from '../../src/adapters/index-sqlite/sqlite-index.js';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { systemClock } from '../../src/app/system-clock.js';
import { joinMemory } from '../../src/core/memory/join-memory.js';
import type { Memory } from '../../src/core/memory/memory.js';
import { makeTempVault, type TempVault } from '../temp-vault.js';

export type VaultWithMemory = { readonly memory: Memory; readonly vault: TempVault };

export async function memoryOf(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<VaultWithMemory> {
  const vault = makeTempVault(files);
  const index = await openSqliteIndex({ folder: undefined, clock: systemClock });
  const memory = joinMemory({ vault: openVault(vault.root), index, clock: systemClock });
  onTestFinished(() => memory.close());
  return { memory, vault };
}
