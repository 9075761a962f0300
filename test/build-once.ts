/** Builds the program before the tests when a source has changed since; tests of parts run even where that fails. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleProgram, root } from '../scripts/bundle.mjs';

const OUT = join(root, 'dist');
const STAMP = join(OUT, '.built-from');

export async function setup(): Promise<void> {
  const sources = fingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return;
  try {
    // In place and with nothing removed, so that a program that is running elsewhere keeps its pieces.
    await bundleProgram(OUT);
    writeFileSync(STAMP, sources);
  } catch (error) {
    process.stderr.write(`The program does not build, so tests that run it fail: ${String(error)}\n`);
  }
}

function fingerprint(): string {
  const hash = createHash('sha256');
  const fixed = ['package.json', 'package-lock.json', 'scripts/bundle.mjs', 'scripts/pack.mjs'];
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  for (const path of [...fixed, ...sources.map((name) => `src/${name}`).sort()]) {
    const { mtimeMs, size } = statSync(join(root, path));
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}
