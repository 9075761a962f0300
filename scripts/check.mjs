/**
 * All checks, one line each: format and lint, types, tests (architecture and docs are tests). A check that fails
 * shows what it said. `--all` sets CHECK_ALL=1, for tests that then look at everything and not at a sample.
 */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './bundle.mjs';

const binary = (path) => [process.execPath, join(root, 'node_modules', path)];

const CHECKS = [
  { name: 'format and lint', command: [...binary('@biomejs/biome/bin/biome'), 'check', '.'] },
  { name: 'types', command: [...binary('typescript/bin/tsc'), '--noEmit'] },
  { name: 'tests', command: [...binary('vitest/vitest.mjs'), 'run', '--reporter=default', '--no-color'] },
];

const environment = { ...process.env };
if (process.argv.includes('--all')) environment['CHECK_ALL'] = '1';

let failures = 0;
let summary = '0 passed, 0 failed';
for (const { name, command } of CHECKS) {
  const startedMs = Date.now();
  const { code, output } = await run(command);
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  if (name === 'tests') summary = testSummary(output);
  if (code === 0) {
    process.stdout.write(`ok      ${name} (${seconds} s)\n`);
  } else {
    failures += 1;
    process.stdout.write(`${output.trimEnd()}\nfailed  ${name} (${seconds} s)\n`);
  }
}
process.stdout.write(`${summary}\n`);
process.exitCode = failures === 0 ? 0 : 1;

function run([file, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** `Tests  1 failed | 20 passed | 2 skipped (23)` in other words. */
function testSummary(output) {
  const line = /^\s*Tests\s.*$/m.exec(output)?.[0] ?? '';
  const number = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return `${number('passed')} passed, ${number('failed')} failed`;
}
