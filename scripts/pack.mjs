/**
 * Puts the pieces that a search needs into one file, dist/main.cjs, and leaves the others beside it, each in its own
 * file in dist/program/. One file because bin/memory.js keeps its compiled form: together they take 20 ms off
 * a search of 115 ms (Node 20, 60 ms for an empty process).
 */

import { basename } from 'node:path';
import { MODULE_END, MODULE_START, NAMESPACE_OF } from './common-js.mjs';

/** Sources behind which stands what a search or a reindex loads where nothing has changed, and what an edit does. */
const NEEDED_AT_ONCE = [
  'src/main.ts',
  'src/operations/search.ts',
  'src/app/open-app.ts',
  'src/core/memory/search.ts',
  'src/core/memory/lift-exact-names.ts',
  'src/operations/reindex.ts',
  'src/core/memory/reindex.ts',
  'src/core/memory/bring-up-to-date.ts',
  'src/adapters/vault-fs/walk.ts',
  'src/adapters/embedders/open-embedder.ts',
  'src/adapters/embedders/static-embedder.ts',
  'node_modules/better-sqlite3/lib/index.js',
  'src/operations/edit.ts',
  'src/core/memory/edit.ts',
  'src/core/memory/write-note.ts',
  'src/core/note/read-note.ts',
  'src/adapters/vault-fs/write-session.ts',
  'src/adapters/vault-fs/seen-texts.ts',
  'src/adapters/index-sqlite/index-session.ts',
  'src/adapters/index-sqlite/index-lock.ts',
];

/**
 * Pieces by file name and esbuild's metafile in; files by path below dist/ out, main.cjs last. A piece that is packed
 * is a function; it gets a `require` that finds the others, and is run when first required.
 */
export function pack(pieces, { outputs }) {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const packed = staticClosure(byName);
  const files = new Map();
  for (const [name, piece] of pieces) {
    if (!packed.has(name)) files.set(`program/${name}`, withPackedRequires(asFile(piece), packed));
  }
  const functions = [...packed].map((name) => {
    return `${JSON.stringify(name)}(require){${withDirectRequires(asFunctionBody(pieces.get(name)), packed)}\n}`;
  });
  files.set('main.cjs', inAscii(`${LOADER_START}${functions.join(',\n')}${LOADER_END}`));
  return files;
}

/** esbuild leaves regular expressions as they are; and one letter beyond Latin-1 makes V8 keep two bytes for each. */
function inAscii(code) {
  return code.replace(/[\u0080-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function asFile({ head, body, exports }) {
  return `"use strict";\n${NAMESPACE_OF}${head}${body}\nmodule.exports=${exports};\n`;
}

function asFunctionBody({ head, body, exports }) {
  return `${head}${body}\nreturn${exports};`;
}

/** All pieces that run as soon as one of the needed ones does. */
function staticClosure(byName) {
  const names = new Set();
  const add = (name) => {
    if (names.has(name)) return;
    names.add(name);
    for (const { path, kind, external } of byName.get(name).imports) {
      if (!external && kind === 'import-statement') add(basename(path));
    }
  };
  for (const [name, { entryPoint }] of byName) if (NEEDED_AT_ONCE.includes(entryPoint)) add(name);
  return names;
}

/** Between packed pieces, which then need not look for each other by path. The name must be no variable's. */
function withDirectRequires(code, packed) {
  return code.replace(/require\("\.\/([\w.-]+\.cjs)"\)/g, (whole, name) =>
    packed.has(name) ? `requirePacked(${JSON.stringify(name)})` : whole,
  );
}

function withPackedRequires(code, packed) {
  return code.replace(/require\("\.\/([\w.-]+\.cjs)"\)/g, (whole, name) =>
    packed.has(name) ? `require("../main.cjs").piece(${JSON.stringify(name)})` : whole,
  );
}

const LOADER_START = `${MODULE_START}"use strict";
const loaded = Object.create(null);
function requirePacked(name) {
  return (loaded[name] ??= pieces[name](requirePiece));
}
function requirePiece(path) {
  if (path[0] !== ".") return require(path);
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name in pieces ? requirePacked(name) : require("./program/" + name);
}
${NAMESPACE_OF}exports.piece = requirePacked;
exports.loadedPieces = () => Object.keys(loaded);
const pieces = {
`;

const LOADER_END = `
};
exports.main = (argv) => requirePacked("main.cjs").main(argv);
${MODULE_END}`;
