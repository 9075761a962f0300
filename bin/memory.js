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

const file = require('node:path').join(__dirname, '../dist/main.cjs');
if (!require('node:fs').existsSync(file)) {
  fail('The program is not built yet', 'Run `npm ci && npm run build`.', EXIT_UNAVAILABLE);
}

const { program, keepCompiled } = require('./load-program.js').loadProgram(file);
const argv = process.argv.slice(2);
program.main(argv).then(
  (code) => {
    if (code === 0 && argv[0] === 'search') keepCompiled();
    process.exit(code);
  },
  (error) => fail(error, 'This is a fault of the program.', EXIT_INTERNAL),
);
