/** Where each client keeps its configuration, on each platform, and how it names a server. */

import { describe, expect, test } from 'vitest';
import { clients, type Machine, vaultOf } from '../../src/adapters/client-config/clients.js';
import { CLIENT_NAMES } from '../../src/core/connection.js';

const linux: Machine = { platform: 'linux', home: '/home/m', environment: {} };
const macos: Machine = {
  platform: 'darwin',
  home: '/Users/m',
  environment: { XDG_CONFIG_HOME: '/elsewhere' },
};
const windows: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\m',
  environment: { APPDATA: 'D:\\Roaming' },
};

const PLACES: Readonly<Record<string, readonly [linux: string, macos: string, windows: string]>> = {
  'claude-code': ['/home/m/.claude.json', '/Users/m/.claude.json', 'C:\\Users\\m\\.claude.json'],
  'claude-desktop': [
    '/home/m/.config/Claude/claude_desktop_config.json',
    '/Users/m/Library/Application Support/Claude/claude_desktop_config.json',
    'D:\\Roaming\\Claude\\claude_desktop_config.json',
  ],
  codex: ['/home/m/.codex/config.toml', '/Users/m/.codex/config.toml', 'C:\\Users\\m\\.codex\\config.toml'],
  cursor: ['/home/m/.cursor/mcp.json', '/Users/m/.cursor/mcp.json', 'C:\\Users\\m\\.cursor\\mcp.json'],
  vscode: [
    '/home/m/.config/Code/User/mcp.json',
    '/Users/m/Library/Application Support/Code/User/mcp.json',
    'D:\\Roaming\\Code\\User\\mcp.json',
  ],
  zed: [
    '/home/m/.config/zed/settings.json',
    '/Users/m/.config/zed/settings.json',
    'D:\\Roaming\\Zed\\settings.json',
  ],
  opencode: [
    '/home/m/.config/opencode/opencode.json',
    '/Users/m/.config/opencode/opencode.json',
    'C:\\Users\\m\\.config\\opencode\\opencode.json',
  ],
  'gemini-cli': [
    '/home/m/.gemini/settings.json',
    '/Users/m/.gemini/settings.json',
    'C:\\Users\\m\\.gemini\\settings.json',
  ],
  windsurf: [
    '/home/m/.codeium/windsurf/mcp_config.json',
    '/Users/m/.codeium/windsurf/mcp_config.json',
    'C:\\Users\\m\\.codeium\\windsurf\\mcp_config.json',
  ],
};

test('every client but git has its row', () => {
  expect(clients.map(({ name }) => name)).toEqual(CLIENT_NAMES.filter((name) => name !== 'git'));
  expect(Object.keys(PLACES)).toEqual(clients.map(({ name }) => name));
});

describe.each(clients)('$name', ({ name, userFiles, entry }) => {
  test('has its file in the place of each platform', () => {
    expect([linux, macos, windows].map((machine) => userFiles(machine).at(-1))).toEqual(PLACES[name]);
  });

  test('starts the program that it is given, for the vault', () => {
    const written = entry({ command: '/n', args: ['/m.js', 'mcp', '--vault', '/v w'] });
    const { command, args = [] } = written as { command: string | string[]; args?: string[] };
    expect([command, args].flat()).toEqual(['/n', '/m.js', 'mcp', '--vault', '/v w']);
    expect(vaultOf(written)).toBe('/v w');
  });
});

test('folders that the environment names count', () => {
  const files = (name: string, environment: Machine['environment'], machine = linux) =>
    clients.find((client) => client.name === name)!.userFiles({ ...machine, environment });
  expect(files('codex', { CODEX_HOME: '/c' })).toEqual(['/c/config.toml']);
  expect(files('claude-code', { CLAUDE_CONFIG_DIR: '/c' })).toEqual(['/c/.claude.json']);
  expect(files('zed', { XDG_CONFIG_HOME: '/x' })).toEqual(['/x/zed/settings.json']);
  expect(files('vscode', {}, windows)).toEqual(['C:\\Users\\m\\AppData\\Roaming\\Code\\User\\mcp.json']);
});
