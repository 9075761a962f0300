/** A folder of notes as the Vault port. Listing is walk.ts, loaded when it is due. */

import { appendFileSync, closeSync, constants, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type { ListOptions, NoteFile, SeenFile, SkippedFile, Vault, VaultListing } from '../../core/ports.js';
import { codeOf, readRoot, reasonOf, stampOf } from './files.js';

/** Program files worth syncing with the notes. */
const SETTINGS = '.memory';

export function openVault(root: string): Vault {
  return new FolderVault(root);
}

class FolderVault implements Vault {
  constructor(readonly root: string) {}

  async list(options?: ListOptions): Promise<VaultListing> {
    const { walkVault } = await import('./walk.js');
    return walkVault(this.root, options);
  }

  async checkRoot(): Promise<void> {
    if (readRoot(this.root).length > 0) return;
    throw new MemoryError('unavailable', `The vault "${this.root}" has become empty`, {
      hint: 'Check that the disk it lies on is still mounted.',
    });
  }

  async peek(paths: readonly string[]): Promise<readonly (SeenFile | SkippedFile)[]> {
    return paths.map((path) => this.readOne(path));
  }

  async read(paths: readonly string[]): Promise<readonly (NoteFile | SkippedFile)[]> {
    const { createHash } = await import('node:crypto');
    // Whoever reads thousands of notes lets others have a turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
    return paths.map((path) => {
      const file = this.readOne(path);
      if ('reason' in file) return file;
      return { ...file, hash: createHash('sha256').update(file.bytes).digest('hex') };
    });
  }

  async readSetting(name: string): Promise<string | undefined> {
    try {
      return readFileSync(join(this.root, SETTINGS, name), 'utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw new MemoryError('unavailable', `Cannot read "${SETTINGS}/${name}": ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  async appendSetting(name: string, text: string): Promise<void> {
    try {
      mkdirSync(join(this.root, SETTINGS), { recursive: true });
      appendFileSync(join(this.root, SETTINGS, name), text);
    } catch (error) {
      throw new MemoryError('unavailable', `Cannot write "${SETTINGS}/${name}": ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  /** The stamp is taken from the open file, so that bytes and stamp belong together. */
  private readOne(path: string): SeenFile | SkippedFile {
    let file: number | undefined;
    try {
      file = openSync(
        join(this.root, path),
        constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW,
      );
      const stats = fstatSync(file);
      if (!stats.isFile()) return { path, reason: 'not a regular file' };
      return { path, bytes: readFileSync(file), stamp: stampOf(path, stats) };
    } catch (error) {
      return { path, reason: `cannot be read: ${reasonOf(error)}` };
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }
}
