#!/usr/bin/env node
/**
 * Checks that this Node can run the program, then hands over to dist/main.cjs, which `npm run build` makes.
 * CommonJS, as package.json beside it says: the ES module loader costs every call some milliseconds.
 */

const OLDEST_NODE = 20;
const EXIT_UNAVAILABLE = 5;
const EXIT_INTERNAL = 70;

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

const { join } = require('node:path');
const program = join(__dirname, '../dist/main.cjs');
if (!require('node:fs').existsSync(program)) {
  fail('The program is not built yet', 'Run `npm ci && npm run build`.', EXIT_UNAVAILABLE);
}

// Compiled code is kept in the user's cache folder where Node can do so, from 22 on: 8 ms less on every call.
const { HOME, XDG_CACHE_HOME } = process.env;
const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
if (caches) require('node:module').enableCompileCache?.(join(caches, 'agent-memory/compiled'));

require(program)
  .main(process.argv.slice(2))
  .then(process.exit, (error) => fail(error, 'This is a fault of the program.', EXIT_INTERNAL));
