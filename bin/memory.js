#!/usr/bin/env node
/**
 * Checks that this Node can run the program, then hands over to dist/main.cjs, which `npm run build` makes.
 * CommonJS, as package.json beside it says: the ES module loader costs every call some milliseconds.
 */

const OLDEST_NODE = 20;
const EXIT_UNAVAILABLE = 5;
const EXIT_INTERNAL = 70;

/** After so long a server has answered its first questions. */
const SETTLED_MS = 3_000;

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

/** Commands that are called so often, and have to be so quick, that their compiled form is kept. */
const COMPILED_FOR = {
  search: 'program',
  reindex: 'reindex-program',
  edit: 'edit-program',
  mcp: 'mcp-program',
};

const { loadProgram } = require('./load-program.js');
const argv = process.argv.slice(2);
const [command] = argv;
const isServer = command === 'mcp';
// A client waits for a server to start; the SDK is where the program will look for it.
const sdk = isServer
  ? [loadProgram(require('node:path').join(file, '../program/mcp-sdk.cjs'), 'mcp-sdk')]
  : [];
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
