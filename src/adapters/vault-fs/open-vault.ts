/** A folder of notes as the Vault port. Listing is walk.ts. */

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type { ListOptions, NoteFile, SkippedFile, Vault, VaultListing } from '../../core/ports.js';
import { readRoot, reasonOf, stampOf, walkVault } from './walk.js';

export function openVault(root: string): Vault {
  return new FolderVault(root);
}

class FolderVault implements Vault {
  constructor(readonly root: string) {}

  list(options?: ListOptions): Promise<VaultListing> {
    return walkVault(this.root, options);
  }

  async checkRoot(): Promise<void> {
    if (readRoot(this.root).length > 0) return;
    throw new MemoryError('unavailable', `The vault "${this.root}" has become empty`, {
      hint: 'Check that the disk it lies on is still mounted.',
    });
  }

  async read(paths: readonly string[]): Promise<readonly (NoteFile | SkippedFile)[]> {
    // Whoever reads thousands of notes lets others have a turn between two batches.
    if (paths.length > 1) await new Promise((resolve) => setImmediate(resolve));
    return paths.map((path) => this.readOne(path));
  }

  /** The stamp is taken from the open file, so that bytes and stamp belong together. */
  private readOne(path: string): NoteFile | SkippedFile {
    let file: number | undefined;
    try {
      file = openSync(
        join(this.root, path),
        constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW,
      );
      const stats = fstatSync(file);
      if (!stats.isFile()) return { path, reason: 'not a regular file' };
      const bytes = readFileSync(file);
      const hash = createHash('sha256').update(bytes).digest('hex');
      return { path, bytes, stamp: stampOf(path, stats), hash };
    } catch (error) {
      return { path, reason: `cannot be read: ${reasonOf(error)}` };
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}
