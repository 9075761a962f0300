/** The user's settings: where they are, how they are read, and what stays when one is changed. */

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readUserConfig, userConfigPath, writeUserConfig } from '../../src/app/user-config.js';
import { temporaryFolder } from '../surfaces/run-memory.js';

function settled(text?: string | Uint8Array) {
  const environment = { XDG_CONFIG_HOME: temporaryFolder() };
  const path = userConfigPath(environment);
  if (text !== undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return { environment, path };
}

const asObject = async (environment: Readonly<Record<string, string>>) =>
  Object.fromEntries(await readUserConfig(environment));

test('userConfigPath() is in the folder of settings', () => {
  expect(userConfigPath({ XDG_CONFIG_HOME: '/settings' })).toBe('/settings/agent-memory/config.yaml');
  expect(userConfigPath({ XDG_CONFIG_HOME: '' })).toMatch(/agent-memory[\\/]config\.yaml$/);
});

test('readUserConfig() without a file has no settings', async () => {
  expect(await asObject(settled().environment)).toEqual({});
});

test.each<[string, string, Readonly<Record<string, string>>]>([
  ['a plain line', 'model: bge-small-en-v1.5\n', { model: 'bge-small-en-v1.5' }],
  ['no line end', 'model: static', { model: 'static' }],
  ['line ends of Windows', 'model: none\r\ndevice: cpu\r\n', { model: 'none', device: 'cpu' }],
  ['empty lines and comments', '# mine\n\n  # more\nmodel: none\n', { model: 'none' }],
  ['a comment behind', 'model: none # for now\n', { model: 'none' }],
  ['quotes', `model: "none"\ndevice: 'cpu'\n`, { model: 'none', device: 'cpu' }],
  ['an empty text', 'query-instruction: ""\n', { 'query-instruction': '' }],
  [
    'an address with a name',
    'model: "http://127.0.0.1:11434#nomic"\n',
    { model: 'http://127.0.0.1:11434#nomic' },
  ],
  ['the same, bare', 'model: http://127.0.0.1:11434#nomic\n', { model: 'http://127.0.0.1:11434#nomic' }],
  ['a repository', 'model: transformers:tiny/encoder\n', { model: 'transformers:tiny/encoder' }],
  ['a folder with spaces', 'model: /my models/e5\n', { model: '/my models/e5' }],
  [
    'numbers and switches',
    'dimensions: 0256\nallow-remote: true\n',
    { dimensions: '0256', 'allow-remote': 'true' },
  ],
  ['what it does not know', 'other:\n  - 1\nmodel: none\n', { model: 'none' }],
  ['a key without a value', 'model:\n', {}],
  ['a document mark', '---\nmodel: none\n', { model: 'none' }],
  ['flow style', '{model: none}', { model: 'none' }],
  ['nothing', '', {}],
  ['a byte order mark', '\uFEFFmodel: none\n', { model: 'none' }],
])('readUserConfig() reads %s', async (_, text, settings) => {
  expect(await asObject(settled(text).environment)).toEqual(settings);
});

test.each<[string, string, string]>([
  ['an open bracket', 'device: cpu\nmodel: [a\n', 'line '],
  ['the same key twice', 'model: a\nmodel: b\n', 'line 2: '],
  ['a list', '- model\n', 'no list of `key: value`'],
  ['a single word', 'static\n', 'no list of `key: value`'],
])('readUserConfig() names the file that holds %s', async (_, text, reason) => {
  const { environment, path } = settled(text);
  await expect(readUserConfig(environment)).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining(reason),
    hint: expect.stringContaining('Mend that'),
    details: { path },
  });
});

test('readUserConfig() of a folder says so', async () => {
  const { environment, path } = settled();
  mkdirSync(path, { recursive: true });
  await expect(readUserConfig(environment)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining(path),
  });
});

describe('writeUserConfig()', () => {
  test('makes the file', async () => {
    const { environment, path } = settled();
    expect(await writeUserConfig(environment, 'model', 'static')).toBe(path);
    expect(readFileSync(path, 'utf8')).toBe('model: static\n');
  });

  test.each<[string, string, string]>([
    ['a value', 'model: none\n', 'model: static\n'],
    ['a quoted one', 'model: "none"\n', 'model: "static"\n'],
    [
      'with its comment',
      '# mine\nmodel: none # now\ndevice: cpu\n',
      '# mine\nmodel: static # now\ndevice: cpu\n',
    ],
    ['beside unknown keys', 'other:\n  - 1 # one\n', 'other:\n  - 1 # one\nmodel: static\n'],
    ['of Windows', '# a\r\nmodel: none\r\n', '# a\r\nmodel: static\r\n'],
    ['that is only a comment', '# mine\n', '# mine\n\nmodel: static\n'],
    ['that is right already', 'model:   static\n', 'model: static\n'],
  ])('changes %s and leaves the rest', async (_, before, after) => {
    const { environment, path } = settled(before);
    await writeUserConfig(environment, 'model', 'static');
    expect(readFileSync(path, 'utf8')).toBe(after);
    expect((await readUserConfig(environment)).get('model')).toBe('static');
  });

  test.each(['http://127.0.0.1:1#a b', '/a: b', '#x', ' spaces ', 'true', 'ümlaut', "it's", '"', 'a\nb'])(
    'gives %j back',
    async (value) => {
      const { environment } = settled('# mine\n');
      await writeUserConfig(environment, 'model', value);
      expect((await readUserConfig(environment)).get('model')).toBe(value);
    },
  );

  test('touches nothing of a broken file', async () => {
    const { environment, path } = settled('model: [a\n');
    await expect(writeUserConfig(environment, 'model', 'static')).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(readFileSync(path, 'utf8')).toBe('model: [a\n');
  });

  test('writes through a link, and keeps the mode', async () => {
    const { environment, path } = settled();
    const own = join(temporaryFolder(), 'mine.yaml');
    writeFileSync(own, 'model: none\n');
    chmodSync(own, 0o600);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(own, path);
    await writeUserConfig(environment, 'model', 'static');
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readFileSync(own, 'utf8')).toBe('model: static\n');
    expect(statSync(own).mode & 0o777).toBe(0o600);
  });

  test('says that it cannot', async () => {
    const environment = { XDG_CONFIG_HOME: join(temporaryFolder(), 'file') };
    writeFileSync(environment.XDG_CONFIG_HOME, '');
    await expect(writeUserConfig(environment, 'model', 'static')).rejects.toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('XDG_CONFIG_HOME'),
    });
    expect(existsSync(userConfigPath(environment))).toBe(false);
  });
});
