/** Each configuration in docs/mcp.md is read as its client would, started, and answers. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { copyExampleVault, quietEnvironment, sharedFolder, temporaryFolder } from '../surfaces/run-memory.js';
import { INITIALIZE } from './server.js';

type Command = { readonly command: string; readonly args: readonly string[] };

const text = readFileSync(join(root, 'docs/mcp.md'), 'utf8');
const vault = copyExampleVault(sharedFolder());

const mcpServers = (config: never): Command =>
  (config as { mcpServers: { memory: Command } }).mcpServers.memory;

/** Where each client looks for the server in its file. */
const clients: Readonly<Record<string, (config: never) => Command>> = {
  'claude-code': mcpServers,
  'claude-desktop': mcpServers,
  codex: (config) => (config as { mcp_servers: { memory: Command } }).mcp_servers.memory,
  cursor: mcpServers,
  'vs-code': (config) => (config as { servers: { memory: Command } }).servers.memory,
  zed: (config) => (config as { context_servers: { memory: Command } }).context_servers.memory,
  opencode: (config) => {
    const { servers } = (config as { mcp: { servers: { memory: { command: string[] } } } }).mcp;
    const [command = '', ...args] = servers.memory.command;
    return { command, args };
  },
  'gemini-cli': mcpServers,
};

/** The block under `<!-- config: name -->`. */
function blockOf(name: string): never {
  const block = new RegExp(`<!-- config: ${name} -->\\n\`\`\`(json|toml)\\n([^\`]+)\`\`\``).exec(text);
  expect(block, `docs/mcp.md has no configuration of ${name}`).not.toBeNull();
  const [, kind, content] = block!;
  return (kind === 'json' ? JSON.parse(content!) : readToml(content!)) as never;
}

/** As much of TOML as such a table takes: its values are JSON. */
function readToml(content: string): unknown {
  const [header, ...lines] = content.trim().split('\n');
  const names = /^\[([\w.]+)\]$/.exec(header!)![1]!.split('.');
  const table: unknown = Object.fromEntries(
    lines.map((line) => {
      const [, key, value] = /^(\w+) = (.+)$/.exec(line)!;
      return [key!, JSON.parse(value!)];
    }),
  );
  return names.reduceRight((inner, name) => ({ [name]: inner }), table);
}

test.each(Object.keys(clients))('%s', async (name) => {
  const { command, args } = clients[name]!(blockOf(name));
  expect(command).toBe('node');
  const filled = args.map((arg) =>
    arg.replace('/path/to/agent-memory', root).replace('/path/to/notes', vault),
  );
  expect(filled).not.toEqual(args);
  // Clients start servers in a folder of their own.
  const child = spawn(process.execPath, filled, {
    cwd: temporaryFolder(),
    env: quietEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object) => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return JSON.parse((await answers.next()).value);
  };
  expect(await ask(1, 'initialize', INITIALIZE)).toMatchObject({
    result: { serverInfo: { name: 'agent-memory' } },
  });
  const call = { name: 'show', arguments: { note: 'profile' } };
  expect(await ask(2, 'tools/call', call)).toMatchObject({
    result: { structuredContent: { path: 'profile.md' } },
  });
});

test('every configuration in the document is tried', () => {
  const names = [...text.matchAll(/<!-- config: ([\w-]+) -->/g)].map((match) => match[1]);
  expect(names).toEqual(Object.keys(clients));
});
