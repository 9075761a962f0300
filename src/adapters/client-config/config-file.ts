/** Reads and replaces single files outside the vault's notes: whole or not at all, through links, with their mode kept. */

import { isUtf8 } from 'node:buffer';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MemoryError } from '../../core/errors.js';

const BACKUP_ENDING = '.agent-memory-backup';

/** Undefined where there is no file. */
export function readConfig(path: string): string | undefined {
  const bytes = failing(path, 'read', () => {
    try {
      return readFileSync(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    }
  });
  if (bytes === undefined) return undefined;
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new MemoryError('conflict', `"${path}" holds bytes that are not UTF-8 and is not written to`, {
    hint: 'Save it as UTF-8 in an editor first.',
    details: { path },
  });
}

/** Where the copy of the file from before lies: beside the file itself, if that is reached through a link. */
export function backupOf(path: string): string {
  return `${targetOf(path)}${BACKUP_ENDING}`;
}

export type ConfigWrite = {
  readonly path: string;
  /** As it was read. A file that is another by now is not touched. */
  readonly before: string | undefined;
  /** Undefined: the file goes. */
  readonly after: string | undefined;
  /** Leave a copy of the file as it was. */
  readonly keepBackup?: boolean;
  /** A file that is there while another program writes this one. */
  readonly lock?: string;
  /** Folders above it that go with the file, if nothing is left in them; that many. */
  readonly emptiedFolders?: number;
};

/** Throws `unavailable` where a file may not be written, before anything is. */
export function checkWritable({ path }: Pick<ConfigWrite, 'path'>): void {
  const stats = statSync(targetOf(path), { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isFile()) throw cannot('write', path, 'it is no file');
  // For root every file is writable; the mark says that it is not meant to be.
  if ((stats.mode & 0o222) === 0) throw cannot('write', path, 'it is read-only');
}

export function writeConfig(write: ConfigWrite): void {
  const { path, before, after } = write;
  const target = targetOf(path);
  if (readConfig(path) !== before) {
    throw new MemoryError('conflict', `"${path}" was changed by another program meanwhile`, {
      hint: 'Run the command again; it starts from the file as it is then.',
      details: { path },
    });
  }
  if (write.lock !== undefined && existsSync(write.lock)) {
    throw cannot('write', path, `"${write.lock}" says that another program writes it`);
  }
  failing(path, 'write', () => {
    if (write.keepBackup && before !== undefined)
      replaceFile(`${target}${BACKUP_ENDING}`, before, modeOf(target));
    if (after !== undefined) {
      mkdirSync(dirname(target), { recursive: true });
      replaceFile(target, after, modeOf(target));
      return;
    }
    rmSync(target, { force: true });
    removeEmptied(dirname(target), write.emptiedFolders ?? 0);
  });
}

export function removeBackup(path: string): void {
  failing(path, 'write', () => rmSync(backupOf(path), { force: true }));
}

function replaceFile(target: string, text: string, mode: number | undefined): void {
  const temporary = join(dirname(target), `.${basename(target)}.agent-memory-${process.pid}.tmp`);
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: mode ?? 0o644 });
    // The process's mask may have taken something away.
    if (mode !== undefined) chmodSync(temporary, mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function modeOf(target: string): number | undefined {
  const stats = statSync(target, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.mode & 0o7777;
}

function removeEmptied(folder: string, levels: number): void {
  let path = folder;
  for (let level = 0; level < levels; level += 1, path = dirname(path)) {
    try {
      rmdirSync(path);
    } catch {
      // Something else lies there.
      return;
    }
  }
}

/** A link, as people who keep their settings in git have it, stays one. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function failing<T>(path: string, verb: 'read' | 'write', work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    throw cannot(verb, path, (error as NodeJS.ErrnoException).code ?? String(error), error);
  }
}

function cannot(verb: 'read' | 'write', path: string, reason: string, cause?: unknown): MemoryError {
  return new MemoryError('unavailable', `Cannot ${verb} "${path}": ${reason}`, {
    hint: 'Allow it, or name another file with --file.',
    cause,
    details: { path },
  });
}
