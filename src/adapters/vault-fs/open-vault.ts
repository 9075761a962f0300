/** A folder of notes as the Vault port. Listing is walk.ts, loaded when it is due. */

import { appendFileSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type {
  ListOptions,
  NoteFile,
  NoteReading,
  SeenFile,
  SkippedFile,
  Vault,
  VaultListing,
  VaultWatch,
  VaultWriting,
} from '../../core/ports.js';
import { codeOf, readRoot, reasonOf } from './files.js';
import { readFile, readHashed } from './read-files.js';
import { sha256 } from './sha-256.js';

/** Read in a moment. */
const FEW_PATHS = 4;

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
    return paths.map((path) => readFile(this.root, path));
  }

  async read(paths: readonly string[]): Promise<readonly (NoteFile | SkippedFile)[]> {
    // Whoever reads thousands of notes lets others have a turn between two batches.
    if (paths.length > FEW_PATHS) await new Promise((resolve) => setImmediate(resolve));
    return readHashed(this.root, paths);
  }

  async readAside(): Promise<NoteReading | undefined> {
    return (await import('./read-aside.js')).readAside(this.root);
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
    return sha256(bytes);
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
}
