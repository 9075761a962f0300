/**
 * Measures `memory mcp` on a vault: start to answered `tools/list` against an empty Node process, memory when idle,
 * and a warm search against the same through `memory rpc`. Stand-alone, or called by run.mjs.
 *
 *   node bench/mcp.mjs <vault> [runs]
 */

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'bin/memory.js');

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1.0.0' },
};

const QUESTIONS = [
  'pointer to member',
  'virtual function table',
  'lambda capture',
  'move constructor',
  'regex',
];

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

const round = (value, digits = 2) => Number(value.toFixed(digits));
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

function start(name, vault) {
  const child = spawn(process.execPath, [program, name, '--vault', vault], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let lastId = 0;
  return {
    child,
    ask: async (method, params) => {
      lastId += 1;
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
      const { result, error } = JSON.parse((await lines.next()).value);
      if (error) throw new Error(error.message);
      return result;
    },
    end: () =>
      new Promise((resolve) => {
        child.on('close', resolve);
        child.stdin.end();
      }),
  };
}

async function startMs(vault) {
  const startedMs = nowMs();
  const server = start('mcp', vault);
  await server.ask('initialize', INITIALIZE);
  await server.ask('tools/list');
  const ms = nowMs() - startedMs;
  await server.end();
  return ms;
}

function emptyNodeMs() {
  const startedMs = nowMs();
  spawnSync(process.execPath, ['-e', '0']);
  return nowMs() - startedMs;
}

/** Undefined where the system has no /proc. */
function residentMb(pid) {
  try {
    return round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024, 0);
  } catch {
    return undefined;
  }
}

export async function measureMcp(vault, runs = 20) {
  // The first makes the compiled form that the others use.
  await startMs(vault);
  const starts = [];
  const empty = [];
  for (let run = 0; run < runs; run += 1) {
    starts.push(await startMs(vault));
    empty.push(emptyNodeMs());
  }

  const mcp = start('mcp', vault);
  const rpc = start('rpc', vault);
  await mcp.ask('initialize', INITIALIZE);
  await mcp.ask('tools/list');
  const idleMb = residentMb(mcp.child.pid);
  const throughMcp = [];
  const throughRpc = [];
  for (let run = 0; run < runs + 2; run += 1) {
    for (const query of QUESTIONS) {
      const input = { query, refresh: false };
      const a = nowMs();
      await rpc.ask('search', input);
      const b = nowMs();
      await mcp.ask('tools/call', { name: 'search', arguments: input });
      const c = nowMs();
      if (run < 2) continue;
      throughRpc.push(b - a);
      throughMcp.push(c - b);
    }
  }
  await Promise.all([mcp.end(), rpc.end()]);
  return {
    start: {
      ms: round(median(starts), 1),
      yardstickMs: round(median(empty), 1),
      ratio: round(median(starts) / median(empty)),
    },
    idleMb,
    warmSearch: {
      mcpMs: round(median(throughMcp)),
      rpcMs: round(median(throughRpc)),
      moreMs: round(median(throughMcp.map((ms, at) => ms - throughRpc[at]))),
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [, , vault, runs] = process.argv;
  if (vault === undefined) {
    console.error('usage: node bench/mcp.mjs <vault> [runs]');
    process.exitCode = 2;
  } else {
    console.log(
      JSON.stringify(await measureMcp(vault, runs === undefined ? undefined : Number(runs)), null, 2),
    );
  }
}
