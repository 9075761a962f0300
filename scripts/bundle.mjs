/**
 * How the sources are bundled, shared by the build and by what only looks at the result.
 *
 * The library, dist/index.js, is an ES module. The program, dist/main.cjs, is CommonJS in pieces: loading the same
 * pieces as ES modules took 9 ms longer on every call (Node 20, 60 ms for an empty process), since the ES loader
 * has to be started, reads each file asynchronously, and touches every export of each `node:` module. esbuild
 * splits ES modules only, so the program is split as such and then turned into CommonJS piece by piece (common-js.mjs).
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { MODULE_END, MODULE_START, refuseChangingExports, toCommonJs } from './common-js.mjs';
import { pack } from './pack.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

export const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Bundled CommonJS may call `require`; the name is one that no module uses for itself. */
const REQUIRE_BANNER = [
  `import { createRequire as agentMemoryCreateRequire } from 'node:module';`,
  'const require = agentMemoryCreateRequire(import.meta.url);',
].join('\n');

/** Never bundled: it may be missing, and brings native code that lies beside its own files. */
const OPTIONAL = Object.keys(manifest.optionalDependencies);

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  // A fiftieth of the time that a search takes.
  minifyIdentifiers: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // proper-lockfile needs nothing of what graceful-fs adds, and every write would pay for loading it.
  // What Node takes of jsonc-parser calls `require` in a way that a bundler cannot follow.
  alias: { 'graceful-fs': 'node:fs', 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  external: [...Object.keys(manifest.dependencies), ...OPTIONAL],
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

/**
 * Looked for where npm puts it, beside this package or in it: asking Node to resolve the package takes 3 ms, and to
 * require a file whose path is known .4 ms.
 */
const NATIVE_BINDING = `
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const file = 'better-sqlite3/build/Release/better_sqlite3.node';
module.exports = () => {
  for (const modules of ['../node_modules', '../..']) {
    const path = join(__dirname, modules, file);
    if (!existsSync(path)) continue;
    const binding = { exports: {} };
    process.dlopen(binding, path);
    return binding.exports;
  }
  return require(file);
};`;

/** Of better-sqlite3; each call would pay for setting them up. */
const UNUSED_METHODS =
  /\/better-sqlite3\/lib\/methods\/(aggregate|backup|function|inspect|serialize|table)\.js$/;

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
    onLoad({ filter: UNUSED_METHODS }, () => ({ contents: 'module.exports = undefined;' }));
  },
};

/**
 * yaml is set up when it is first called: nearly all notes are read without it, and setting it up takes .7 ms of every
 * process that reads one.
 */
const lateYaml = {
  name: 'late yaml',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^yaml$/ }, ({ importer, namespace }) => {
      return namespace === 'file' && importer.startsWith(join(root, 'src'))
        ? { path: 'yaml', namespace: 'late-yaml' }
        : undefined;
    });
    onLoad({ filter: /^/, namespace: 'late-yaml' }, async () => ({
      contents: lateModule('yaml', Object.keys(await import('yaml'))),
      resolveDir: root,
    }));
  },
};

/** An ES module with the functions and classes of a CommonJS one, each of which loads that when called. */
function lateModule(name, exported) {
  const functions = exported.filter((one) => one !== 'default' && one !== 'module.exports');
  return [
    `let loaded; const late = () => (loaded ??= require(${JSON.stringify(name)}));`,
    ...functions.map(
      (one) =>
        `export function ${one}(...given) { return new.target ? new (late().${one})(...given) : late().${one}(...given); }`,
    ),
  ].join('\n');
}

/**
 * What runs beside the program: the thread that reads notes (read-aside.ts starts it), and the process in which an
 * encoder runs (start-encoder.ts).
 */
const ASIDE = {
  'note-thread': 'src/adapters/vault-fs/note-thread.ts',
  'encoder-process': 'src/adapters/embedders/encoder-process.ts',
};
const ASIDE_PIECES = Object.keys(ASIDE).map((name) => `program/${name}.cjs`);

/** The module through which the program gets the MCP SDK, and what that is bundled to. */
const SDK_DOOR = 'src/surfaces/mcp/sdk.ts';
const SDK_PIECE = 'program/mcp-sdk.cjs';

/**
 * The SDK is bundled apart: it brings zod's large build, whose modules would otherwise be shared with the small one
 * and so get into what every command loads.
 */
const sdkApart = {
  name: 'SDK apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/sdk\.js$/ }, ({ path, resolveDir }) => {
      const isDoor = relative(root, join(resolveDir, path)) === SDK_DOOR.replace(/ts$/, 'js');
      return isDoor ? { path: `./${basename(SDK_PIECE)}`, external: true } : undefined;
    });
  },
};

/** For checking what a client typed into a form, which we ask for nowhere; it would cost 50 ms on every start. */
const NO_VALIDATOR = `
import process from 'node:process';
export { process };
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('There is no validator in this build');
  }
}`;

const withoutValidator = {
  name: 'without validator',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\/server\/_shims$/ }, () => ({ path: 'shims', namespace: 'no-validator' }));
    onLoad({ filter: /^/, namespace: 'no-validator' }, () => ({ contents: NO_VALIDATOR }));
  },
};

/** What `memory mcp` lists, made here from the operations: loading them all would cost it 15 ms on every start. */
async function toolListings() {
  const contents = "export { listTools } from './src/surfaces/mcp/tools.ts';";
  const { outputFiles } = await build({
    ...COMMON,
    splitting: false,
    metafile: false,
    write: false,
    stdin: { contents, resolveDir: root, loader: 'ts' },
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  const { listTools } = await import(`data:text/javascript;base64,${code}`);
  return JSON.stringify(await listTools());
}

/**
 * zod keeps its settings in a global. The SDK's has one of its own, or its English messages would take the place of
 * ours; and it compiles no schemas when they are first used, which most of them are once.
 */
const ZOD_SETTINGS = '__agentMemorySdkZodConfig';

/** Returns esbuild's metafile. */
async function bundleSdk(outdir) {
  const { metafile } = await build({
    ...COMMON,
    splitting: false,
    format: 'cjs',
    external: [],
    entryPoints: { 'mcp-sdk': SDK_DOOR },
    outdir: join(outdir, dirname(SDK_PIECE)),
    outExtension: { '.js': '.cjs' },
    mangleProps: /^__zod_globalConfig$/,
    mangleCache: { __zod_globalConfig: ZOD_SETTINGS },
    banner: { js: `${MODULE_START}globalThis.${ZOD_SETTINGS} = { jitless: true };` },
    footer: { js: MODULE_END },
    plugins: [withoutValidator],
  });
  return metafile;
}

/** Each is a program of its own, which shares no piece with the other. Returns esbuild's metafile. */
async function bundleAside(outdir) {
  const { metafile } = await build({
    ...COMMON,
    splitting: false,
    format: 'cjs',
    entryPoints: ASIDE,
    outdir: join(outdir, 'program'),
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
  });
  return metafile;
}

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
    define: {
      ...COMMON.define,
      'import.meta.dirname': '__dirname',
      TOOL_LISTINGS: JSON.stringify(await toolListings()),
    },
    outExtension: { '.js': '.cjs' },
    external: OPTIONAL,
    write: false,
    plugins: [nativeBinding, sdkApart, lateYaml, ...plugins],
  });
  refuseChangingExports(metafile, root);
  const pieces = new Map();
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    pieces.set(name, toCommonJs(name, text));
  }
  const packed = pack(pieces, metafile);
  const sdk = await bundleSdk(outdir);
  const aside = await bundleAside(outdir);
  // The entry comes last, so that a program that is replaced while it runs elsewhere finds its pieces.
  for (const [name, code] of packed) {
    mkdirSync(dirname(join(outdir, name)), { recursive: true });
    writeFileSync(join(outdir, name), code);
  }
  const outputs = { ...metafile.outputs, ...sdk.outputs, ...aside.outputs };
  return { metafile: { ...metafile, outputs }, files: [SDK_PIECE, ...ASIDE_PIECES, ...packed.keys()] };
}
