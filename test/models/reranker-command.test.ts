/** Rerankers as a person chooses and asks them: `memory model`, settings and environment, `search --profile precise`. */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openChosenReranker } from '../../src/app/reranker-model.js';
import { userConfigPath } from '../../src/app/user-config.js';
import { hasTransformers, tinyEncoder, tinyReranker } from '../embedders/tiny-encoder.js';
import { copyExampleVault, runMemory, temporaryFolder } from '../surfaces/run-memory.js';
import { type Files, HUB_ID, startHub } from './hub-server.js';

const NAME = `transformers:${HUB_ID}`;
const QUESTION = 'why is the model lazy loaded';
const HINT = 'no reranker: `memory model pull ms-marco-MiniLM-L-6-v2`';

function makeMachine(endpoint = 'http://127.0.0.1:1') {
  const folder = temporaryFolder();
  const environment = {
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_CONFIG_HOME: join(folder, 'settings'),
    HF_ENDPOINT: endpoint,
    AGENT_MEMORY_DEVICE: 'cpu',
  };
  const settings = userConfigPath(environment);
  return {
    folder,
    environment,
    settings,
    choose: (text: string) => {
      mkdirSync(dirname(settings), { recursive: true });
      writeFileSync(settings, text);
    },
    run: (args: readonly string[], more: Record<string, string> = {}) =>
      runMemory(args, { cwd: folder, environment: { ...environment, ...more } }),
  };
}

/** The tiny reranker as a repository of the hub has it. */
function repository(): Files {
  const folder = tinyReranker({ dtype: 'q8' });
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

describe('memory model', () => {
  test('lists rerankers apart from encoders, and shows one', async () => {
    const { run } = makeMachine();
    const { models, reranker } = JSON.parse((await run(['model', '--json'])).stdout);
    const kinds = new Map(models.map(({ id, kind }: { id: string; kind: string }) => [id, kind]));
    expect(kinds.get('static')).toBe('table');
    expect(kinds.get('none')).toBe('none');
    expect(kinds.get('e5-small-v2')).toBe('encoder');
    expect(kinds.get('ms-marco-MiniLM-L-6-v2')).toBe('reranker');
    expect(reranker).toBe('none');
    const { stdout } = await run(['model', 'show', 'bge-reranker-v2-m3']);
    expect(stdout).toMatch(/^bge-reranker-v2-m3\n {2}kind {8}reranker\n/);
    expect(stdout).toMatch(/\n {2}languages {3}many languages\n/);
  });

  test('chooses none that is not downloaded, and names one that nobody knows', async () => {
    const { run, settings } = makeMachine();
    const missing = await run(['model', 'use', 'ms-marco-MiniLM-L-6-v2']);
    expect(missing.code).toBe(3);
    expect(missing.stderr).toContain('`memory model pull ms-marco-MiniLM-L-6-v2` downloads it');
    const near = await run(['model', 'use', 'ms-marco-MiniLM-L6-v2']);
    expect(near).toMatchObject({ code: 2 });
    expect(near.stderr).toContain('Did you mean ms-marco-MiniLM-L-6-v2?');
    expect(existsSync(settings)).toBe(false);
  });
});

describe.skipIf(!hasTransformers)('a reranker', () => {
  test('is downloaded, chosen beside the model of meaning, tried, and asked', async () => {
    const hub = await startHub(repository());
    const { run, folder, settings, choose } = makeMachine(hub.endpoint.href);
    choose('# mine\nmodel: static\n');
    const vault = copyExampleVault(folder);
    expect((await run(['model', 'pull', NAME])).code).toBe(0);
    const used = await run(['model', 'use', NAME]);
    expect(used).toMatchObject({ code: 0, stderr: '' });
    expect(used.stdout).toContain(`${NAME} is in use\n\`memory search --profile precise\` asks it`);
    expect(readFileSync(settings, 'utf8')).toBe(`# mine\nmodel: static\nreranker: ${NAME}\n`);
    const { models, chosen, reranker } = JSON.parse((await run(['model', '--json'])).stdout);
    expect([chosen, reranker]).toEqual(['static', NAME]);
    const inUse = models.filter((one: { chosen: boolean }) => one.chosen);
    expect(inUse.map(({ id, kind }: { id: string; kind: string }) => [id, kind])).toEqual([
      ['static', 'table'],
      [NAME, 'reranker'],
    ]);
    const { check } = JSON.parse((await run(['model', 'check', NAME, '--json'])).stdout);
    expect(check).toMatchObject({ model: HUB_ID, dimensions: 0 });
    expect(Math.abs(check.near)).toBeLessThan(20);
    await run(['reindex', '--vault', vault]);
    const found = JSON.parse(
      (await run(['search', QUESTION, '--profile', 'precise', '--vault', vault, '--json'])).stdout,
    );
    expect(found.streams.at(-1)).toBe(HUB_ID);
    expect(found.gate).toMatch(/; \d+ hits reranked in \d+ ms$/);
    expect(JSON.parse((await run(['status', '--vault', vault, '--json'])).stdout).reranker).toBe(HUB_ID);
  }, 30_000);

  test('of a folder is asked as the environment says, before the settings', async () => {
    const { run, folder, choose } = makeMachine();
    const vault = copyExampleVault(folder);
    await run(['reindex', '--vault', vault]);
    choose('reranker: none\n');
    const search = async (more: Record<string, string>) => {
      const args = ['search', QUESTION, '--profile', 'precise', '--vault', vault, '--json'];
      const { code, stdout, stderr } = await run(args, more);
      return { code, stderr, ...JSON.parse(stdout) };
    };
    const tiny = tinyReranker();
    const reranked = await search({ AGENT_MEMORY_RERANKER: tiny });
    expect(reranked).toMatchObject({ code: 0, stderr: '' });
    expect(reranked.streams).toEqual(['words', 'meaning', tiny]);
    const plain = await search({ AGENT_MEMORY_RERANKER: '' });
    expect(plain.gate).toMatch(new RegExp(`; ${HINT}$`));
    choose(`reranker: ${JSON.stringify(tiny)}\n`);
    expect((await search({})).streams).toContain(tiny);
    expect((await search({ AGENT_MEMORY_RERANKER: 'none' })).streams).toEqual(['words', 'meaning']);
  }, 30_000);

  test('is refused as a model of meaning, and an encoder as a reranker', async () => {
    const { run, folder } = makeMachine();
    const vault = copyExampleVault(folder);
    const tiny = tinyReranker();
    const args = ['search', QUESTION, '--vault', vault];
    const meaning = await run([...args, '--semantic'], { AGENT_MEMORY_MODEL: tiny });
    expect(meaning.code).toBe(2);
    expect(meaning.stderr).toContain('is a reranker, which makes no vectors');
    const encoder = tinyEncoder();
    const precise = await run([...args, '--profile', 'precise'], { AGENT_MEMORY_RERANKER: encoder });
    expect(precise.code).toBe(2);
    expect(precise.stderr).toContain(`"transformers:${encoder}" is no reranker`);
  });
});

describe('search --profile precise', () => {
  test.each<[string, string, RegExp]>([
    ['none is chosen', 'model: static\n', new RegExp(`, ${HINT}`)],
    ['the chosen one is not downloaded', 'reranker: bge-reranker-v2-m3\n', /, not reranked: no model/],
    ['the settings name none that there is', 'reranker: no-such-model\n', /, not reranked: no model/],
    ['the settings name an encoder', 'reranker: e5-small-v2\n', /, not reranked: no model/],
    ['its folder is gone', 'reranker: /no/such/folder\n', /, not reranked: no model/],
  ])('answers and exits with 0 where %s', async (_, settings, footer) => {
    const { run, folder, choose } = makeMachine();
    const vault = copyExampleVault(folder);
    await run(['reindex', '--vault', vault]);
    choose(settings);
    const { code, stdout, stderr } = await run([
      'search',
      QUESTION,
      '--profile',
      'precise',
      '--vault',
      vault,
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1 {2}decisions\/lazy-model\.md/);
    expect(stdout).toMatch(footer);
    expect(stderr.split('\n').length).toBeLessThanOrEqual(2);
    // Whoever does not ask for it does not hear of it.
    const plain = await run(['search', QUESTION, '--vault', vault]);
    expect([plain.code, plain.stderr]).toEqual([0, '']);
  });
});

describe('openChosenReranker()', () => {
  test('opens none unless one is chosen', async () => {
    const environment = { XDG_CONFIG_HOME: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder() };
    expect(await openChosenReranker(environment, {})).toBeUndefined();
    expect(await openChosenReranker({ ...environment, AGENT_MEMORY_RERANKER: 'none' }, {})).toBeUndefined();
  });

  test('takes a wrong name in the environment for an error, and in the settings for a lack', async () => {
    const { environment, choose } = makeMachine();
    const wrong = { ...environment, AGENT_MEMORY_RERANKER: 'nothing-like-it' };
    await expect(openChosenReranker(wrong, {})).rejects.toMatchObject({ code: 'invalid_input' });
    for (const name of ['static', 'http://127.0.0.1:1#a', 'e5-small-v2']) {
      const other = { ...environment, AGENT_MEMORY_RERANKER: name };
      await expect(openChosenReranker(other, {})).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/ is no reranker$/),
      });
    }
    choose('reranker: nothing-like-it\n');
    await expect(openChosenReranker(environment, {})).rejects.toMatchObject({ code: 'unavailable' });
    choose('reranker: [a\n');
    await expect(openChosenReranker(environment, {})).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('says how to get one that is not there, and what a folder lacks', async () => {
    const { environment } = makeMachine();
    const known = { ...environment, AGENT_MEMORY_RERANKER: 'ms-marco-MiniLM-L-6-v2' };
    await expect(openChosenReranker(known, {})).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The model "ms-marco-MiniLM-L-6-v2" is not downloaded',
      hint: 'Run `memory model pull ms-marco-MiniLM-L-6-v2`, or set AGENT_MEMORY_RERANKER to none.',
    });
    const folder = tinyReranker();
    rmSync(join(folder, 'tokenizer_config.json'));
    await expect(
      openChosenReranker({ ...environment, AGENT_MEMORY_RERANKER: folder }, {}),
    ).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/lacks tokenizer_config\.json$/),
    });
  });
});
