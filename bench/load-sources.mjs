/** The sources of the program for a script: bundled, since Node 20 does not run TypeScript. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `exports` is a module that exports what is wanted from `./src`; `name` that of the script. */
export async function loadSources(name, exports) {
  const folder = join(root, 'node_modules/.cache/agent-memory');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}-bench.mjs`);
  await build({
    stdin: { contents: exports, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    define: { PROGRAM_VERSION: '"bench"' },
    logLevel: 'warning',
    outfile,
  });
  return import(pathToFileURL(outfile).href);
}
