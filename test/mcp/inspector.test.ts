/** The Inspector of the protocol's own makers lists, calls and reads. It is fetched once; without a network this is skipped. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bin, copyExampleVault, type Finished, runCommand, sharedFolder } from '../surfaces/run-memory.js';

const CACHE = join(tmpdir(), 'memory-test-cache/inspector');

/** It needs a newer Node than the program does. */
const PACKAGES = ['-p', 'node@24', '-p', '@modelcontextprotocol/inspector'];

const vault = copyExampleVault(sharedFolder());

function npx(...args: readonly string[]): Promise<Finished> {
  return runCommand('npx', ['-y', '--prefer-offline', '--cache', CACHE, ...PACKAGES, ...args], {
    cwd: sharedCwd,
    environment: { HOME: process.env['HOME'] ?? tmpdir() },
  });
}

const sharedCwd = sharedFolder();

async function inspect(...request: readonly string[]) {
  const server = [process.execPath, bin, 'mcp', '--vault', vault];
  const { code, stdout, stderr } = await npx('mcp-inspector', '--cli', ...request, '--', ...server);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

const fetched = await npx('node', '-e', '0');
const isThere = fetched.code === 0;
if (!isThere) process.stderr.write('skipped: the Inspector cannot be fetched\n');

describe.skipIf(!isThere)('the Inspector', { timeout: 120_000 }, () => {
  test('lists tools', async () => {
    const { tools } = await inspect('--method', 'tools/list');
    expect(tools).toContainEqual(expect.objectContaining({ name: 'search' }));
  });

  test('calls one', async () => {
    const args = ['--tool-name', 'show', '--tool-arg', 'note=profile', '--method', 'tools/call'];
    const { structuredContent } = await inspect(...args);
    expect(structuredContent).toMatchObject({ path: 'profile.md' });
  });

  test('reads a resource', async () => {
    const uri = 'memory://note/profile.md';
    const { contents } = await inspect('--uri', uri, '--method', 'resources/read');
    expect(contents).toMatchObject([{ uri, mimeType: 'text/markdown' }]);
  });
});
