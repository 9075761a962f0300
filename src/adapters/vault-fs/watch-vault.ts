/**
 * A folder of notes as VaultWatch: signs that something may have changed, from the system's events. Which folders are
 * watched: watch-folders.ts; which events are signs: watch-signs.ts; what is made of them: core/memory/follow-vault.ts.
 */

import { statSync } from 'node:fs';
import type { VaultWatch } from '../../core/ports.js';
import { codeOf, reasonOf } from './files.js';
import { watchFolders } from './watch-folders.js';
import { NoteSigns } from './watch-signs.js';
import { watchTree } from './watch-tree.js';

/** One watcher that sees all that lies below it. On other systems each folder needs its own. */
const SEES_BELOW: readonly NodeJS.Platform[] = ['darwin', 'win32'];

/** Watchers of the folders of one vault. */
export type FolderWatchers = {
  /** Watches what is not watched, and leaves what has gone. Throws where the system allows no more watchers. */
  readonly renew: () => Promise<void>;
  readonly close: () => void;
};

export type WatcherSettings = {
  readonly root: string;
  readonly signs: NoteSigns;
  /** The system gave up watching. */
  readonly fail: (error: unknown) => void;
};

export async function watchVault(
  root: string,
  options: { readonly poll: boolean; readonly platform?: NodeJS.Platform },
): Promise<VaultWatch> {
  const watch = new FolderVaultWatch(root, options.platform ?? process.platform);
  if (options.poll) watch.blindness = 'as asked';
  else await watch.renew();
  return watch;
}

class FolderVaultWatch implements VaultWatch {
  signs = 0;
  blindness: string | undefined;
  private readonly watchers: FolderWatchers;
  private identity: string | undefined;
  private isClosed = false;
  private endWait: (() => void) | undefined;

  constructor(
    private readonly root: string,
    platform: NodeJS.Platform,
  ) {
    const settings: WatcherSettings = {
      root,
      signs: new NoteSigns(root, () => this.sign()),
      fail: (error) => this.goBlind(error),
    };
    this.watchers = SEES_BELOW.includes(platform) ? watchTree(settings) : watchFolders(settings);
  }

  forget(): void {
    this.signs = 0;
  }

  wait(ms: number): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), ms);
      this.endWait = () => {
        clearTimeout(timer);
        this.endWait = undefined;
        resolve();
      };
    });
  }

  wake(): void {
    this.endWait?.();
  }

  isStale(): boolean {
    const identity = identityOf(this.root);
    return identity === undefined || identity !== this.identity;
  }

  async renew(): Promise<void> {
    if (this.isClosed) return;
    this.identity = identityOf(this.root);
    if (this.blindness !== undefined || this.identity === undefined) return;
    try {
      await this.watchers.renew();
    } catch (error) {
      this.goBlind(error);
    }
  }

  close(): void {
    this.isClosed = true;
    this.watchers.close();
    this.wake();
  }

  private sign(): void {
    this.signs += 1;
    this.wake();
  }

  private goBlind(error: unknown): void {
    if (this.blindness !== undefined || this.isClosed) return;
    this.watchers.close();
    this.blindness = reasonInWords(error);
    this.sign();
  }
}

/** The same folder, not one of the same name. */
function identityOf(root: string): string | undefined {
  try {
    const { dev, ino } = statSync(root);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

function reasonInWords(error: unknown): string {
  switch (codeOf(error)) {
    case 'ENOSPC':
      return "the system's limit of watched folders is reached";
    case 'EMFILE':
    case 'ENFILE':
      return "the system's limit of watchers is reached";
    default:
      return `the system watches no folder: ${reasonOf(error)}`;
  }
}
