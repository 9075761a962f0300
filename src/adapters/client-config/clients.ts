/** The clients: where each keeps its configuration, how it writes a server down, and which instructions it reads. */

import { posix, win32 } from 'node:path';
import type { ClientName } from '../../core/connection.js';

/** What the places of files depend on. */
export type Machine = {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** How a server is started. */
export type ServerCommand = { readonly command: string; readonly args: readonly string[] };

export type Client = {
  readonly name: Exclude<ClientName, 'git'>;
  readonly title: string;
  readonly format: 'json' | 'toml';
  /** Names of the file for all projects; of several the first that is there, or else the first. */
  readonly userFiles: (machine: Machine) => readonly string[];
  /** The same in a project; none where the client knows no such file. */
  readonly projectFiles: readonly string[];
  /** Keys that lead to the object of servers. */
  readonly keys: readonly string[];
  readonly entry: (server: ServerCommand) => Readonly<Record<string, unknown>>;
  /** The file of instructions that it reads in a folder. */
  readonly instructions: 'AGENTS.md' | 'CLAUDE.md' | 'GEMINI.md' | undefined;
  readonly knowsSkills: boolean;
};

const plain = ({ command, args }: ServerCommand) => ({ command, args });
const stdio = ({ command, args }: ServerCommand) => ({ type: 'stdio', command, args });

const JSON_CLIENT = { format: 'json', keys: ['mcpServers'], entry: plain, knowsSkills: false } as const;

export const clients: readonly Client[] = [
  {
    ...JSON_CLIENT,
    name: 'claude-code',
    title: 'Claude Code',
    userFiles: (machine) => {
      const set = machine.environment['CLAUDE_CONFIG_DIR'];
      return [set ? joinOn(machine, set, '.claude.json') : joinOn(machine, machine.home, '.claude.json')];
    },
    projectFiles: ['.mcp.json'],
    entry: stdio,
    instructions: 'CLAUDE.md',
    knowsSkills: true,
  },
  {
    ...JSON_CLIENT,
    name: 'claude-desktop',
    title: 'Claude Desktop',
    userFiles: (machine) => [
      joinOn(machine, applicationFolder(machine), 'Claude', 'claude_desktop_config.json'),
    ],
    projectFiles: [],
    instructions: undefined,
  },
  {
    ...JSON_CLIENT,
    name: 'codex',
    title: 'Codex',
    format: 'toml',
    keys: ['mcp_servers'],
    userFiles: (machine) => {
      const set = machine.environment['CODEX_HOME'];
      return [
        set ? joinOn(machine, set, 'config.toml') : joinOn(machine, machine.home, '.codex', 'config.toml'),
      ];
    },
    projectFiles: ['.codex/config.toml'],
    instructions: 'AGENTS.md',
  },
  {
    ...JSON_CLIENT,
    name: 'cursor',
    title: 'Cursor',
    userFiles: (machine) => [joinOn(machine, machine.home, '.cursor', 'mcp.json')],
    projectFiles: ['.cursor/mcp.json'],
    instructions: 'AGENTS.md',
  },
  {
    ...JSON_CLIENT,
    name: 'vscode',
    title: 'VS Code',
    keys: ['servers'],
    userFiles: (machine) => [joinOn(machine, applicationFolder(machine), 'Code', 'User', 'mcp.json')],
    projectFiles: ['.vscode/mcp.json'],
    entry: stdio,
    instructions: 'AGENTS.md',
  },
  {
    ...JSON_CLIENT,
    name: 'zed',
    title: 'Zed',
    keys: ['context_servers'],
    userFiles: (machine) => [
      machine.platform === 'win32'
        ? joinOn(machine, applicationFolder(machine), 'Zed', 'settings.json')
        : joinOn(machine, configFolder(machine), 'zed', 'settings.json'),
    ],
    projectFiles: ['.zed/settings.json'],
    entry: ({ command, args }) => ({ command, args, env: {} }),
    instructions: 'AGENTS.md',
  },
  {
    ...JSON_CLIENT,
    name: 'opencode',
    title: 'opencode',
    keys: ['mcp', 'servers'],
    userFiles: (machine) =>
      ['opencode.jsonc', 'opencode.json'].map((file) =>
        joinOn(machine, configFolder(machine), 'opencode', file),
      ),
    projectFiles: ['opencode.jsonc', 'opencode.json'],
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args] }),
    instructions: 'AGENTS.md',
  },
  {
    ...JSON_CLIENT,
    name: 'gemini-cli',
    title: 'Gemini CLI',
    userFiles: (machine) => [joinOn(machine, machine.home, '.gemini', 'settings.json')],
    projectFiles: ['.gemini/settings.json'],
    instructions: 'GEMINI.md',
  },
  {
    ...JSON_CLIENT,
    name: 'windsurf',
    title: 'Windsurf',
    userFiles: (machine) => [joinOn(machine, machine.home, '.codeium', 'windsurf', 'mcp_config.json')],
    projectFiles: [],
    instructions: 'AGENTS.md',
  },
];

/** The command of an entry, whichever client wrote it. */
export function commandOf(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { command, args } = entry as { readonly command?: unknown; readonly args?: unknown };
  const words = [...(Array.isArray(command) ? command : [command]), ...(Array.isArray(args) ? args : [])];
  return words.filter((word): word is string => typeof word === 'string');
}

/** The vault that an entry's command names; empty where it names none. */
export function vaultOf(entry: unknown): string {
  const words = commandOf(entry);
  const at = words.indexOf('--vault');
  return at < 0 ? '' : (words[at + 1] ?? '');
}

/** Joined as the machine does it, which need not be the one that this runs on. */
export function joinOn({ platform }: Pick<Machine, 'platform'>, ...parts: readonly string[]): string {
  return (platform === 'win32' ? win32 : posix).join(...parts);
}

/** Where desktop programs keep their settings. */
function applicationFolder(machine: Machine): string {
  const { platform, home, environment } = machine;
  if (platform === 'win32') return environment['APPDATA'] || joinOn(machine, home, 'AppData', 'Roaming');
  if (platform === 'darwin') return joinOn(machine, home, 'Library', 'Application Support');
  return configFolder(machine);
}

/** Where command line programs keep theirs, on macOS and Windows too. */
function configFolder(machine: Machine): string {
  const set = machine.platform === 'linux' ? machine.environment['XDG_CONFIG_HOME'] : undefined;
  return set || joinOn(machine, machine.home, '.config');
}
