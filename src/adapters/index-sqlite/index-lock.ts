/**
 * One writer at a time: SQLite's own lock on an empty database beside the index. The system drops it with the process
 * that holds it, however it ends, so there is no stale lock to judge. Who embeds with a further model, which may take
 * hours, holds one of its own, and the writers' only while it stores a batch.
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Patience } from '../../core/ports.js';
import {
  type EMBEDDING_LOCK_NAME,
  LOCK_NAME,
  makePrivate,
  prepareIndexFolder,
  removeHolder,
  writeHolder,
} from './index-folder.js';
import type { Database, DatabaseConstructor } from './native.js';

const RETRY_MS = 25;
const BRIEF_TRIES = 20;

type LockedIndex = {
  readonly folder: string | undefined;
  readonly Sqlite: DatabaseConstructor;
  readonly nowMs: () => number;
};

export class IndexLock {
  private hasTold = false;

  private constructor(
    private readonly database: Database,
    private readonly folder: string,
    private readonly sinceMs: number,
  ) {}

  /** Undefined when another holds it longer than `wait` says. */
  static async take(
    index: LockedIndex,
    options: { readonly wait: Patience; readonly signal?: AbortSignal | undefined },
    name: typeof LOCK_NAME | typeof EMBEDDING_LOCK_NAME = LOCK_NAME,
  ): Promise<IndexLock | undefined> {
    const folder = index.folder!;
    // It can be deleted at any time. A vault that is away must not be made anew with it.
    if (!existsSync(folder) && existsSync(dirname(folder))) prepareIndexFolder(folder);
    const database = new index.Sqlite(join(folder, name), { timeout: 0 });
    try {
      for (let tries = 1; !tryLock(database); tries += 1) {
        if (!options.wait || (options.wait === 'briefly' && tries > BRIEF_TRIES)) {
          database.close();
          return undefined;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        options.signal?.throwIfAborted();
      }
      makePrivate(join(folder, name));
      return new IndexLock(database, folder, index.nowMs());
    } catch (error) {
      if (database.open) database.close();
      throw error;
    }
  }

  release(): void {
    if (!this.database.open) return;
    if (this.hasTold) removeHolder(this.folder);
    this.database.close();
  }

  /** Tells others who holds it, which is worth its time where they will have to wait. */
  tellHolder(): void {
    if (this.hasTold) return;
    this.hasTold = true;
    writeHolder(this.folder, this.sinceMs);
  }
}

function tryLock(database: Database): boolean {
  try {
    database.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return false;
    throw error;
  }
}
