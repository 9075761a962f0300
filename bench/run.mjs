/**
 * Measures whole processes and warm calls on the large public vaults and records the figures.
 *
 *   node bench/run.mjs [--quick] [--large] [--note "what changed"]
 *
 * Needs the vaults in ../shared/vaults. Machines are noisy: a command and its yardstick run in turn, and what counts
 * is the ratio of their medians. Results go to bench/runs/<date>.json.
 */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { measureMcp } from './mcp.mjs';
import { measureMove } from './move.mjs';
import { makeQuestions } from './questions.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const shared = resolve(root, '../shared/vaults');
const program = join(root, 'bin/memory.js');
const isQuick = process.argv.includes('--quick');
const noteAt = process.argv.indexOf('--note');
const work = join(tmpdir(), 'agent-memory-bench');

if (!existsSync(shared)) {
  console.error(`skipped: the vaults are not there (${shared})`);
  process.exit(0);
}

const median = (values) => percentile(values, 0.5);
function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
const round = (value, digits = 2) => Number(value.toFixed(digits));

function unpack(name) {
  const folder = join(work, name);
  if (!existsSync(folder)) {
    mkdirSync(work, { recursive: true });
    execFileSync('tar', ['-xJf', join(shared, `${name}.tar.xz`), '-C', work]);
  }
  return folder;
}

/** 100,000 notes: those of tldr again and again, each time with a line of its own. */
function makeLarge(source) {
  const folder = join(work, 'large');
  if (existsSync(folder)) return folder;
  const paths = readdirSync(source, { recursive: true })
    .filter((path) => path.endsWith('.md'))
    .sort();
  for (let at = 0; at < 100_000; at += 1) {
    const copy = Math.floor(at / paths.length);
    const path = join(folder, `copy-${copy}`, paths[at % paths.length]);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      `${readFileSync(join(source, paths[at % paths.length]), 'utf8')}\n> Variant ${copy} of page ${at}.\n`,
    );
  }
  return folder;
}

/** Wall milliseconds of one process, which must succeed. */
function timed(command, args, options = {}) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    ...options,
  });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return ms;
}

/** The compiled form of the program grows with the first two runs of each kind (bin/memory.js). */
const WARM_UPS = 3;

/** A and B in turn; medians, and A's share of B. */
function paired(count, runA, runB) {
  const a = [];
  const b = [];
  for (let i = 0; i < WARM_UPS; i += 1) {
    runA(i);
    runB(i);
  }
  for (let i = 0; i < count; i += 1) {
    a.push(runA(i));
    b.push(runB(i));
  }
  return {
    ms: round(median(a), 1),
    p95: round(percentile(a, 0.95), 1),
    yardstickMs: round(median(b), 1),
    ratio: round(median(a) / median(b)),
    p95Ratio: round(percentile(a, 0.95) / median(b)),
  };
}

const memory = (...args) => timed(process.execPath, [program, ...args]);
/** A note is looked at again in the two seconds after its change; then the vault is as it was before. */
const SETTLE_MS = 2_100;
function settle(vault) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLE_MS);
  memory('reindex', '--vault', vault);
}
const emptyNode = () => timed(process.execPath, ['-e', '0']);

/** Wall time, and peak memory as the system counts it. */
function measuredReindex(vault, model = 'static') {
  rmSync(join(vault, '.vectors'), { recursive: true, force: true });
  const { stderr, status } = spawnSync(
    '/usr/bin/time',
    ['-f', '%e %U %M', process.execPath, program, 'reindex', '--quiet', '--vault', vault],
    { encoding: 'utf8', env: { ...process.env, AGENT_MEMORY_MODEL: model } },
  );
  if (status !== 0) throw new Error(stderr);
  const [seconds, userSeconds, peakKb] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return {
    seconds,
    userSeconds,
    peakMb: round(peakKb / 1024, 0),
    indexMb: round(sizeOfFiles(vault, /^memory-.*\.db$/) / 1e6, 1),
    vectorsMb: round(sizeOfFiles(vault, /^vectors-.*\.db$/) / 1e6, 1),
  };
}

function sizeOfFiles(vault, names) {
  return readdirSync(join(vault, '.vectors'))
    .filter((name) => names.test(name))
    .reduce((sum, name) => sum + statSync(join(vault, '.vectors', name)).size, 0);
}

/** Sends the questions to one process, one at a time, and times each answer. */
async function warmSearch(vault, questions, refresh) {
  const child = spawn(process.execPath, [program, 'rpc', '--vault', vault], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id, query) => {
    const start = process.hrtime.bigint();
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'search', params: { query, refresh } })}\n`,
    );
    const answer = JSON.parse((await lines.next()).value);
    if (answer.error) throw new Error(answer.error.message);
    return Number(process.hrtime.bigint() - start) / 1e6;
  };
  for (let i = 0; i < 20; i += 1) await ask(i, questions[i % questions.length]);
  const times = [];
  for (let i = 0; i < questions.length; i += 1) times.push(await ask(100 + i, questions[i]));
  const { VmHWM } = Object.fromEntries(
    readFileSync(`/proc/${child.pid}/status`, 'utf8')
      .split('\n')
      .map((line) => line.split(/:\s+/)),
  );
  child.stdin.end();
  return {
    p50: round(median(times)),
    p95: round(percentile(times, 0.95)),
    max: round(Math.max(...times)),
    peakMb: round(Number.parseInt(VmHWM, 10) / 1024, 0),
  };
}

async function main() {
  const startLoad = loadavg().map((value) => round(value));
  const results = {};
  const say = (name, value) => {
    results[name] = value;
    console.log(name.padEnd(44), JSON.stringify(value));
  };
  const cpp = unpack('ms-cpp-docs');
  const tldr = unpack('tldr');
  const questions = makeQuestions(cpp, 100);
  const times = isQuick ? 11 : 100;

  const byWords = [];
  const first = [];
  for (let i = 0; i < (isQuick ? 1 : 3); i += 1) {
    byWords.push(measuredReindex(cpp, 'none'));
    first.push(measuredReindex(cpp));
  }
  const notesMb = round(
    Number(
      execFileSync('sh', ['-c', `find ${cpp} -name '*.md' -printf '%s\\n' | awk '{s+=$1} END {print s}'`], {
        encoding: 'utf8',
      }),
    ) / 1e6,
    1,
  );
  say('first reindex, ms-cpp-docs', {
    seconds: median(first.map((one) => one.seconds)),
    userSeconds: median(first.map((one) => one.userSeconds)),
    peakMb: median(first.map((one) => one.peakMb)),
    indexMb: first[0].indexMb,
    vectorsMb: first[0].vectorsMb,
    secondsByWordsAlone: median(byWords.map((one) => one.seconds)),
    notesMb,
    indexShare: round(first[0].indexMb / notesMb),
  });
  memory('reindex', '--vault', cpp);

  const find = () => timed('find', [cpp, '-name', '*.md', '-printf', '%T@ %s %p\n']);
  say(
    'reindex, nothing changed / find',
    paired(isQuick ? 7 : 21, () => memory('reindex', '--vault', cpp), find),
  );
  const changing = join(cpp, readdirSync(cpp).find((name) => name.endsWith('.md')) ?? 'bench.md');
  const original = existsSync(changing) ? readFileSync(changing, 'utf8') : undefined;
  say(
    'reindex, one note changed / nothing changed',
    paired(
      isQuick ? 7 : 41,
      (i) => {
        writeFileSync(changing, `${original ?? ''}\nA line more, number ${i}.\n`);
        return memory('reindex', '--vault', cpp);
      },
      () => {
        settle(cpp);
        return memory('reindex', '--vault', cpp);
      },
    ),
  );
  if (original) writeFileSync(changing, original);
  else rmSync(changing);
  memory('reindex', '--vault', cpp);

  say(
    'search, check skipped / node -e 0',
    paired(
      times,
      (i) => memory('search', questions[i % questions.length], '--no-refresh', '--vault', cpp),
      emptyNode,
    ),
  );
  say(
    'search by words alone, check skipped / node -e 0',
    paired(
      times,
      (i) => memory('search', questions[i % questions.length], '--words', '--no-refresh', '--vault', cpp),
      emptyNode,
    ),
  );
  const edited = join(cpp, 'bench-edit.md');
  writeFileSync(edited, '# Edited\n\nA note of the bench.\n');
  memory('reindex', '--vault', cpp);
  say(
    'edit --append / node -e 0',
    paired(
      isQuick ? 7 : 31,
      (i) => memory('edit', 'bench-edit.md', '--append', `Line ${i}.`, '--vault', cpp),
      emptyNode,
    ),
  );
  rmSync(edited);
  rmSync(join(cpp, '.memory'), { recursive: true, force: true });
  memory('reindex', '--vault', cpp);
  say(
    'search, with check / node -e 0',
    paired(
      times,
      (i) => memory('search', questions[i % questions.length], '--refresh', '--vault', cpp),
      emptyNode,
    ),
  );
  say(
    'search by words alone, with check / node -e 0',
    paired(
      times,
      (i) => memory('search', questions[i % questions.length], '--words', '--refresh', '--vault', cpp),
      emptyNode,
    ),
  );
  say('warm search through rpc, ms-cpp-docs, no check', await warmSearch(cpp, questions, false));

  say('mcp, ms-cpp-docs', await measureMcp(cpp, isQuick ? 7 : 21));
  say('move of a note with 1,000 inbound links', measureMove({ rounds: isQuick ? 1 : 3 }));

  const tldrQuestions = makeQuestions(tldr, 100);
  say('first reindex, tldr', measuredReindex(tldr));
  say('warm search through rpc, tldr, no check', await warmSearch(tldr, tldrQuestions, false));

  if (process.argv.includes('--large')) {
    const large = makeLarge(tldr);
    say('first reindex, 100,000 notes', measuredReindex(large));
    say('warm search through rpc, 100,000 notes, no check', await warmSearch(large, tldrQuestions, false));
  }

  const record = {
    date: new Date().toISOString(),
    note: noteAt > 0 ? process.argv[noteAt + 1] : '',
    node: process.version,
    program: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
    processor: cpus()[0].model,
    cores: cpus().length,
    loadBefore: startLoad,
    loadAfter: loadavg().map((value) => round(value)),
    results,
  };
  const folder = join(root, 'bench/runs');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${record.date.slice(0, 16).replace(/:/g, '')}.json`);
  writeFileSync(path, `${JSON.stringify(record, null, 2)}\n`);
  console.log(`\nrecorded in ${path}`);
}

await main();
