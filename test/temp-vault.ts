/** A folder of notes for one test, and its removal after it. */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from './remove-folder.js';

export type TempVault = {
  readonly root: string;
  /** Writes files, making their folders. */
  readonly write: (files: Readonly<Record<string, string | Uint8Array>>) => void;
  readonly path: (relative: string) => string;
};

export function makeTempVault(files: Readonly<Record<string, string | Uint8Array>> = {}): TempVault {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vault-')));
  onTestFinished(() => removeFolder(root));
  const write = (given: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [path, content] of Object.entries(given)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
  };
  write(files);
  return { root, write, path: (relative) => join(root, relative) };
}
