/** Tells a client of a vault, or takes that back: shows the change, or makes it. What is changed: plan-connection.ts. */

import {
  CLIENT_NAMES,
  type ConnectInput,
  type Connection,
  type ConnectOutput,
} from '../../core/connection.js';
import { unifiedDiff } from '../../core/edit/unified-diff.js';
import { MemoryError } from '../../core/errors.js';
import { clients, vaultOf } from './clients.js';
import { backupOf, checkWritable, readConfig, removeBackup, writeConfig } from './config-file.js';
import { readDriver, repositoryConfig } from './git-config.js';
import {
  clientNamed,
  type PlannedWrite,
  placeOf,
  planConnection,
  planRemoval,
  readEntry,
  type Wanted,
} from './plan-connection.js';

/** `findVault` throws where there is none. */
export function connectClient(input: ConnectInput, wanted: Wanted, findVault: () => string): ConnectOutput {
  checkInput(input);
  if (input.list)
    return { changes: [], written: false, connections: listConnections(wanted, findVault), next: '' };
  const client = input.client!;
  const writes = input.remove
    ? planRemoval(client, wanted, findVault)
    : planConnection(client, wanted, findVault());
  const isWriting = input.write || input.remove;
  if (isWriting) carryOut(writes);
  return {
    changes: writes.map((write) => ({
      path: write.path,
      action: write.before === undefined ? 'create' : write.after === undefined ? 'delete' : 'change',
      diff: diffOf(write),
      backup: write.keepBackup ? backupOf(write.path) : '',
    })),
    written: isWriting && writes.length > 0,
    connections: [],
    next: nextStep(input, writes.length),
  };
}

function checkInput({ client, write, remove, list }: ConnectInput): void {
  if (client === undefined && !list) {
    throw new MemoryError('invalid_input', 'connect needs a client', {
      hint: `One of ${CLIENT_NAMES.join(', ')}; --list shows what is set up.`,
      details: { argument: 'client' },
    });
  }
  const given = Object.entries({ write, remove, list }).filter(([, isGiven]) => isGiven);
  if (given.length < 2) return;
  const names = given.map(([name]) => name);
  throw new MemoryError('invalid_input', `connect does one thing at a time, not ${names.join(' and ')}`, {
    hint: 'Run the command once for each.',
    details: { arguments: names },
  });
}

/** All files are looked at before the first is touched. */
function carryOut(writes: readonly PlannedWrite[]): void {
  for (const write of writes) checkWritable(write);
  for (const write of writes) {
    writeConfig(write);
    if (write.dropBackup) removeBackup(write.path);
  }
}

/** Its paths are absolute, so that there is no a/ and b/ to put before them. */
function diffOf({ path, before, after }: PlannedWrite): string {
  const nothing = '/dev/null';
  return unifiedDiff(
    { path: before === undefined ? nothing : path, text: before ?? '' },
    { path: after === undefined ? nothing : path, text: after ?? '' },
  ).replace(/^--- (?:a\/)?(.*)\n\+\+\+ (?:b\/)?(.*)\n/, '--- $1\n+++ $2\n');
}

function nextStep({ client, write, remove }: ConnectInput, changes: number): string {
  if (changes === 0) return remove ? 'nothing is set up here' : 'set up already, nothing to change';
  if (remove)
    return client === 'git' ? 'git merges notes as any text again' : 'taken back; restart the client';
  if (!write) return 'nothing was written: --write does it';
  return client === 'git'
    ? 'commit .gitattributes; every clone needs this command once'
    : 'restart the client; it starts the server by itself';
}

/** Where each client could be set up, for all projects and in the folder, and whether it is. */
function listConnections(wanted: Wanted, findVault: () => string): readonly Connection[] {
  const scopes: readonly Wanted[] =
    wanted.folder === undefined ? [wanted] : [{ ...wanted, folder: undefined }, wanted];
  const listed = scopes.flatMap((scope) =>
    clients
      .filter(({ projectFiles }) => scope.folder === undefined || projectFiles.length > 0)
      .map(({ name }) => connectionOf(name, scope)),
  );
  const git = gitConnection(wanted.folder ?? orUndefined(findVault));
  return git === undefined ? listed : [...listed, git];
}

function connectionOf(name: (typeof clients)[number]['name'], wanted: Wanted): Connection {
  const client = clientNamed(name);
  let path = wanted.file ?? '';
  try {
    const place = placeOf(client, wanted);
    path = place.file;
    const text = readConfig(path);
    if (text === undefined) return { client: name, path, state: 'no file', vault: '', reason: '' };
    const entry = readEntry(client, path, text, place.keys);
    const state = entry === undefined ? 'not connected' : 'connected';
    return { client: name, path, state, vault: vaultOf(entry), reason: '' };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const named = error.details?.['path'];
    path = typeof named === 'string' ? named : path;
    return { client: name, path, state: 'unreadable', vault: '', reason: error.message };
  }
}

function gitConnection(folder: string | undefined): Connection | undefined {
  if (folder === undefined) return undefined;
  try {
    const path = repositoryConfig(folder);
    const isSet = readDriver(readConfig(path) ?? '') !== undefined;
    return {
      client: 'git',
      path,
      state: isSet ? 'connected' : 'not connected',
      vault: isSet ? folder : '',
      reason: '',
    };
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function orUndefined<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}
