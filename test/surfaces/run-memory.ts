/** Runs the built program as a person or a client would, in folders that are thrown away. */

import { spawn } from 'node:child_process';
import { cpSync, lutimesSync, mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { removeFolder } from '../remove-folder.js';

export const bin = join(root, 'bin/memory.js');

export type Finished = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type RunOptions = {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
};

/** Runs `memory` with these arguments to its end. */
export function runMemory(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return runCommand(process.execPath, [bin, ...args], options);
}

export function runCommand(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...quietEnvironment(), ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
  });
}

/** The environment without what would change answers from one machine to the next. */
export function quietEnvironment(): Record<string, string> {
  const { PATH = '' } = process.env;
  return {
    PATH,
    HOME: tmpdir(),
    XDG_CACHE_HOME: join(tmpdir(), 'memory-test-cache'),
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'xterm',
  };
}

/** A new empty folder, gone when the test ends. */
export function temporaryFolder(): string {
  const folder = newFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** A new empty folder for all tests of a file that only read in it. */
export function sharedFolder(): string {
  const folder = newFolder();
  afterAll(() => removeFolder(folder));
  return folder;
}

/** Its name holds no link, so that it compares with what programs say. */
function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'memory-test-')));
}

const MODIFIED = new Date('2026-02-01T12:00:00Z');

/** A copy of the example vault in `folder`, without an index and with the same times everywhere. */
export function copyExampleVault(folder: string, name = 'vault'): string {
  const vault = join(folder, name);
  cpSync(join(root, 'examples/vault'), vault, {
    recursive: true,
    filter: (path) => !path.includes('.vectors'),
  });
  for (const path of readdirSync(vault, { recursive: true, encoding: 'utf8' })) {
    lutimesSync(join(vault, path), MODIFIED, MODIFIED);
  }
  return vault;
}
