/**
 * THIRD_PARTY_LICENSES: the licence texts of all packages whose code is in the bundle. The build writes it;
 * `node scripts/licenses.mjs --check` fails where the file is out of date.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleLibrary, bundleProgram, root } from './bundle.mjs';

export const licenseFile = join(root, 'THIRD_PARTY_LICENSES');

const HEADER = `The program in dist/ contains code of the following packages. Packages that are installed beside it, as
package.json lists them under "dependencies", carry their licences themselves.
`;

/** Code that a package holds a copy of without saying so, by the package's folder. */
const COPIES = {
  'node_modules/@modelcontextprotocol/server': 'scripts/licenses/content-type.txt',
};

/** The whole text for what the bundling functions returned. */
export function licenseText(bundles) {
  const folders = new Set();
  for (const output of bundles.flatMap(({ metafile }) => Object.values(metafile.outputs))) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = bytesInOutput > 0 && packageFolder(path);
      if (folder) folders.add(folder);
    }
  }
  const sorted = [...folders].sort();
  const copied = sorted.flatMap((folder) => COPIES[folder] ?? []);
  const sections = [...sorted.map(packageSection), ...copied.map((path) => readText(join(root, path)))];
  return [HEADER, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}

/** `node_modules/a/node_modules/@b/c/lib/x.js` lies in `node_modules/a/node_modules/@b/c`. */
function packageFolder(path) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

function packageSection(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(root, folder)).find((entry) => /^(licen[cs]e|copying)\b/i.test(entry));
  if (file === undefined) {
    throw new Error(`${name} has no licence file; add its text by hand or drop the package`);
  }
  return `${name} ${version} (${license})\n\n${readText(join(root, folder, file))}`;
}

function readText(path) {
  return `${readFileSync(path, 'utf8').replace(/\r\n/g, '\n').trim()}\n`;
}

if (process.argv.includes('--check')) {
  const folder = mkdtempSync(join(tmpdir(), 'memory-licenses-'));
  const text = licenseText([await bundleProgram(folder), await bundleLibrary(folder)]);
  rmSync(folder, { recursive: true });
  if (readFileSync(licenseFile, 'utf8') !== text) {
    process.stderr.write('THIRD_PARTY_LICENSES is out of date: npm run build\n');
    process.exitCode = 1;
  }
}
