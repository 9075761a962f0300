/** The right to change files of the vault, from taking the lock (lock.ts) to giving it back. How one file is written: write-file.ts. */

import {
  appendFileSync,
  linkSync,
  lstatSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import type { NoteFile, Replacement, VaultWriting } from '../../core/ports.js';
import { codeOf, reasonOf, stampOf } from './files.js';
import { takeVaultLock, type VaultLock } from './lock.js';
import { sha256 } from './sha-256.js';
import { flushFiles, flushFolder, isUntouched, MANY_FILES, readWhole, writeBeside } from './write-file.js';
import { cannotWrite, checkWritable, makeFolder, placeInside } from './write-place.js';

const NOTE_MODE = 0o644;
/** Of files that only the program reads. */
const PRIVATE_MODE = 0o600;
/** Files written or renamed together: one by one, freeing each old file takes ext4 some milliseconds. */
const AT_ONCE = 4;

export async function startVaultSession(
  root: string,
  options: { readonly wait: boolean; readonly signal?: AbortSignal | undefined },
): Promise<VaultWriting | undefined> {
  const lock = await takeVaultLock(root, options);
  return lock && new VaultSession(root, lock);
}

type Written = { readonly path: string; readonly place: string; readonly temporary: string };

class VaultSession implements VaultWriting {
  constructor(
    private readonly root: string,
    private readonly lock: VaultLock,
  ) {}

  async read(path: string): Promise<NoteFile | undefined> {
    const place = placeInside(this.root, path);
    try {
      return readWhole(path, place);
    } catch (error) {
      throw new MemoryError('unavailable', `Cannot read "${path}": ${reasonOf(error)}`, { cause: error });
    }
  }

  async replace(changed: readonly Replacement[]): Promise<readonly (NoteFile | undefined)[]> {
    const isMany = changed.length >= MANY_FILES;
    const written: Written[] = [];
    try {
      await inBatches(changed, async (one) => {
        written.push(await this.writeOne(one, !isMany));
      });
      const byPath = new Map(written.map((one) => [one.path, one]));
      if (isMany) {
        const temporaries = written.map(({ temporary }) => temporary);
        await flushFiles(this.root, temporaries);
      }
      const replaced: (NoteFile | undefined)[] = [];
      await inBatches(changed, async (one, at) => {
        replaced[at] = await this.putInPlace(one, byPath.get(one.seen.path)!, isMany);
      });
      for (const folder of new Set(written.map(({ place }) => dirname(place)))) flushFolder(folder);
      return replaced;
    } finally {
      for (const { temporary } of written) rmSync(temporary, { force: true });
    }
  }

  private async writeOne({ seen, bytes }: Replacement, isFlushed: boolean): Promise<Written> {
    const { path } = seen;
    const place = placeInside(this.root, path);
    const old = lstatSync(place, { throwIfNoEntry: false });
    checkWritable(path, place, old);
    try {
      return { path, place, temporary: await writeBeside(place, bytes, old, isFlushed, modeOf(path)) };
    } catch (error) {
      throw cannotWrite(path, error);
    }
  }

  private async putInPlace(
    { seen, bytes }: Replacement,
    { place, temporary }: Written,
    isOneOfMany: boolean,
  ): Promise<NoteFile | undefined> {
    this.checkLock();
    if (!isUntouched(place, seen)) return undefined;
    try {
      if (isOneOfMany) await rename(temporary, place);
      else renameSync(temporary, place);
      return { path: seen.path, bytes, hash: sha256(bytes), stamp: stampOf(seen.path, lstatSync(place)) };
    } catch (error) {
      throw cannotWrite(seen.path, error);
    }
  }

  async create(path: string, bytes: Uint8Array): Promise<NoteFile | undefined> {
    const place = placeInside(this.root, path);
    if (lstatSync(place, { throwIfNoEntry: false })) return undefined;
    makeFolder(path, place);
    checkWritable(path, place, undefined);
    let temporary: string | undefined;
    try {
      temporary = await writeBeside(place, bytes, undefined, true, modeOf(path));
      this.checkLock();
      if (!placeNew(temporary, place)) return undefined;
      flushFolder(dirname(place));
      return { path, bytes, hash: sha256(bytes), stamp: stampOf(path, lstatSync(place)) };
    } catch (error) {
      throw cannotWrite(path, error);
    } finally {
      if (temporary !== undefined) rmSync(temporary, { force: true });
    }
  }

  async move(from: string, to: string): Promise<boolean> {
    const source = placeInside(this.root, from);
    const place = placeInside(this.root, to);
    makeFolder(to, place);
    checkWritable(from, source, undefined);
    checkWritable(to, place, undefined);
    this.checkLock();
    try {
      if (!placeNew(source, place)) return false;
    } catch (error) {
      throw cannotWrite(to, error);
    }
    flushFolder(dirname(place));
    if (dirname(source) !== dirname(place)) flushFolder(dirname(source));
    return true;
  }

  async remove(path: string): Promise<void> {
    const place = placeInside(this.root, path);
    this.checkLock();
    try {
      rmSync(place, { force: true });
      flushFolder(dirname(place));
    } catch (error) {
      throw cannotWrite(path, error);
    }
  }

  async removeFolder(path: string): Promise<boolean> {
    const place = placeInside(this.root, path);
    this.checkLock();
    try {
      // Only an empty one can be removed so.
      rmdirSync(place);
    } catch {
      return false;
    }
    flushFolder(dirname(place));
    return true;
  }

  async append(path: string, bytes: Uint8Array): Promise<void> {
    const place = placeInside(this.root, path);
    this.checkLock();
    try {
      if (!statSync(dirname(place), { throwIfNoEntry: false })) makeFolder(path, place);
      appendWhole(place, bytes, modeOf(path));
    } catch (error) {
      throw cannotWrite(path, error);
    }
  }

  end(): Promise<void> {
    return this.lock.release();
  }

  private checkLock(): void {
    if (this.lock.isHeld()) return;
    throw new MemoryError(
      'unavailable',
      'Another process took over the lock of the vault; nothing more was written',
      {
        hint: 'The machine was asleep or very slow. Run the command again.',
      },
    );
  }
}

/** All of the bytes or, as on a full disk, none. */
function appendWhole(place: string, bytes: Uint8Array, mode: number): void {
  const size = lstatSync(place, { throwIfNoEntry: false })?.size ?? 0;
  try {
    appendFileSync(place, bytes, { mode });
  } catch (error) {
    if (lstatSync(place, { throwIfNoEntry: false })) truncateSync(place, size);
    throw error;
  }
}

function modeOf(path: string): number {
  return path.startsWith('.memory/') ? PRIVATE_MODE : NOTE_MODE;
}

/** Gives a file its new name, unless something has it; false then. */
function placeNew(source: string, place: string): boolean {
  try {
    linkSync(source, place);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') {
      if (!isOtherCase(source, place)) return false;
      renameSync(source, place);
      return true;
    }
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(code)) throw error;
    // No hard links here: what appears between this look and the renaming is lost, but for the lock nobody writes.
    if (lstatSync(place, { throwIfNoEntry: false })) return false;
    renameSync(source, place);
    return true;
  }
  unlinkSync(source);
  return true;
}

/** On disks without regard to case `a.md` is there when `A.md` is. */
function isOtherCase(source: string, place: string): boolean {
  if (source === place || source.toLowerCase() !== place.toLowerCase()) return false;
  const one = lstatSync(source);
  const other = lstatSync(place);
  return one.ino === other.ino && one.dev === other.dev;
}

/** A few at a time. All of a batch have ended before the first that failed is thrown. */
async function inBatches<T>(all: readonly T[], work: (one: T, at: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const batch = all.slice(from, from + AT_ONCE);
    const outcomes = await Promise.allSettled(batch.map((one, i) => work(one, from + i)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }
}
