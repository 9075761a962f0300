/**
 * Loads dist/main.cjs with its compiled form from the user's cache folder, which spares a search a fifth of its time.
 * The cache is made after a search, so that it holds the functions that a search needs; a program that needs others
 * has one under a name of its own. It grows with the next few runs, and with each that needs a piece of the program
 * (scripts/pack.mjs) that it lacks: one search in three has a name to look up, one in some finds nothing to show.
 */

const fs = require('node:fs');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** As `node:module` has it, which takes two milliseconds to load for the sake of what is not needed here. */
const Module = module.constructor;

const CACHES_KEPT = 4;

/** So many runs make the compiled form whole, but for pieces of the program that none of them needed. */
const RUNS_TO_GROW = 4;

/** Bytes at the end of the compiled form that say how long the account before them is. */
const LENGTH_BYTES = 4;

/** Returns the file's exports, and a function that keeps its compiled form, to be called when it has run. */
function loadProgram(file, name = 'program') {
  const place = cachePlace(file, name);
  const kept = place && readKept(place);
  const source = fs.readFileSync(file, 'latin1');
  const script = new Script(source, { filename: file, cachedData: kept?.data });
  const program = new Module(file);
  program.filename = file;
  program.paths = Module._nodeModulePaths(dirname(file));
  program.loaded = true;
  require.cache[file] = program;
  const require_ = Module.createRequire(file);
  script.runInThisContext().call(program.exports, program.exports, require_, program, file, dirname(file));
  let account = kept && !script.cachedDataRejected ? kept.account : { runs: 0, pieces: [] };
  return {
    program: program.exports,
    keepCompiled: () => {
      const used = program.exports.loadedPieces?.() ?? [];
      const pieces = [...new Set([...account.pieces, ...used])];
      const isWhole = account.runs >= RUNS_TO_GROW && pieces.length === account.pieces.length;
      if (!place || isWhole) return;
      account = { runs: account.runs + 1, pieces };
      keep(place, { data: script.createCachedData(), account }, name);
    },
  };
}

/** The whole name changes with whatever the compiled form depends on. */
function cachePlace(file, name) {
  const { HOME, XDG_CACHE_HOME, NODE_DISABLE_COMPILE_CACHE } = process.env;
  const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  if (!caches || NODE_DISABLE_COMPILE_CACHE) return undefined;
  const { mtimeMs, size } = fs.statSync(file);
  const version = [name, size, Math.floor(mtimeMs), process.version, process.arch].join('-');
  return join(caches, 'agent-memory', version);
}

/**
 * V8 crashes on damaged data, so it is kept twice in one file, and used where both halves agree. Behind the data
 * stands an account of how it came about.
 */
function readKept(place) {
  try {
    const bytes = fs.readFileSync(place);
    const half = bytes.subarray(0, bytes.length / 2);
    if (!half.equals(bytes.subarray(half.length))) return undefined;
    const end = half.length - LENGTH_BYTES;
    const start = end - half.readUInt32LE(end);
    return { data: half.subarray(0, start), account: JSON.parse(half.toString('latin1', start, end)) };
  } catch {
    return undefined;
  }
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

module.exports = { loadProgram };
