/**
 * One file from a server to the disk: goes on with what an earlier try left, and gives the file its name only when size
 * and hash are right. Which files belong to a model: pull-model.ts.
 */

import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryError } from '../../core/errors.js';
import { type HubAnswer, networkFailure, PassingFailure, request, unavailable } from './hub-request.js';

export type Download = {
  readonly url: URL;
  /** As people know the file. */
  readonly name: string;
  /** Where it goes; while it is not whole, with PART_ENDING. */
  readonly path: string;
  /** Undefined: the server's word is taken. */
  readonly bytes: number | undefined;
  readonly sha256: string | undefined;
};

export type DownloadOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of this file that are there. */
  readonly report?: (done: number) => void;
  /** Before the second try; doubled each time. */
  readonly waitMs?: number;
};

export const PART_ENDING = '.part';

/** One after another that bring nothing. */
const MOST_TRIES = 4;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Without a byte for so long, a connection counts as broken. */
const STALL_MS = 60_000;

/** Its hash. Throws `unavailable` or `not_found`; what has arrived stays for the next time, unless it is wrong. */
export async function downloadFile(download: Download, options: DownloadOptions = {}): Promise<string> {
  const part = `${download.path}${PART_ENDING}`;
  mkdirSync(dirname(part), { recursive: true });
  let waitMs = options.waitMs ?? FIRST_WAIT_MS;
  let told: string | undefined;
  for (let tries = 1; ; ) {
    const before = sizeOf(part);
    try {
      told = await fetchRest(download, part, options);
      break;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof PassingFailure)) throw asFull(error, download);
      tries = sizeOf(part) > before ? 1 : tries + 1;
      if (tries > MOST_TRIES) {
        throw unavailable(
          `The download of "${download.name}" did not come to its end: ${error.reason}`,
          error,
        );
      }
      await sleep(Math.min(error.waitMs ?? waitMs, LONGEST_WAIT_MS), undefined, { signal: options.signal });
      waitMs *= 2;
    }
  }
  const sha256 = await hashFile(part, options.signal);
  const expected = download.sha256 ?? told;
  if (expected !== undefined && sha256 !== expected) {
    rmSync(part, { force: true });
    throw new MemoryError(
      'unavailable',
      `"${download.name}" arrived with another content than it must have`,
      {
        hint: 'Run the command again. If it happens again, the server has other files: check HF_ENDPOINT.',
        details: { sha256, expected },
      },
    );
  }
  renameSync(part, download.path);
  return sha256;
}

/** The hash that the server tells, if it does. */
async function fetchRest(
  { url, name, bytes }: Download,
  part: string,
  options: DownloadOptions,
): Promise<string | undefined> {
  const isTooLong = bytes !== undefined && sizeOf(part) > bytes;
  if (isTooLong) rmSync(part);
  const have = sizeOf(part);
  options.report?.(have);
  if (have > 0 && have === bytes) return undefined;
  const limit = new StallLimit(options.signal);
  try {
    const answer = await request(url, { from: have, signal: limit.signal });
    const from = startOf(answer);
    if (from !== have) rmSync(part, { force: true });
    if (from !== have && from !== 0) {
      await answer.body?.cancel();
      throw new PassingFailure('the server does not go on where it stopped');
    }
    const total = totalOf(answer, from);
    if (bytes !== undefined && total !== undefined && total !== bytes) {
      await answer.body?.cancel();
      rmSync(part, { force: true });
      throw new MemoryError('unavailable', `"${name}" has ${total} bytes there, and must have ${bytes}`, {
        hint: 'The server has another file of this name: check HF_ENDPOINT.',
      });
    }
    const size = await append(answer, part, from, (done) => {
      limit.renew();
      options.report?.(done);
    }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw networkFailure(url, error);
      throw error;
    });
    const expected = bytes ?? total;
    if (expected !== undefined && size < expected) throw new PassingFailure('the connection ended early');
    return answer.sha256;
  } finally {
    limit.end();
  }
}

async function append(
  { body }: HubAnswer,
  part: string,
  from: number,
  report: (done: number) => void,
): Promise<number> {
  let handle: FileHandle | undefined;
  let size = from;
  try {
    handle = await open(part, 'a', 0o644);
    for await (const bytes of body ?? []) {
      await handle.write(bytes);
      size += bytes.length;
      report(size);
    }
    await handle.sync();
    return size;
  } finally {
    await handle?.close();
  }
}

/** Where the bytes of an answer belong; of one that has none, past every file. */
function startOf({ status, headers }: HubAnswer): number {
  if (status === 416) return Number.POSITIVE_INFINITY;
  if (status !== 206) return 0;
  return Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
}

function totalOf({ headers }: HubAnswer, from: number): number | undefined {
  const length = headers.get('content-length');
  return length === null ? undefined : from + Number(length);
}

/** Ends a request that the caller gave up, or that has stalled. */
class StallLimit {
  readonly signal: AbortSignal;
  private readonly own = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(outer: AbortSignal | undefined) {
    this.timer = setTimeout(
      () => this.own.abort(new Error(`nothing came for ${STALL_MS / 1_000} s`)),
      STALL_MS,
    );
    this.signal = outer === undefined ? this.own.signal : AbortSignal.any([outer, this.own.signal]);
  }

  renew(): void {
    this.timer.refresh();
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

function asFull(error: unknown, { name, path }: Download): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error;
  return new MemoryError(
    'unavailable',
    `The disk of "${dirname(path)}" became full while "${name}" arrived`,
    {
      hint: 'Make room, then run the command again; what has arrived is kept.',
      cause: error,
    },
  );
}

export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path, { signal, highWaterMark: 1 << 20 })) hash.update(bytes);
  return hash.digest('hex');
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
