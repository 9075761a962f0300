/**
 * The settings of the user, not of a vault: `agent-memory/config.yaml` in the user's folder of settings. A vault may
 * come from somebody else, so models and servers are never named in it.
 */

import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MemoryError } from '../core/errors.js';
import { changeSetting, parseSettings, type UserSettings } from '../core/user-settings.js';
import { homeFolder } from './home-folder.js';

type Environment = Readonly<Record<string, string | undefined>>;

export function userConfigPath(environment: Environment): string {
  return join(userConfigFolder(environment), 'agent-memory', 'config.yaml');
}

/** The platform's folder for settings of programs. */
function userConfigFolder(environment: Environment): string {
  if (environment['XDG_CONFIG_HOME']) return environment['XDG_CONFIG_HOME'];
  if (process.platform === 'win32')
    return environment['APPDATA'] ?? join(homeFolder(environment), 'AppData', 'Roaming');
  return join(homeFolder(environment), '.config');
}

const NO_SETTINGS: UserSettings = new Map();

/** No settings where there is no file. Throws `invalid_input` for one that is broken. */
export async function readUserConfig(environment: Environment): Promise<UserSettings> {
  const path = userConfigPath(environment);
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return NO_SETTINGS;
    return await parseSettings(readFileSync(path, 'utf8'), path);
  } catch (error) {
    throw asUnreadable(path, 'read', error);
  }
}

/** Writes one setting and leaves the rest of the file as it is; returns the file's path. */
export async function writeUserConfig(environment: Environment, key: string, value: string): Promise<string> {
  const path = userConfigPath(environment);
  try {
    // A link, as people who keep their settings in git have it, stays one.
    const stats = statSync(path, { throwIfNoEntry: false });
    const target = stats === undefined ? path : realpathSync(path);
    const before = stats === undefined ? '' : readFileSync(target, 'utf8');
    const after = await changeSetting(before, path, key, value);
    if (after === before) return path;
    mkdirSync(dirname(target), { recursive: true });
    replaceFile(target, after, stats === undefined ? 0o644 : stats.mode & 0o7777);
    return path;
  } catch (error) {
    throw asUnreadable(path, 'write', error);
  }
}

function replaceFile(target: string, text: string, mode: number): void {
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode });
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function asUnreadable(path: string, verb: 'read' | 'write', error: unknown): unknown {
  const reason = (error as NodeJS.ErrnoException).code;
  if (error instanceof MemoryError || reason === undefined) return error;
  return new MemoryError('unavailable', `Cannot ${verb} the settings in "${path}": ${reason}`, {
    hint: 'Allow it, or set XDG_CONFIG_HOME to another folder.',
    cause: error,
  });
}
