/** Which model a process uses: who decides, what a name stands for, and what happens with a wrong one. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modelsOf } from '../../src/app/built-in-model.js';

import { nameOf, parseReference, readModelChoice, readModelTuning } from '../../src/app/model-settings.js';
import { userConfigPath } from '../../src/app/user-config.js';
import { makeTables, writeStaticModel } from '../embedders/static-model.js';
import { temporaryFolder } from '../surfaces/run-memory.js';

type Environment = Record<string, string>;

function withSettings(text: string, more: Environment = {}): Environment {
  const environment = { XDG_CONFIG_HOME: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder(), ...more };
  const path = userConfigPath(environment);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return environment;
}

describe('readModelChoice()', () => {
  test('is static where nobody chose', async () => {
    const environment = { XDG_CONFIG_HOME: temporaryFolder() };
    expect(await readModelChoice(environment)).toEqual({ name: 'static', by: '' });
  });

  test('goes by the settings', async () => {
    const environment = withSettings('model: bge-small-en-v1.5\n');
    const by = userConfigPath(environment);
    expect(await readModelChoice(environment)).toEqual({ name: 'bge-small-en-v1.5', by });
  });

  test('goes by the environment first, and does not read the settings then', async () => {
    const environment = withSettings('model: [broken\n', { AGENT_MEMORY_MODEL: 'none' });
    expect(await readModelChoice(environment)).toEqual({ name: 'none', by: 'AGENT_MEMORY_MODEL' });
  });

  test('takes an empty variable for none', async () => {
    const environment = withSettings('model: e5-small-v2\n', { AGENT_MEMORY_MODEL: '' });
    expect((await readModelChoice(environment)).name).toBe('e5-small-v2');
  });
});

describe('readModelTuning()', () => {
  test('is the models’ own unless something is set', async () => {
    expect(await readModelTuning({ XDG_CONFIG_HOME: temporaryFolder() })).toEqual({
      dimensions: undefined,
      queryInstruction: undefined,
      device: 'auto',
      allowRemote: false,
    });
  });

  test('goes by the settings, and by the environment first', async () => {
    const text = 'dimensions: 256\nquery-instruction: "ask: "\ndevice: cpu\nallow-remote: true\n';
    const settings = { dimensions: 256, queryInstruction: 'ask: ', device: 'cpu', allowRemote: true };
    expect(await readModelTuning(withSettings(text))).toEqual(settings);
    const environment = withSettings(text, {
      AGENT_MEMORY_DIM: '128',
      AGENT_MEMORY_QUERY_INSTRUCT: '',
      AGENT_MEMORY_DEVICE: 'cuda',
    });
    expect(await readModelTuning(environment)).toEqual({
      dimensions: 128,
      queryInstruction: '',
      device: 'cuda',
      allowRemote: true,
    });
  });

  test.each([
    ['AGENT_MEMORY_DIM', 'many'],
    ['AGENT_MEMORY_DIM', '0'],
    ['AGENT_MEMORY_DIM', '-1'],
    ['AGENT_MEMORY_DIM', '1.5'],
    ['AGENT_MEMORY_DEVICE', 'gpu'],
  ])('refuses %s=%s', async (name, value) => {
    const environment = { XDG_CONFIG_HOME: temporaryFolder(), [name]: value };
    await expect(readModelTuning(environment)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(`${name} is "${value}"`),
    });
  });

  test('names the settings where a wrong value is from them', async () => {
    const environment = withSettings('device: gpu\n');
    await expect(readModelTuning(environment)).rejects.toThrow(userConfigPath(environment));
  });
});

describe('parseReference()', () => {
  test.each<[string, object]>([
    ['static', { kind: 'static' }],
    ['none', { kind: 'none' }],
    ['all-MiniLM-L6-v2', { kind: 'hub', name: 'all-MiniLM-L6-v2' }],
    ['ALL-MINILM-L6-V2', { kind: 'hub', name: 'all-MiniLM-L6-v2' }],
    ['transformers:all-MiniLM-L6-v2', { kind: 'hub', name: 'all-MiniLM-L6-v2' }],
    ['transformers:Xenova/all-MiniLM-L6-v2', { kind: 'hub', name: 'all-MiniLM-L6-v2' }],
    ['transformers:tiny/encoder', { kind: 'hub', name: 'tiny/encoder' }],
    ['http://127.0.0.1:11434#a', { kind: 'endpoint', url: 'http://127.0.0.1:11434/', model: 'a' }],
    ['https://host.example/v1#a%20b', { kind: 'endpoint', url: 'https://host.example/v1', model: 'a b' }],
    ['http://[::1]:8080/v1#org/m', { kind: 'endpoint', url: 'http://[::1]:8080/v1', model: 'org/m' }],
  ])('%j', (name, reference) => {
    expect(parseReference(name)).toEqual(reference);
    expect(parseReference(nameOf(parseReference(name)))).toEqual(reference);
  });

  test('a folder is a table, or an encoder if it has ONNX files', () => {
    const table = writeStaticModel(makeTables(16));
    expect(parseReference(table)).toEqual({ kind: 'table', folder: table });
    const encoder = temporaryFolder();
    mkdirSync(join(encoder, 'onnx'));
    writeFileSync(join(encoder, 'onnx/model.onnx'), '');
    for (const name of [encoder, `transformers:${encoder}`]) {
      expect(parseReference(name)).toEqual({ kind: 'folder', folder: encoder });
      expect(parseReference(nameOf(parseReference(name)))).toEqual({ kind: 'folder', folder: encoder });
    }
  });

  test.each([
    ['al-MiniLM-L6-v2', 'Did you mean all-MiniLM-L6-v2?'],
    ['statc', 'Did you mean static?'],
    ['deterministic', '`memory model list` names some'],
    ['tiny/encoder', 'write transformers:tiny/encoder'],
    ['qwertyuiop', '`memory model list` names some'],
    ['transformers:', '`memory model list` names some'],
    ['transformers:../x', '`memory model list` names some'],
    ['', '`memory model list` names some'],
    ['http://127.0.0.1:1', 'behind a #'],
    ['http://#a', 'behind a #'],
  ])('refuses %j: %s', (name, hint) => {
    expect(() => parseReference(name)).toThrow(
      expect.objectContaining({ code: 'invalid_input', hint: expect.stringContaining(hint) }),
    );
  });
});

describe('modelsOf()', () => {
  test('is the table alone where nobody chose, or chose it', async () => {
    for (const environment of [{ XDG_CONFIG_HOME: temporaryFolder() }, withSettings('model: static\n')]) {
      const { embedder, further } = await modelsOf(environment);
      expect((await embedder())?.model.id).toBe('static-english-192');
      expect(further).toBeUndefined();
    }
  });

  test('is nothing at all for none', async () => {
    for (const environment of [{ AGENT_MEMORY_MODEL: 'none' }, withSettings('model: none\n')]) {
      const { embedder, further } = await modelsOf(environment);
      expect([await embedder(), further]).toEqual([undefined, undefined]);
    }
  });

  test('puts another table in the place of the built-in one', async () => {
    const folder = writeStaticModel(makeTables(24));
    const { embedder, further } = await modelsOf(withSettings(`model: ${JSON.stringify(folder)}\n`));
    expect((await embedder())?.model.dimensions).toBe(24);
    expect(further).toBeUndefined();
  });

  test('keeps the table beside a further model, which is told to be missing', async () => {
    const { embedder, further } = await modelsOf(withSettings('model: e5-small-v2\n'));
    expect((await embedder())?.model.id).toBe('static-english-192');
    await expect(further?.()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The model "e5-small-v2" is not downloaded',
      hint: 'Run `memory model pull e5-small-v2`, or `memory model use static`.',
    });
  });

  test('lets a wrong name in the environment fail', async () => {
    const { embedder, further } = await modelsOf({ AGENT_MEMORY_MODEL: 'statc' });
    await expect(embedder()).rejects.toMatchObject({ code: 'invalid_input', hint: 'Did you mean static?' });
    expect(further).toBeUndefined();
  });

  test.each(['model: statc\n', 'model: [a\n'])('goes on with the table for settings of %j', async (text) => {
    const environment = withSettings(text);
    const { embedder, further } = await modelsOf(environment);
    expect((await embedder())?.model.id).toBe('static-english-192');
    await expect(further?.()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(userConfigPath(environment)),
    });
  });
});
