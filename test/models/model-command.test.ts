/** `memory model` as a person runs it: downloads from a hub on this machine, choices, and search without the model. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { userConfigPath } from '../../src/app/user-config.js';
import { bin, copyExampleVault, runCommand, runMemory, temporaryFolder } from '../surfaces/run-memory.js';
import { encoderFiles, HUB_ID, type Interference, startHub } from './hub-server.js';

const NAME = `transformers:${HUB_ID}`;

type Machine = {
  readonly folder: string;
  readonly environment: Record<string, string>;
  readonly settings: string;
  /** Runs `memory` with these arguments. */
  readonly run: (args: readonly string[], more?: Record<string, string>) => ReturnType<typeof runMemory>;
};

function makeMachine(endpoint = 'http://127.0.0.1:1'): Machine {
  const folder = temporaryFolder();
  const environment = {
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_CONFIG_HOME: join(folder, 'settings'),
    HF_ENDPOINT: endpoint,
  };
  return {
    folder,
    environment,
    settings: userConfigPath(environment),
    run: (args, more = {}) => runMemory(args, { cwd: folder, environment: { ...environment, ...more } }),
  };
}

async function withHub(interfere?: Interference) {
  const hub = await startHub(encoderFiles(), interfere);
  return { hub, ...makeMachine(hub.endpoint.href) };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe('memory model pull', () => {
  test('tells size and licence first, downloads, and lists it', async () => {
    const { run, folder } = await withHub();
    const { code, stdout, stderr } = await run(['model', 'pull', NAME]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^tiny\/encoder: 0\.3 MB, licence mit; tiny\/encoder at 0123456789ab from 127/,
      ),
    });
    expect(stdout).toContain('downloaded 300.1 kB into ');
    expect(stdout).toContain(`\`memory model use ${NAME}\` chooses it`);
    expect(existsSync(join(folder, 'cache/agent-memory/models/tiny--encoder/agent-memory.json'))).toBe(true);
    const listed = JSON.parse((await run(['model', '--json'])).stdout);
    expect(listed.models.at(-1)).toMatchObject({
      id: NAME,
      state: 'downloaded',
      licence: 'mit',
      hub: HUB_ID,
    });
    expect((await run(['model', 'pull', NAME])).stdout).toContain(`${NAME} is whole, in `);
  });

  test('goes on after it was killed', async () => {
    const files = encoderFiles();
    let isSlow = true;
    const { run, hub, environment, folder } = await withHub((request, response) => {
      if (!isSlow || !request.url?.endsWith('.onnx')) return false;
      response.writeHead(200, { 'content-length': files['onnx/model_quantized.onnx']!.length });
      response.write(files['onnx/model_quantized.onnx']!.subarray(0, 100_000));
      return true;
    });
    const part = join(folder, 'cache/agent-memory/models/tiny--encoder.part/onnx/model_quantized.onnx.part');
    const script = `"$NODE" "$BIN" model pull ${NAME} & while ! [ -s "${part}" ]; do sleep 0.02; done; kill -9 $!; wait`;
    await runCommand('bash', ['-c', script], {
      cwd: folder,
      environment: { ...environment, NODE: process.execPath, BIN: bin },
    });
    const had = readFileSync(part).length;
    isSlow = false;
    expect(JSON.parse((await run(['model', '--json', 'show', NAME])).stdout).models[0].state).toBe(
      'incomplete',
    );
    const { code, stdout } = await run(['model', 'pull', NAME]);
    expect(code).toBe(0);
    expect(stdout).toContain('downloaded');
    expect(hub.asked.at(-1)).toContain(`.onnx bytes=${had}-`);
  });

  test('says what is missing in a repository that has no encoder', async () => {
    const hub = await startHub({ 'README.md': Buffer.from('# Card') });
    const { run } = makeMachine(hub.endpoint.href);
    const { code, stderr } = await run(['model', 'pull', NAME]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'it lacks config.json, tokenizer.json, tokenizer_config.json, a file like onnx/model_quantized.onnx',
    );
  });

  test.each<[string, readonly string[], number, string]>([
    ['no id', [], 2, 'model pull needs the id of a model'],
    ['the built-in one', ['static'], 2, '"static" is nothing to download'],
    ['an endpoint', ['http://127.0.0.1:1#a'], 2, 'is nothing to download'],
    ['an unknown one', ['nothing-like-it'], 2, 'There is no model "nothing-like-it"'],
    ['another repository', ['transformers:tiny/none'], 3, 'There is no "http://127.0.0.1'],
  ])('of %s says so', async (_, args, code, message) => {
    const { run } = await withHub();
    const result = await run(['model', 'pull', ...args]);
    expect(result).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('without a network is told at once', async () => {
    const { code, stderr } = await makeMachine('http://127.0.0.1:9').run([
      'model',
      'pull',
      'all-MiniLM-L6-v2',
    ]);
    expect(code).toBe(5);
    expect(stderr).toContain('HF_ENDPOINT');
  });

  test('with an address that is none is refused', async () => {
    const { code, stderr } = await makeMachine('nowhere').run(['model', 'pull', 'all-MiniLM-L6-v2']);
    expect(code).toBe(2);
    expect(stderr).toContain('HF_ENDPOINT is "nowhere"');
  });
});

describe('memory model use', () => {
  test('does not download by itself, and changes nothing then', async () => {
    const { run, hub, settings } = await withHub();
    const { code, stderr } = await run(['model', 'use', NAME]);
    expect(code).toBe(3);
    expect(stderr).toContain(`\`memory model pull ${NAME}\` downloads it; with --yes, \`use\` does both.`);
    expect(hub.asked).toEqual([]);
    expect(existsSync(settings)).toBe(false);
  });

  test('with --yes downloads first, and does not choose what cannot be opened', async () => {
    const { run, folder, settings } = await withHub();
    const { code } = await run(['model', 'use', NAME, '--yes']);
    expect(code).not.toBe(0);
    expect(existsSync(join(folder, 'cache/agent-memory/models/tiny--encoder/config.json'))).toBe(true);
    expect(existsSync(settings)).toBe(false);
  });

  test('writes the user’s settings and nothing into the vault’s', async () => {
    const { run, folder, settings } = makeMachine();
    const vault = copyExampleVault(folder);
    write(settings, '# mine\nmodel: e5-small-v2 # slow\nother: 1\n');
    const { code, stdout } = await run(['model', 'use', 'static', '--vault', vault]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^static is in use\nservers that run/);
    expect(readFileSync(settings, 'utf8')).toBe('# mine\nmodel: static # slow\nother: 1\n');
    expect(existsSync(join(vault, '.memory/config.yaml'))).toBe(false);
  });

  test('needs no vault', async () => {
    const { run, settings } = makeMachine();
    const { code, stdout } = await run(['model', 'use', 'none']);
    expect(code).toBe(0);
    expect(stdout).toContain('none is in use');
    expect(readFileSync(settings, 'utf8')).toBe('model: none\n');
    expect((await run(['model', 'use', 'static'])).stdout).toContain('no vault here');
  });

  test('says that AGENT_MEMORY_MODEL goes before it', async () => {
    const { run, settings } = makeMachine();
    const { stdout } = await run(['model', 'use', 'none'], { AGENT_MEMORY_MODEL: 'static' });
    expect(stdout).toContain('AGENT_MEMORY_MODEL is "static" and goes before it');
    expect(readFileSync(settings, 'utf8')).toBe('model: none\n');
  });

  test('does not touch settings that are broken', async () => {
    const { run, settings } = makeMachine();
    write(settings, 'model: [a\n');
    const { code, stderr } = await run(['model', 'use', 'static']);
    expect(code).toBe(2);
    expect(stderr).toContain(settings);
    expect(readFileSync(settings, 'utf8')).toBe('model: [a\n');
  });
});

describe('memory model show', () => {
  test('tells the bands of cosines where the card does', async () => {
    const { run } = makeMachine();
    expect((await run(['model', 'show', 'e5-small-v2'])).stdout).toMatch(
      /^ {2}bands {7}cosines from 0\.7 on, unrelated texts too; a calibrated vault has its own figure$/m,
    );
    expect((await run(['model', 'show', 'bge-small-en-v1.5'])).stdout).not.toContain('bands');
    const { models } = JSON.parse((await run(['model', 'show', 'e5-small-v2', '--json'])).stdout);
    expect(models[0].unrelatedCosine).toBe(0.7);
  });
});

describe('memory model check', () => {
  test('tries the table, which tells texts apart', async () => {
    const { check } = JSON.parse((await makeMachine().run(['model', '--json', 'check'])).stdout);
    expect(check).toMatchObject({ model: 'static-english-192', dimensions: 192 });
    expect(check.near).toBeGreaterThan(check.far);
  });

  test('of none has nothing to try', async () => {
    const { code, stdout } = await makeMachine().run(['model', 'check', 'none']);
    expect(code).toBe(0);
    expect(stdout).toContain('by words alone');
  });

  test('of one that is not there says how to get it', async () => {
    const { code, stderr } = await makeMachine().run(['model', 'check', 'e5-small-v2']);
    expect(code).toBe(5);
    expect(stderr).toContain('memory model pull e5-small-v2');
  });
});

describe('without the model that is chosen', () => {
  test.each<[string, string]>([
    ['not downloaded', 'model: multilingual-e5-small\n'],
    ['broken settings', 'model: [\n'],
    ['a wrong name', 'model: no-such-model\n'],
    ['a server that is not there', 'model: "http://127.0.0.1:9#a"\n'],
  ])('search answers, exits with 0 and asks no network: %s', async (_, text) => {
    const { run, folder, settings, environment } = makeMachine();
    const vault = copyExampleVault(folder);
    await run(['reindex', '--vault', vault]);
    write(settings, text);
    const spy = spyOnNetwork(folder);
    const args = [
      '--require',
      spy.path,
      bin,
      'search',
      'why is the model lazy loaded',
      '--vault',
      vault,
      '--json',
    ];
    const { code, stdout, stderr } = await runCommand(process.execPath, args, { cwd: folder, environment });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).hits[0].path).toBe('decisions/lazy-model.md');
    expect(stderr.split('\n').length).toBeLessThanOrEqual(2);
    if (!text.includes('http')) expect(spy.seen()).toBe('');
  });

  test('list, show and check ask no network either', async () => {
    const { folder, environment } = makeMachine();
    const spy = spyOnNetwork(folder);
    for (const args of [[], ['show', 'e5-small-v2'], ['check'], ['use', 'e5-small-v2'], ['use', 'none']])
      await runCommand(process.execPath, ['--require', spy.path, bin, 'model', ...args], {
        cwd: folder,
        environment,
      });
    expect(spy.seen()).toBe('');
  });
});

function spyOnNetwork(folder: string) {
  const log = join(folder, 'sockets.log');
  const path = join(folder, 'spy.cjs');
  writeFileSync(log, '');
  writeFileSync(
    path,
    `const { appendFileSync } = require('node:fs');
     const told = (name) => () => { appendFileSync(${JSON.stringify(log)}, name + '\\n'); throw new Error(name); };
     require('node:net').Socket.prototype.connect = told('connect');
     for (const name of ['lookup', 'resolve', 'resolve4']) require('node:dns')[name] = told(name);
     globalThis.fetch = told('fetch');`,
  );
  return { path, seen: () => readFileSync(log, 'utf8') };
}
