/** A folder of notes as the Vault port. Listing is walk.ts, loaded when it is due. */

import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type {
  ListOptions,
  NoteFile,
  SeenFile,
  SkippedFile,
  Vault,
  VaultListing,
  VaultWatch,
  VaultWriting,
} from '../../core/ports.js';
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

  async startWriting(options: {
    readonly wait: boolean;
    readonly signal?: AbortSignal | undefined;
  }): Promise<VaultWriting | undefined> {
    const { startVaultSession } = await import('./write-session.js');
    return startVaultSession(this.root, options);
  }

  get host(): string {
    return hostname().replace(/[^\p{L}\p{N}_-]/gu, '-') || 'host';
  }

  async keepSeen(hash: string, text: string): Promise<void> {
    const { keepSeenText } = await import('./seen-texts.js');
    keepSeenText(this.root, hash, text);
  }

  async seen(hash: string): Promise<string | undefined> {
    const { seenText } = await import('./seen-texts.js');
    return seenText(this.root, hash);
  }

  async hash(bytes: Uint8Array): Promise<string> {
    return (await import('node:crypto')).createHash('sha256').update(bytes).digest('hex');
  }

  async watch(options: { readonly poll: boolean }): Promise<VaultWatch> {
    const { watchVault } = await import('./watch-vault.js');
    return watchVault(this.root, options);
  }

  async exist(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const { placeInside } = await import('./write-place.js');
    return new Set(
      paths.filter((path) => {
        try {
          return lstatSync(placeInside(this.root, path), { throwIfNoEntry: false }) !== undefined;
        } catch {
          // What lies outside is none of the vault's.
          return false;
        }
      }),
    );
  }

  async names(folder: string): Promise<readonly string[]> {
    try {
      return readdirSync(join(this.root, folder)).sort();
    } catch {
      return [];
    }
  }

  async ignoredBy(path: string): Promise<string | undefined> {
    const { hiddenNameRule, readIgnoreRules } = await import('./ignore-rules.js');
    const parts = path.split('/');
    for (const part of parts) {
      const hidden = hiddenNameRule(part);
      if (hidden !== undefined) return hidden;
    }
    const rules = readIgnoreRules(this.root);
    for (let depth = 1; depth < parts.length; depth += 1) {
      const rule = rules.ruleFor(parts.slice(0, depth).join('/'), true);
      if (rule !== undefined) return rule;
    }
    return rules.ruleFor(path, false);
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
