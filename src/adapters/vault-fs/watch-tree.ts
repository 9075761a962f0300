/** One watcher for the whole vault, for systems whose watchers see what lies below. Others: watch-folders.ts. */

import { type FSWatcher, watch } from 'node:fs';
import { sep } from 'node:path';
import { codeOf } from './files.js';
import type { FolderWatchers, WatcherSettings } from './watch-vault.js';

export function watchTree({ root, signs, fail }: WatcherSettings): FolderWatchers {
  let watcher: FSWatcher | undefined;
  const close = () => {
    watcher?.close();
    watcher = undefined;
  };
  return {
    // The folder may be another one of the same name.
    renew: async () => {
      close();
      try {
        watcher = watch(root, { recursive: true }, (_, name) => {
          if (name === null) signs.sign();
          else signs.take(name.split(sep).join('/'));
        });
        watcher.on('error', fail);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    },
    close,
  };
}
