/**
 * One watcher for each folder of the vault, for systems whose watchers see one folder only. A folder is watched before
 * its subfolders are read, so that none that is made meanwhile is missed.
 */

import { type FSWatcher, lstatSync, readdirSync, type Stats, watch } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './files.js';
import type { NoteSigns } from './watch-signs.js';
import type { FolderWatchers, WatcherSettings } from './watch-vault.js';

/** Work between two turns for others. */
const SLICE_MS = 40;

export function watchFolders(settings: WatcherSettings): FolderWatchers {
  const folders = new Folders(settings);
  return { renew: () => folders.renew(), close: () => folders.close() };
}

/** `identity` tells a folder from another one that took its name, and perhaps its inode. */
type Watched = { readonly watcher: FSWatcher; readonly identity: string };

class Folders {
  private readonly watched = new Map<string, Watched>();
  private readonly root: string;
  private readonly signs: NoteSigns;
  private isClosed = false;

  constructor(private readonly settings: WatcherSettings) {
    this.root = settings.root;
    this.signs = settings.signs;
  }

  async renew(): Promise<void> {
    this.isClosed = false;
    const before = new Set(this.watched.keys());
    const pending = [''];
    let sliceStart = performance.now();
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      before.delete(folder);
      this.watchOne(folder);
      if (this.watched.has(folder)) pending.push(...this.subfolders(folder));
      if (performance.now() - sliceStart < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (this.isClosed) return;
      sliceStart = performance.now();
    }
    for (const gone of before) this.leave(gone);
  }

  close(): void {
    this.isClosed = true;
    for (const folder of [...this.watched.keys()]) this.leave(folder);
  }

  /** Throws where the system allows no more watchers. */
  private watchOne(folder: string): void {
    const path = join(this.root, folder);
    try {
      // The vault itself may be reached through a link; what lies in it is not followed.
      const identity = folder === '' ? '' : identityOf(lstatSync(path));
      const old = this.watched.get(folder);
      if (old !== undefined && old.identity === identity && folder !== '') return;
      const watcher = watch(path, (event, name) => this.onEvent(folder, event, name));
      old?.watcher.close();
      watcher.on('error', () => {
        this.leave(folder);
        this.signs.sign();
      });
      this.watched.set(folder, { watcher, identity });
    } catch (error) {
      // What cannot be opened is named by the look that follows.
      if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP'].includes(codeOf(error))) throw error;
      this.leave(folder);
    }
  }

  private leave(folder: string): void {
    this.watched.get(folder)?.watcher.close();
    this.watched.delete(folder);
  }

  private subfolders(folder: string): readonly string[] {
    try {
      return readdirSync(join(this.root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => (folder === '' ? name : `${folder}/${name}`))
        .filter((path) => this.signs.isWatched(path));
    } catch {
      return [];
    }
  }

  private onEvent(folder: string, event: string, name: string | null): void {
    if (this.isClosed) return;
    if (name === null) {
      this.signs.sign();
      return;
    }
    const path = folder === '' ? name : `${folder}/${name}`;
    const { ruleChanges } = this.signs;
    const there = this.signs.take(path);
    if (ruleChanges !== this.signs.ruleChanges) void this.renew().catch(this.settings.fail);
    if (there === undefined) return;
    try {
      if (there === 'gone') this.leaveBelow(path);
      else if (there.isDirectory() && (event === 'rename' || !this.watched.has(path))) this.watchBelow(path);
    } catch (error) {
      this.settings.fail(error);
    }
  }

  private leaveBelow(path: string): void {
    for (const folder of [...this.watched.keys()]) {
      if (folder === path || folder.startsWith(`${path}/`)) this.leave(folder);
    }
  }

  private watchBelow(path: string): void {
    this.leaveBelow(path);
    const pending = [path];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      this.watchOne(folder);
      if (this.watched.has(folder)) pending.push(...this.subfolders(folder));
    }
  }
}

function identityOf({ ino, birthtimeMs }: Stats): string {
  return `${ino}:${birthtimeMs}`;
}
