/** git's own merge of three texts by lines. What is settled before it: core/merge. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryError } from '../../core/errors.js';
import { LABELS, type MergedText, SIDES, type Versions } from '../../core/merge/versions.js';

const LARGEST_OUTPUT = 1 << 30;

/** More conflicts than this are not counted by git. */
const MOST_CONFLICTS = 127;

export function mergeFile(versions: Versions<string>): MergedText {
  const { stdout, conflicts } = mergeBytes({
    base: Buffer.from(versions.base),
    ours: Buffer.from(versions.ours),
    theirs: Buffer.from(versions.theirs),
  });
  return { text: stdout.toString('utf8'), conflicts };
}

/** Throws `unavailable` where git cannot be run, or will not merge such bytes. */
export function mergeBytes(versions: Versions<Uint8Array>): {
  readonly stdout: Buffer;
  readonly conflicts: number;
} {
  const folder = mkdtempSync(join(tmpdir(), 'memory-merge-'));
  try {
    for (const side of SIDES) writeFileSync(join(folder, side), versions[side]);
    const order = ['ours', 'base', 'theirs'] as const;
    const labels = order.flatMap((side) => ['-L', LABELS[side]]);
    const files = order.map((side) => join(folder, side));
    const { status, stdout, stderr, error } = spawnSync('git', ['merge-file', '-p', ...labels, ...files], {
      maxBuffer: LARGEST_OUTPUT,
    });
    if (error === undefined && status !== null && status <= MOST_CONFLICTS)
      return { stdout, conflicts: status };
    const reason = error === undefined ? stderr.toString().trim() : error.message;
    throw new MemoryError('unavailable', `git cannot merge the note: ${reason}`, {
      hint: 'Merge it by hand, or without the driver: `git merge-file` takes the same three files.',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
