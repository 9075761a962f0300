/** Builds worker.ts once and runs it in processes of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/bundle.mjs';
import type { Job } from './worker.js';

/** Within the project, so that it finds the native binding, and out of what is published. */
const OUT = join(root, 'node_modules/.cache/writing-tests');

const BANNER = `import { createRequire as workerRequire } from 'node:module';
const require = workerRequire(import.meta.url);`;

/** The path of the built worker. */
export async function buildWorker(): Promise<string> {
  await build({
    absWorkingDir: root,
    entryPoints: { worker: 'test/writing/worker.ts' },
    outdir: OUT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['better-sqlite3'],
    banner: { js: BANNER },
    logLevel: 'warning',
  });
  return join(OUT, 'worker.mjs');
}

export function startWorker(worker: string, vault: string, job: Job): ChildProcess {
  return spawn(process.execPath, [worker, vault, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'pipe'] });
}

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Its exit code and what it said. */
export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
