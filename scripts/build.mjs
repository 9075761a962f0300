/**
 * Builds dist/: the program, the library with its types, and THIRD_PARTY_LICENSES beside it. How is in bundle.mjs.
 */

import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleLibrary, bundleProgram, root } from './bundle.mjs';
import { licenseFile, licenseText } from './licenses.mjs';

const dist = join(root, 'dist');
const bundles = await Promise.all([bundleProgram(dist), bundleLibrary(dist)]);
removeOldPieces();
writeFileSync(licenseFile, licenseText(bundles));
writeTypes();

const bytes = pieces().reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
process.stdout.write(`dist/: ${pieces().length} files, ${Math.round(bytes / 1000)} kB of code\n`);

function pieces() {
  return readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => /\.c?js$/.test(name));
}

/** Only after a build that succeeded, so that a failing one leaves a program that runs. */
function removeOldPieces() {
  const made = new Set(bundles.flatMap(({ files }) => files));
  for (const name of pieces()) if (!made.has(name)) rmSync(join(dist, name));
}

/** Declarations of the library's public face. */
function writeTypes() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', 'src'];
  const args = [tsc, '--project', 'scripts/tsconfig.types.json', ...options, '--outDir', 'dist/types'];
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
}
