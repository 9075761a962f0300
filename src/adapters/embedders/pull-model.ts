/**
 * Downloads a model into the cache. The only code of the program that asks the network for anything but an endpoint of
 * the user's own, and only when told to.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import { type DownloadOptions, downloadFile, hashFile, PART_ENDING, sizeOf } from './download-file.js';
import { describeRepository, fileUrl, type HubFile, type HubRepository } from './hub-repository.js';
import type { ModelFile } from './known-models.js';
import { findKnown } from './known-rerankers.js';
import { finishModel, gatheringFolder, modelFolder, modelState } from './model-cache.js';

export type PullPlan = HubRepository & {
  /** As people call it. */
  readonly name: string;
  readonly folder: string;
  /** Of all files, as far as it is known. */
  readonly bytes: number;
  readonly licenceUrl: string | undefined;
};

export type PullOptions = Pick<DownloadOptions, 'signal' | 'waitMs'> & {
  readonly endpoint: URL;
  readonly report?: (progress: {
    readonly done: number;
    readonly total: number;
    readonly path: string;
  }) => void;
};

export type PullOutcome = {
  readonly folder: string;
  readonly bytes: number;
  /** Of those, what was not there before. */
  readonly downloadedBytes: number;
};

/** What will be downloaded. Known models are planned without a request. */
export async function planPull(
  name: string,
  modelsFolder: string,
  { endpoint, signal }: Pick<PullOptions, 'endpoint' | 'signal'>,
): Promise<PullPlan> {
  const known = findKnown(name);
  const repository = known ?? (await describeRepository(endpoint, name, signal));
  const { hubId, revision, licence, files } = repository;
  const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
  const folder = modelFolder(modelsFolder, name);
  return {
    name: known?.id ?? name,
    hubId,
    revision,
    licence,
    files,
    bytes,
    folder,
    licenceUrl: known?.licenceUrl,
  };
}

/**
 * Downloads what is missing or damaged. Throws `unavailable`, `not_found`, and `conflict` while another process does
 * the same; what has arrived is kept for the next call.
 */
export async function pullModel(plan: PullPlan, options: PullOptions): Promise<PullOutcome> {
  const { name, folder } = plan;
  if (modelState(dirname(folder), name) === 'present' && (await isWhole(plan, options.signal)))
    return { folder, bytes: plan.bytes, downloadedBytes: 0 };
  const gathering = gatheringFolder(folder);
  mkdirSync(gathering, { recursive: true });
  const release = takeTurn(plan, gathering);
  try {
    await keepWhole(plan, gathering, options.signal);
    checkSpace(plan, gathering);
    const files: ModelFile[] = [];
    let done = 0;
    let downloadedBytes = 0;
    for (const file of plan.files) {
      const path = join(gathering, file.path);
      const isHere = isFile(path);
      const before = isHere ? sizeOf(path) : sizeOf(`${path}${PART_ENDING}`);
      const report = (size: number) =>
        options.report?.({ done: done + size, total: Math.max(plan.bytes, done + size), path: file.path });
      const sha256 = isHere ? await hashFile(path) : await download(plan, file, path, { ...options, report });
      const bytes = sizeOf(path);
      downloadedBytes += Math.max(0, bytes - before);
      done += bytes;
      report(0);
      files.push({ path: file.path, bytes, sha256 });
    }
    release();
    const { hubId, revision, licence } = plan;
    finishModel(folder, { hubId, revision, licence, files });
    return { folder, bytes: done, downloadedBytes };
  } finally {
    release();
    if (existsSync(gathering) && readdirSync(gathering).length === 0) rmdirSync(gathering);
  }
}

function download(
  plan: PullPlan,
  { path: name, bytes, sha256 }: HubFile,
  path: string,
  { endpoint, ...options }: DownloadOptions & Pick<PullOptions, 'endpoint'>,
): Promise<string> {
  return downloadFile({ url: fileUrl(endpoint, plan, name), name, path, bytes, sha256 }, options);
}

async function isWhole(plan: PullPlan, signal: AbortSignal | undefined): Promise<boolean> {
  for (const file of plan.files)
    if (!(await isRight(join(plan.folder, file.path), file, signal))) return false;
  return true;
}

/** Takes over from the model's folder, and from an earlier call, what is as it must be; drops what is not. */
async function keepWhole(plan: PullPlan, gathering: string, signal: AbortSignal | undefined): Promise<void> {
  for (const file of plan.files) {
    const path = join(gathering, file.path);
    const old = join(plan.folder, file.path);
    if (!isFile(path) && isFile(old) && (await isRight(old, file, signal))) {
      mkdirSync(dirname(path), { recursive: true });
      renameSync(old, path);
    } else if (isFile(path) && !(await isRight(path, file, signal))) rmSync(path);
  }
}

async function isRight(path: string, { bytes, sha256 }: HubFile, signal?: AbortSignal): Promise<boolean> {
  if (bytes !== undefined && sizeOf(path) !== bytes) return false;
  return sha256 === undefined ? bytes !== undefined : (await hashFile(path, signal)) === sha256;
}

function checkSpace(plan: PullPlan, gathering: string): void {
  const have = plan.files.reduce((sum, { path }) => {
    const whole = join(gathering, path);
    return sum + Math.max(sizeOf(whole), sizeOf(`${whole}${PART_ENDING}`));
  }, 0);
  const { bavail, bsize } = statfsSync(gathering);
  const free = bavail * bsize;
  if (plan.bytes - have <= free) return;
  throw new MemoryError(
    'unavailable',
    `"${plan.name}" needs ${plan.bytes - have} bytes more, and "${dirname(gathering)}" has ${free}`,
    { hint: 'Make room there, or set XDG_CACHE_HOME to a folder on another disk.' },
  );
}

const TURN_NAME = 'pulled-by.pid';
/** Who has the turn renews it; a process that was killed, or whose number another has by now, does not. */
const RENEWED_EVERY_MS = 10_000;
const STALE_AFTER_MS = 60_000;
/** Folders that this process fills. */
const ownTurns = new Set<string>();

/** One process at a time: two would write into the same files. Returns what ends the turn. */
function takeTurn(plan: PullPlan, gathering: string): () => void {
  const path = join(gathering, TURN_NAME);
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(readFileSync(path, 'utf8'));
    if (holder === process.pid ? ownTurns.has(path) : isFresh(path) && isRunning(holder)) {
      throw new MemoryError('conflict', `Process ${holder} downloads "${plan.name}" already`, {
        hint: 'Wait until it has ended.',
      });
    }
    writeFileSync(path, String(process.pid));
  }
  ownTurns.add(path);
  const renewal = setInterval(() => renew(path), RENEWED_EVERY_MS).unref();
  return () => {
    clearInterval(renewal);
    ownTurns.delete(path);
    rmSync(path, { force: true });
  };
}

function renew(path: string): void {
  const now = new Date();
  if (existsSync(path)) utimesSync(path, now, now);
}

function isFresh(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < STALE_AFTER_MS;
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
