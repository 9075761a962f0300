/**
 * One writer of notes at a time: `.vectors/lock` in the vault, held by proper-lockfile while notes are written. A
 * lock whose holder is known to be dead is taken over at once, any other when it has not been touched for a while.
 */

import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { lock as takeLock } from 'proper-lockfile';
import { MemoryError } from '../../core/errors.js';
import { codeOf } from './files.js';
import { writeReason } from './write-place.js';

const FOLDER = '.vectors';
const HOLDER = 'lock.json';
/** A lock that is not touched for so long is nobody's; its holder touches it five times as often. */
const STALE_MS = 10_000;
const UPDATE_MS = 2_000;
const RETRY_MS = 4;
const MOST_RETRY_MS = 40;
/** Somebody who writes for longer than this is stuck, or moves very many links. */
const MOST_WAIT_MS = 60_000;

const CACHE_TAG = `Signature: 8a477f597d28d172789f06886806bc55
# This folder holds an index that memory can make anew from the notes at any time.
`;

type Holder = {
  readonly pid: number;
  /** The machine, and where Linux tells, the namespace in which `pid` means something. */
  readonly host: string;
  /** Which lock it is, as its folder's identity: a later one has another. */
  readonly lock: string;
  readonly token: string;
};

export type VaultLock = {
  /** Asked right before each change of a note. */
  readonly isHeld: () => boolean;
  readonly release: () => Promise<void>;
};

/** Undefined when another holds it and `wait` is false. */
export async function takeVaultLock(
  root: string,
  options: { readonly wait: boolean; readonly signal?: AbortSignal | undefined },
): Promise<VaultLock | undefined> {
  prepareFolder(root);
  const place = join(root, FOLDER, 'lock');
  const deadline = performance.now() + MOST_WAIT_MS;
  for (let delayMs = RETRY_MS; ; delayMs = Math.min(MOST_RETRY_MS, delayMs * 1.5)) {
    const lock = await tryLock(root, place);
    if (lock) return lock;
    if (removeDeadLock(root, place)) continue;
    if (!options.wait) return undefined;
    if (performance.now() > deadline) {
      throw new MemoryError('unavailable', 'Another process has been writing to the vault for a minute', {
        hint: `If nothing runs any more, remove "${FOLDER}/lock".`,
      });
    }
    // Waiters that are not in step with each other get the lock in turn.
    await new Promise((resolve) => setTimeout(resolve, delayMs * (0.5 + Math.random())));
    options.signal?.throwIfAborted();
  }
}

async function tryLock(root: string, place: string): Promise<VaultLock | undefined> {
  let isCompromised = false;
  let release: () => Promise<void>;
  try {
    release = await takeLock(place, {
      lockfilePath: place,
      realpath: false,
      stale: STALE_MS,
      update: UPDATE_MS,
      retries: 0,
      onCompromised: () => {
        isCompromised = true;
      },
    });
  } catch (error) {
    if (codeOf(error) === 'ELOCKED') return undefined;
    throw cannotLock(error);
  }
  const holderPlace = join(root, FOLDER, HOLDER);
  const token = `${process.pid}-${process.hrtime.bigint().toString(36)}`;
  const holder: Holder = { pid: process.pid, host: machine(), lock: identityOf(place) ?? '', token };
  try {
    writeFileSync(holderPlace, JSON.stringify(holder), { mode: 0o600 });
  } catch (error) {
    await release();
    throw cannotLock(error);
  }
  return {
    isHeld: () => !isCompromised && readHolder(root)?.token === token && identityOf(place) !== undefined,
    release: async () => {
      if (readHolder(root)?.token === token) rmSync(holderPlace, { force: true });
      // One that was taken away is not ours to remove.
      if (!isCompromised) await release().catch(() => undefined);
    },
  };
}

function cannotLock(error: unknown): MemoryError {
  return new MemoryError('unavailable', `Cannot lock the vault: ${writeReason(error)}`, {
    hint: `The vault's folder "${FOLDER}" must be writable to write notes.`,
    cause: error,
  });
}

/** Whether there was a lock whose holder no longer runs, and it is gone. */
function removeDeadLock(root: string, place: string): boolean {
  const holder = readHolder(root);
  if (holder === undefined || holder.host !== machine() || isRunning(holder.pid)) return false;
  if (identityOf(place) !== holder.lock) return false;
  const aside = `${place}-${process.pid}-${process.hrtime.bigint().toString(36)}`;
  try {
    renameSync(place, aside);
    // Between looking and renaming somebody else may have removed the dead lock and taken a new one.
    if (identityOf(aside) !== holder.lock && identityOf(place) === undefined) {
      renameSync(aside, place);
      return false;
    }
    rmdirSync(aside);
    return true;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

function readHolder(root: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(root, FOLDER, HOLDER), 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function identityOf(place: string): string | undefined {
  const stats = statSync(place, { throwIfNoEntry: false });
  return stats && `${stats.dev}-${stats.ino}-${stats.birthtimeMs}`;
}

let machineName: string | undefined;

function machine(): string {
  if (machineName !== undefined) return machineName;
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: a host has one space of process ids there.
  }
  machineName = `${hostname()} ${namespace}`;
  return machineName;
}

/** The folder is there already unless the index lies elsewhere. */
function prepareFolder(root: string): void {
  const folder = join(root, FOLDER);
  if (statSync(folder, { throwIfNoEntry: false })) return;
  try {
    mkdirSync(folder, { mode: 0o700 });
    writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 });
    writeFileSync(join(folder, 'CACHEDIR.TAG'), CACHE_TAG, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw cannotLock(error);
  }
}
