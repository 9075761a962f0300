/** Removes a folder of a test, also while a process that was just told to stop writes its last file there. */

import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const TRIES = 50;
const PAUSE_MS = 100;

export async function removeFolder(folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await rm(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
