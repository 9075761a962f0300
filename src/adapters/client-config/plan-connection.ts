/** Which files a connection changes, and to what. Writing them: connect-client.ts. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientName } from '../../core/connection.js';
import { MemoryError } from '../../core/errors.js';
import { INSTRUCTION_MARKS, instructionText, SKILL_MARK, skillText } from './agent-texts.js';
import { type Client, clients, type Machine, type ServerCommand, vaultOf } from './clients.js';
import { backupOf, type ConfigWrite, readConfig } from './config-file.js';
import {
  driverCommand,
  putAttribute,
  putDriver,
  removeAttribute,
  removeDriver,
  repositoryConfig,
} from './git-config.js';
import { putJsonEntry, readJsonEntry, removeJsonEntry } from './json-config.js';
import { putMarkedBlock, removeMarkedBlock } from './marked-block.js';
import { putTomlEntry, readTomlEntry, removeTomlEntry } from './toml-config.js';

export type Wanted = {
  /** How the program is started, without its arguments. */
  readonly program: ServerCommand;
  readonly machine: Machine;
  readonly name: string;
  /** Absolute, as are the others. */
  readonly file?: string | undefined;
  readonly folder?: string | undefined;
  readonly instructions: boolean;
};

export type PlannedWrite = ConfigWrite & {
  /** Once written, the copy from before has served its turn. */
  readonly dropBackup?: boolean;
};

/** `vault` is absolute. */
export function planConnection(name: ClientName, wanted: Wanted, vault: string): readonly PlannedWrite[] {
  if (name === 'git') return planGit(wanted, wanted.folder ?? vault, 'put');
  const client = clientNamed(name);
  const { file, keys } = placeOf(client, wanted);
  const entry = serverFor(wanted.program, vault);
  const before = readConfig(file);
  const after = putEntry(client, file, before, keys, client.entry(entry));
  const isNew = before !== undefined && readEntry(client, file, before, keys) === undefined;
  const writes: PlannedWrite[] = [{ path: file, before, after, keepBackup: isNew }];
  return [...writes, ...planInstructions(client, wanted, wanted.folder ?? vault, 'put')].filter(isChange);
}

/** `vault` counts where the configuration names none. */
export function planRemoval(
  name: ClientName,
  wanted: Wanted,
  findVault: () => string,
): readonly PlannedWrite[] {
  if (name === 'git') return planGit(wanted, wanted.folder ?? findVault(), 'remove');
  const client = clientNamed(name);
  const { file, keys } = placeOf(client, wanted);
  const before = readConfig(file);
  const entry = before === undefined ? undefined : readEntry(client, file, before, keys);
  const writes: PlannedWrite[] =
    before === undefined || entry === undefined ? [] : [restored(client, file, before, keys, entry)];
  const texts = () =>
    planInstructions(client, wanted, wanted.folder ?? (vaultOf(entry) || findVault()), 'remove');
  return [...writes, ...(client.instructions === undefined ? [] : texts())].filter(isChange);
}

function isChange({ before, after }: ConfigWrite): boolean {
  return before !== after;
}

/** The server as clients are told to start it. */
export function serverFor({ command, args }: ServerCommand, vault: string): ServerCommand {
  return { command, args: [...args, 'mcp', '--vault', vault] };
}

export function clientNamed(name: ClientName): Client {
  const client = clients.find((one) => one.name === name);
  if (client !== undefined) return client;
  throw new MemoryError('invalid_input', `There is no client "${name}"`, {
    hint: 'See `memory help connect`.',
  });
}

/** The file in use, and the keys that lead to our entry in it. */
export function placeOf(
  client: Client,
  { file, folder, machine, name }: Pick<Wanted, 'file' | 'folder' | 'machine' | 'name'>,
): { readonly file: string; readonly keys: readonly string[] } {
  const files =
    file !== undefined
      ? [file]
      : folder === undefined
        ? client.userFiles(machine)
        : client.projectFiles.map((path) => join(folder, path));
  if (files.length === 0) {
    throw new MemoryError('invalid_input', `${client.title} has no configuration file for a project`, {
      hint: `Leave --folder out: \`memory connect ${client.name}\`.`,
    });
  }
  const found = files.find((path) => existsSync(path)) ?? files.at(-1)!;
  return { file: found, keys: [...serverKeys(client, found), name] };
}

/** Its first version has servers in `mcp` itself, which shows where there are some. */
function serverKeys(client: Client, file: string): readonly string[] {
  if (client.name !== 'opencode') return client.keys;
  const text = readConfig(file);
  const mcp = text === undefined ? undefined : readJsonEntry(file, text, ['mcp']);
  if (typeof mcp !== 'object' || mcp === null) return client.keys;
  const isFirst = !('servers' in mcp) && Object.values(mcp).some((value) => isServer(value));
  return isFirst ? ['mcp'] : client.keys;
}

function isServer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value;
}

export function readEntry(client: Client, file: string, text: string, keys: readonly string[]): unknown {
  return client.format === 'json' ? readJsonEntry(file, text, keys) : readTomlEntry(file, text, keys);
}

function putEntry(
  client: Client,
  file: string,
  text: string | undefined,
  keys: readonly string[],
  entry: Readonly<Record<string, unknown>>,
): string {
  if (client.format === 'json') return putJsonEntry(file, text, keys, entry);
  return putTomlEntry(file, text, keys, entry as ServerCommand);
}

/** As it was before, where nothing but our entry was added to that; else without the entry. */
function restored(
  client: Client,
  path: string,
  before: string,
  keys: readonly string[],
  entry: unknown,
): PlannedWrite {
  const given = entry as Readonly<Record<string, unknown>>;
  const again = (text: string | undefined) => {
    try {
      return putEntry(client, path, text, keys, given);
    } catch {
      return undefined;
    }
  };
  const backup = readConfig(backupOf(path));
  if (backup !== undefined && again(backup) === before)
    return { path, before, after: backup, dropBackup: true };
  if (backup === undefined && again(undefined) === before) return { path, before, after: undefined };
  const remove = client.format === 'json' ? removeJsonEntry : removeTomlEntry;
  return { path, before, after: remove(path, before, keys), dropBackup: true };
}

function planInstructions(
  client: Client,
  { instructions, name, folder, machine }: Wanted,
  place: string,
  what: 'put' | 'remove',
): readonly PlannedWrite[] {
  if (!instructions || client.instructions === undefined) return [];
  const path = join(place, client.instructions);
  const before = readConfig(path);
  const after =
    what === 'put'
      ? putMarkedBlock(path, before, INSTRUCTION_MARKS, instructionText(name))
      : before === undefined
        ? undefined
        : removeMarkedBlock(path, before, INSTRUCTION_MARKS);
  const block: PlannedWrite = { path, before, after };
  if (!client.knowsSkills) return [block];
  return [
    block,
    planSkill(join(folder ?? machine.home, '.claude', 'skills', 'agent-memory', 'SKILL.md'), name, what),
  ];
}

function planSkill(path: string, name: string, what: 'put' | 'remove'): PlannedWrite {
  const before = readConfig(path);
  const isOurs = before?.includes(SKILL_MARK) ?? false;
  if (what === 'remove') return { path, before, after: isOurs ? undefined : before, emptiedFolders: 3 };
  if (before === undefined || isOurs) return { path, before, after: skillText(name) };
  throw new MemoryError('conflict', `"${path}" is a skill of somebody else`, {
    hint: 'Move it away, or leave the texts out with --no-instructions.',
    details: { path },
  });
}

function planGit({ program }: Wanted, folder: string, what: 'put' | 'remove'): readonly PlannedWrite[] {
  const config = repositoryConfig(folder);
  const lock = `${config}.lock`;
  const settings = readConfig(config) ?? '';
  const attributes = join(folder, '.gitattributes');
  const lines = readConfig(attributes);
  const writes: readonly PlannedWrite[] =
    what === 'put'
      ? [
          { path: attributes, before: lines, after: putAttribute(lines) },
          { path: config, before: settings, after: putDriver(settings, driverCommand(program)), lock },
        ]
      : [
          {
            path: attributes,
            before: lines,
            after: lines === undefined ? undefined : removeAttribute(lines),
          },
          { path: config, before: settings, after: removeDriver(settings), lock },
        ];
  return writes.filter(isChange);
}
