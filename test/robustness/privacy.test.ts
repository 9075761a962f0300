/** What the program touches: no socket, and nothing outside the index folder when it only reads. */

import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, copyExampleVault, runCommand, runMemory, temporaryFolder } from '../surfaces/run-memory.js';

const READING: readonly (readonly string[])[] = [
  ['reindex'],
  ['search', 'why is the model lazy loaded'],
  ['show', 'decisions/lazy-model.md'],
  ['links', 'decisions/lazy-model.md'],
  ['tags'],
  ['recent'],
  ['open'],
  ['connect', 'cursor'],
  ['connect', '--list'],
  ['status'],
  ['doctor'],
  ['model'],
  ['model', 'show', 'e5-small-v2'],
  ['model', 'check'],
];

/** Path, size, times and content of everything below a folder, but for the index. */
function picture(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.vectors'))
    .sort()
    .map((path) => {
      const stats = lstatSync(join(folder, path));
      const content = stats.isFile() ? readFileSync(join(folder, path), 'base64') : '';
      return `${path} ${stats.size} ${stats.mtimeMs} ${stats.mode} ${content}`;
    });
}

test('reading operations write nothing into the vault but the index folder', async () => {
  const vault = copyExampleVault(temporaryFolder());
  const before = picture(vault);
  for (const args of READING)
    expect((await runMemory([...args, '--vault', vault])).code, args.join(' ')).toBe(0);
  expect(picture(vault)).toEqual(before);
});

test('the index folder is private and keeps itself out of git and backups', async () => {
  const vault = copyExampleVault(temporaryFolder());
  await runMemory(['reindex', '--vault', vault]);
  const folder = join(vault, '.vectors');
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(lstatSync(join(folder, name)).mode & 0o077, name).toBe(0);
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
  expect(readFileSync(join(folder, 'CACHEDIR.TAG'), 'utf8')).toMatch(
    /^Signature: 8a477f597d28d172789f06886806bc55/,
  );
});

test('no operation opens a socket or looks up a host', async () => {
  const folder = temporaryFolder();
  const vault = copyExampleVault(folder);
  const log = join(folder, 'sockets.log');
  writeFileSync(log, '');
  const spy = join(folder, 'spy.cjs');
  writeFileSync(
    spy,
    `const { appendFileSync } = require('node:fs');
     const told = (name) => () => { appendFileSync(${JSON.stringify(log)}, name + '\\n'); throw new Error(name); };
     const net = require('node:net');
     net.Socket.prototype.connect = told('connect');
     net.Server.prototype.listen = told('listen');
     require('node:dgram').createSocket = told('datagram');
     for (const name of ['lookup', 'resolve', 'resolve4']) require('node:dns')[name] = told(name);
     globalThis.fetch = told('fetch');`,
  );
  for (const args of READING) {
    const { code } = await runCommand(process.execPath, ['--require', spy, bin, ...args, '--vault', vault]);
    expect(code, args.join(' ')).toBe(0);
  }
  const rpc = await runCommand(process.execPath, ['--require', spy, bin, 'rpc', '--vault', vault], {
    stdin: '{"jsonrpc":"2.0","id":1,"method":"search","params":{"query":"model"}}\n',
  });
  expect(JSON.parse(rpc.stdout).result.hits.length).toBeGreaterThan(0);
  expect(readFileSync(log, 'utf8')).toBe('');
  const caught = await runCommand(process.execPath, [
    '--require',
    spy,
    '-e',
    "require('node:net').connect(1)",
  ]);
  expect(caught.code).not.toBe(0);
  expect(readFileSync(log, 'utf8')).toBe('connect\n');
});
