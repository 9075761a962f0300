/**
 * How fast the scanner reads the notes of a vault, in MB/s, properties included.
 *
 *   node bench/scan.mjs [vault] [rounds]      vault: a name in ../shared/vaults or a folder; ms-cpp-docs unless given
 *
 * Texts are read into memory first. The first round is cold; what counts is the best of the later ones.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const [name = 'ms-cpp-docs', rounds = '6'] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'agent-memory-scan-'));

function findVault() {
  if (existsSync(name)) return resolve(name);
  const archive = resolve(root, '../shared/vaults', `${name}.tar.xz`);
  if (!existsSync(archive)) {
    console.error(`skipped: no folder "${name}" and no vault of that name in ../shared/vaults`);
    process.exit(0);
  }
  const folder = join(work, 'vault');
  mkdirSync(folder);
  execFileSync('tar', ['-xJf', archive, '-C', folder]);
  return folder;
}

async function loadScanner() {
  const outfile = join(work, 'scan.mjs');
  await build({
    entryPoints: [join(root, 'src/core/markdown/scan.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
  return (await import(pathToFileURL(outfile).href)).scan;
}

try {
  const vault = findVault();
  const scan = await loadScanner();
  const texts = readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const speeds = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    const start = performance.now();
    for (const text of texts) scan(text);
    speeds.push(bytes / 1000 / (performance.now() - start));
  }
  const [cold, ...warm] = speeds.map((speed) => Number(speed.toFixed(1)));
  const megabytes = Number((bytes / 1e6).toFixed(1));
  console.log(
    JSON.stringify({
      vault: name,
      notes: texts.length,
      megabytes,
      coldMBps: cold,
      bestMBps: Math.max(...warm),
      load: loadavg()[0],
    }),
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}
