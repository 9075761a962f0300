/** Pieces of the program as CommonJS: scripts/common-js.mjs, on what esbuild really makes. */

import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { NAMESPACE_OF, type Piece, refuseChangingExports, toCommonJs } from '../scripts/common-js.mjs';
import { makeTempVault } from './temp-vault.js';

const requireReally = createRequire(import.meta.url);

async function split(sources: Readonly<Record<string, string>>): Promise<Map<string, Piece>> {
  const root = makeTempVault(sources).root;
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['main.js'],
    outdir: join(root, 'out'),
    chunkNames: '[name]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    write: false,
    metafile: true,
    external: ['left-out'],
  });
  refuseChangingExports(metafile, root);
  return new Map(
    outputFiles.map(({ path, text }) => [
      basename(path).replace(/js$/, 'cjs'),
      toCommonJs(basename(path), text),
    ]),
  );
}

/** The exports of main.js, run as the program would. */
function run(pieces: ReadonlyMap<string, Piece>, others: Readonly<Record<string, unknown>> = {}) {
  const loaded = new Map<string, unknown>();
  const load = (path: string): unknown => {
    if (path in others) return others[path];
    const name = basename(path);
    const piece = pieces.get(name);
    if (!piece) return requireReally(path);
    if (!loaded.has(name)) {
      const code = `${NAMESPACE_OF}${piece.head}${piece.body}\nreturn${piece.exports};`;
      loaded.set(name, new Function('require', code)(load));
    }
    return loaded.get(name);
  };
  return load('./main.cjs') as Record<string, unknown>;
}

test('names, defaults, namespaces and pieces that are loaded later all arrive', async () => {
  const pieces = await split({
    'main.js': `
      import whole, { join as glue } from 'node:path';
      import * as files from 'node:fs';
      import 'left-out';
      import { shared } from './shared.js';
      export const glued = glue('a', 'b');
      export const isSame = whole.join === glue && typeof files.readFileSync === 'function';
      export const later = async () => [(await import('./later.js')).default, shared.count];
      export const outside = async () => (await import('left-out')).default;
      export { shared as 'a name' };
    `,
    'later.js': `import { shared } from './shared.js'; shared.count += 1; export default shared;`,
    'shared.js': `export const shared = { count: 1 };`,
  });
  expect([...pieces.keys()].length).toBeGreaterThan(2);
  const leftOut = { isThere: true };
  const main = run(pieces, { 'left-out': leftOut });
  expect(main['glued']).toBe('a/b');
  expect(main['isSame']).toBe(true);
  expect(await (main['later'] as () => Promise<unknown>)()).toEqual([{ count: 2 }, 2]);
  expect(main['a name']).toEqual({ count: 2 });
  expect(await (main['outside'] as () => Promise<unknown>)()).toBe(leftOut);
});

test('a module that is set up when it is first used is refused', async () => {
  const sources = {
    'main.js': `export const late = () => require('./late.js').value;`,
    'late.js': 'export const value = Math.random();',
  };
  await expect(split(sources)).rejects.toThrow('late.js: is set up when main.js first requires it');
});

test('a source that exports a variable is refused, an enum of TypeScript is not', async () => {
  const changing = { 'main.js': 'export let count = 0;\nexport const add = () => (count += 1);\n' };
  await expect(split(changing)).rejects.toThrow('main.js: exports a variable');
  const list = {
    'main.js': 'export var Kind;\n(function (Kind) {\n  Kind.a = 1;\n})(Kind || (Kind = {}));\n',
  };
  expect(run(await split(list))['Kind']).toEqual({ a: 1 });
});
