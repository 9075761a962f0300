/**
 * How the sources are bundled, shared by the build and by what only looks at the result.
 *
 * The library, dist/index.js, is an ES module. The program, dist/main.cjs, is CommonJS in pieces: loading the same
 * pieces as ES modules took 9 ms longer on every call (Node 20, 60 ms for an empty process), since the ES loader
 * has to be started, reads each file asynchronously, and touches every export of each `node:` module. esbuild
 * splits ES modules only, so the program is split as such and then turned into CommonJS piece by piece.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { pack } from './pack.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

export const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Bundled CommonJS may call `require`; the name is one that no module uses for itself. */
const REQUIRE_BANNER = [
  `import { createRequire as agentMemoryCreateRequire } from 'node:module';`,
  'const require = agentMemoryCreateRequire(import.meta.url);',
].join('\n');

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  external: Object.keys(manifest.dependencies),
  define: { PROGRAM_VERSION: JSON.stringify(manifest.version) },
  metafile: true,
  logLevel: 'warning',
};

/** Bundles the library into `outdir`; returns esbuild's metafile, and the files made, relative to `outdir`. */
export async function bundleLibrary(outdir) {
  const { metafile } = await build({
    ...COMMON,
    entryPoints: { index: 'src/index.ts' },
    outdir,
    chunkNames: 'library/[name]-[hash]',
    banner: { js: REQUIRE_BANNER },
  });
  const files = Object.keys(metafile.outputs).map((path) => relative(outdir, join(root, path)));
  return { metafile, files };
}

/** Looked for where npm puts it, beside this package or in it; asking Node to resolve the package takes 3 ms. */
const NATIVE_BINDING = `
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const file = 'better-sqlite3/build/Release/better_sqlite3.node';
module.exports = () => {
  for (const modules of ['../node_modules', '../..']) {
    const path = join(__dirname, modules, file);
    if (existsSync(path)) return require(path);
  }
  return require(file);
};`;

/**
 * better-sqlite3 without its search for the native binding, which is always in the same place of the package: read
 * in one piece with the rest it costs 4 ms on every call, from its own files with `bindings` 11.
 */
const nativeBinding = {
  name: 'native binding',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^bindings$/ }, () => ({ path: 'bindings', namespace: 'native-binding' }));
    onLoad({ filter: /^/, namespace: 'native-binding' }, () => ({
      contents: NATIVE_BINDING,
    }));
    onResolve({ filter: /\.node$/ }, ({ path }) => ({ path, external: true }));
  },
};

/**
 * Bundles the program into `outdir`; returns esbuild's metafile, and the files made, relative to `outdir`. How the
 * pieces are put together is in pack.mjs.
 */
export async function bundleProgram(outdir, plugins = []) {
  const { metafile, outputFiles } = await build({
    ...COMMON,
    entryPoints: { main: 'src/main.ts' },
    outdir,
    chunkNames: 'program/[name]-[hash]',
    outExtension: { '.js': '.cjs' },
    external: [],
    define: { ...COMMON.define, 'import.meta.dirname': '__dirname' },
    write: false,
    plugins: [nativeBinding, ...plugins],
  });
  const pieces = new Map();
  for (const { path, text } of outputFiles) {
    const { code, warnings } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      minifySyntax: true,
      minifyWhitespace: true,
      supported: { 'dynamic-import': false },
    });
    if (warnings.length > 0) throw new Error(`${relative(root, path)}: ${warnings[0].text}`);
    pieces.set(basename(path), code);
  }
  const packed = pack(pieces, metafile);
  // The entry comes last, so that a program that is replaced while it runs elsewhere finds its pieces.
  for (const [name, code] of packed) {
    mkdirSync(dirname(join(outdir, name)), { recursive: true });
    writeFileSync(join(outdir, name), code);
  }
  return { metafile, files: [...packed.keys()] };
}
