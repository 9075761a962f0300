#!/usr/bin/env node
/**
 * Checks that this Node can run the program, then loads dist/main.cjs, which `npm run build` makes, and hands over.
 * CommonJS, as package.json beside it says: the ES module loader costs every call some milliseconds. One file, since a
 * second one costs a millisecond.
 *
 * The program is loaded with its compiled form from the user's cache folder, which spares a search a fifth of its time.
 * That is made after a search, so that it holds the functions that a search needs; a program that needs others has one
 * under a name of its own. It grows with the first runs of each kind, which are those that need the same pieces of the
 * program (scripts/pack.mjs): one search in three has a name to look up, one in some finds nothing to show, and a reindex
 * of all notes needs other functions than one that finds nothing changed.
 */

const fs = require('node:fs');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** As `node:module` has it, which takes two milliseconds to load for the sake of what is not needed here. */
const Module = module.constructor;

const OLDEST_NODE = 20;
const EXIT_UNAVAILABLE = 5;
const EXIT_INTERNAL = 70;

/** After so long a server has answered its first questions. */
const SETTLED_MS = 3_000;

const CACHES_KEPT = 4;

/** So many runs of a kind make the compiled form whole for it. */
const RUNS_TO_GROW = 2;

/** Of the second half, read at a time. */
const COMPARED_BYTES = 65_536;

/** Bytes at the end of the compiled form that say how long the account before them is. */
const LENGTH_BYTES = 4;

/** Commands that are called so often, and have to be so quick, that their compiled form is kept. */
const COMPILED_FOR = {
  search: 'program',
  reindex: 'reindex-program',
  edit: 'edit-program',
  mcp: 'mcp-program',
};

function fail(message, hint, code) {
  process.stderr.write(`memory: ${message}\nhint: ${hint}\n`);
  process.exit(code);
}

if (Number(process.versions.node.split('.', 1)[0]) < OLDEST_NODE) {
  fail(
    `Needs Node ${OLDEST_NODE} or later, this is ${process.versions.node}`,
    'Get one from https://nodejs.org.',
    EXIT_UNAVAILABLE,
  );
}

const file = join(__dirname, '../dist/main.cjs');
if (!fs.existsSync(file)) {
  fail('The program is not built yet', 'Run `npm ci && npm run build`.', EXIT_UNAVAILABLE);
}

const argv = process.argv.slice(2);
const [command] = argv;
const isServer = command === 'mcp';
// A client waits for a server to start; the SDK is where the program will look for it.
const sdk = isServer ? [loadProgram(join(file, '../program/mcp-sdk.cjs'), 'mcp-sdk')] : [];
const main = loadProgram(file, COMPILED_FOR[command] ?? COMPILED_FOR.search);
const keepCompiled = () => {
  for (const loaded of [main, ...sdk]) loaded.keepCompiled();
};
// Some clients kill a server at its end; by then it has been started, which is what its compiled form is for.
if (isServer) setTimeout(keepCompiled, SETTLED_MS).unref();
main.program.main(argv).then(
  (code) => {
    if (code === 0 && command in COMPILED_FOR) keepCompiled();
    process.exit(code);
  },
  (error) => fail(error, 'This is a fault of the program.', EXIT_INTERNAL),
);

/** Returns the file's exports, and a function that keeps its compiled form, to be called when it has run. */
function loadProgram(file, name = 'program') {
  const { mtimeMs, size } = fs.statSync(file);
  const place = cachePlace([name, size, Math.floor(mtimeMs), process.version, process.arch].join('-'));
  const open = place && openKept(place);
  // One room for both, as memory that was not touched before costs more than what is read into it.
  const room = Buffer.allocUnsafeSlow(Math.max(size, open?.half ?? 0));
  const source = readSource(file, room.subarray(0, size));
  const kept = open && readKept(open, room);
  const script = new Script(source, { filename: file, cachedData: kept?.data });
  const program = new Module(file);
  program.filename = file;
  program.paths = Module._nodeModulePaths(dirname(file));
  program.loaded = true;
  require.cache[file] = program;
  // What `createRequire` adds to this nobody uses, and it takes code of its own.
  const requireBeside = (name) => program.require(name);
  script
    .runInThisContext()
    .call(program.exports, program.exports, requireBeside, program, file, dirname(file));
  let account = kept && !script.cachedDataRejected ? kept.account : { runs: {}, pieces: [] };
  return {
    program: program.exports,
    keepCompiled: () => {
      const used = program.exports.loadedPieces?.() ?? [];
      const pieces = [...new Set([...account.pieces, ...used])];
      const kind = used.map((name) => pieces.indexOf(name)).join(' ');
      const runs = account.runs[kind] ?? 0;
      if (!place || runs >= RUNS_TO_GROW) return;
      account = { runs: { ...account.runs, [kind]: runs + 1 }, pieces };
      keep(place, { data: script.createCachedData(), account }, name);
    },
  };
}

/** The whole version changes with whatever the compiled form depends on. */
function cachePlace(version) {
  const { HOME, XDG_CACHE_HOME, NODE_DISABLE_COMPILE_CACHE } = process.env;
  const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  return caches && !NODE_DISABLE_COMPILE_CACHE ? join(caches, 'agent-memory', version) : undefined;
}

function readSource(path, room) {
  const file = fs.openSync(path);
  const source = readPart(file, room, 0).toString();
  fs.closeSync(file);
  return source;
}

function openKept(place) {
  try {
    const file = fs.openSync(place);
    return { file, half: Math.floor(fs.fstatSync(file).size / 2) };
  } catch {
    return undefined;
  }
}

/**
 * V8 crashes on damaged data, so it is kept twice in one file, and used where both halves agree. Behind the data
 * stands an account of how it came about.
 */
function readKept({ file, half }, room) {
  try {
    const first = readPart(file, room.subarray(0, half), 0);
    const piece = Buffer.allocUnsafeSlow(COMPARED_BYTES);
    for (let at = 0; at < half; at += COMPARED_BYTES) {
      const own = first.subarray(at, at + COMPARED_BYTES);
      if (!own.equals(readPart(file, piece.subarray(0, own.length), half + at))) return undefined;
    }
    const end = half - LENGTH_BYTES;
    const start = end - first.readUInt32LE(end);
    return { data: first.subarray(0, start), account: JSON.parse(first.subarray(start, end).toString()) };
  } catch {
    return undefined;
  } finally {
    fs.closeSync(file);
  }
}

/** The bytes of the file from `position` on, at most as many as `room` holds. */
function readPart(file, room, position) {
  let done = 0;
  for (let got = -1; got !== 0 && done < room.length; done += got) {
    got = fs.readSync(file, room, done, room.length - done, position + done);
  }
  return room.subarray(0, done);
}

/** A cache that cannot be written is done without. */
function keep(place, { data, account }, name) {
  const text = Buffer.from(JSON.stringify(account), 'latin1');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(text.length);
  const half = Buffer.concat([data, text, length]);
  try {
    fs.mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    fs.writeFileSync(`${place}.${process.pid}`, Buffer.concat([half, half]), { mode: 0o600 });
    fs.renameSync(`${place}.${process.pid}`, place);
    removeOldest(dirname(place), `${name}-`);
  } catch {}
}

/** Other versions of the program and of Node have theirs here as well. */
function removeOldest(folder, start) {
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(start));
  const places = names.map((name) => join(folder, name));
  const byAge = places.sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs);
  for (const place of byAge.slice(CACHES_KEPT)) fs.rmSync(place);
}
