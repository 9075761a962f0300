/** At a terminal a download waits for a yes: of `model pull`, `model use`, and the first use of a chosen model. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { userConfigPath } from '../../src/app/user-config.js';
import { hasTransformers, tinyEncoder } from '../embedders/tiny-encoder.js';
import {
  CTRL_C,
  CTRL_D,
  hasTerminals,
  runOnTerminal,
  type TerminalOptions,
} from '../surfaces/on-terminal.js';
import { copyExampleVault, runMemory, temporaryFolder } from '../surfaces/run-memory.js';
import { encoderFiles, type Files, HUB_ID, startHub } from './hub-server.js';

const NAME = `transformers:${HUB_ID}`;
const ABOUT =
  /^tiny\/encoder: \d+\.\d MB, licence mit; tiny\/encoder at 0123456789ab from 127\.0\.0\.1:\d+, into "/m;

async function makeMachine(files: Files = encoderFiles()) {
  const hub = await startHub(files);
  const folder = temporaryFolder();
  const environment = {
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_CONFIG_HOME: join(folder, 'settings'),
    HF_ENDPOINT: hub.endpoint.href,
  };
  const settings = userConfigPath(environment);
  return {
    folder,
    settings,
    /** Requests for files, not for what the hub says of the repository. */
    downloads: () => hub.asked.filter((path) => !path.startsWith('/api/')),
    isDownloaded: () => existsSync(join(folder, 'cache/agent-memory/models/tiny--encoder/config.json')),
    choose: (text: string) => {
      mkdirSync(dirname(settings), { recursive: true });
      writeFileSync(settings, text);
    },
    run: (args: readonly string[]) => runMemory(args, { cwd: folder, environment }),
    onTerminal: (args: readonly string[], options: TerminalOptions = {}) =>
      runOnTerminal(args, { cwd: folder, environment, ...options }),
  };
}

/** A model that can be opened, as a hub has it. */
function realEncoder(): Files {
  const folder = tinyEncoder({ dtype: 'q8' });
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}

describe.skipIf(!hasTerminals)('memory model pull at a terminal', () => {
  test.each(['y\n', ' YES \n'])('downloads after %j', async (typed) => {
    const { onTerminal, isDownloaded, folder } = await makeMachine();
    const stdout = join(folder, 'stdout');
    const { shown, code } = await onTerminal(['model', 'pull', NAME], { typed, stdout });
    expect(code).toBe(0);
    expect(shown).toMatch(ABOUT);
    expect(shown.search(ABOUT)).toBeLessThan(shown.indexOf('Download it? [y/N] '));
    expect(isDownloaded()).toBe(true);
    expect(readFileSync(stdout, 'utf8')).toMatch(/^downloaded 300\.1 kB into /);
  });

  test.each<[string, string, number]>([
    ['no', 'n\n', 5],
    ['an empty line', '\n', 5],
    ['another word', 'yellow\n', 5],
    ['the end of the input', CTRL_D, 5],
    ['Ctrl-C', CTRL_C, 130],
  ])('downloads nothing after %s', async (_, typed, expected) => {
    const { onTerminal, isDownloaded, downloads, run } = await makeMachine();
    const { shown, code } = await onTerminal(['model', 'pull', NAME], { typed });
    expect(code).toBe(expected);
    expect(shown).toContain('Download it? [y/N] ');
    expect([isDownloaded(), downloads()]).toEqual([false, []]);
    if (expected === 5) {
      expect(shown).toContain(
        `\nmemory: The model "${NAME}" was not downloaded, since nobody said yes\nhint: `,
      );
    } else expect(shown).not.toContain('memory:');
    expect(JSON.parse((await run(['model', 'show', NAME, '--json'])).stdout).models[0].state).toBe(
      'not downloaded',
    );
  });

  test.each<[string, readonly string[]]>([
    ['--yes', ['--yes']],
    ['--quiet', ['--quiet']],
    ['--json', ['--json']],
  ])('does not ask with %s', async (_, more) => {
    const { onTerminal, isDownloaded } = await makeMachine();
    const { shown, code } = await onTerminal(['model', 'pull', NAME, ...more]);
    expect([code, isDownloaded(), shown.includes('[y/N]')]).toEqual([0, true, false]);
  });

  test('does not ask about what is there', async () => {
    const { onTerminal, run } = await makeMachine();
    await run(['model', 'pull', NAME]);
    const { shown, code } = await onTerminal(['model', 'pull', NAME]);
    expect([code, shown.includes('[y/N]')]).toEqual([0, false]);
  });
});

describe.skipIf(!hasTerminals || !hasTransformers)('at a terminal', () => {
  test('memory model use downloads and chooses after a yes, and does neither after a no', async () => {
    const { onTerminal, isDownloaded, settings } = await makeMachine(realEncoder());
    const refused = await onTerminal(['model', 'use', NAME], { typed: 'n\n' });
    expect([refused.code, isDownloaded(), existsSync(settings)]).toEqual([5, false, false]);
    const { shown, code } = await onTerminal(['model', 'use', NAME], { typed: 'y\n' });
    expect(code).toBe(0);
    expect(shown).toMatch(ABOUT);
    expect(shown).toContain(`${NAME} is in use`);
    expect(readFileSync(settings, 'utf8')).toBe(`model: ${NAME}\n`);
  });

  test('memory reindex brings the chosen model after a yes, and embeds', async () => {
    const { onTerminal, folder, choose } = await makeMachine(realEncoder());
    const vault = copyExampleVault(folder);
    choose(`model: ${NAME}\n`);
    const { shown, code } = await onTerminal(['reindex', '--vault', vault], { typed: 'y\n' });
    expect(code).toBe(0);
    expect(shown).toMatch(/25 notes indexed.*, \d+ passages embedded/);
  });

  test('memory reindex after a no goes on without it, and has asked once', async () => {
    const { onTerminal, folder, choose, isDownloaded } = await makeMachine();
    const vault = copyExampleVault(folder);
    choose(`model: ${NAME}\n`);
    const { shown, code } = await onTerminal(['reindex', '--vault', vault], { typed: 'n\n' });
    expect([code, isDownloaded()]).toEqual([0, false]);
    expect(shown.split('[y/N]')).toHaveLength(2);
    expect(shown).toContain('was not downloaded, since nobody said yes; passages get no vectors of it');
    expect(shown).toContain('25 notes indexed');
  });

  test('a search asks only where the model was asked for', async () => {
    const { onTerminal, run, folder, choose, downloads } = await makeMachine();
    const vault = copyExampleVault(folder);
    await run(['reindex', '--vault', vault]);
    choose(`model: ${NAME}\n`);
    const query = ['search', 'what is slow when it starts', '--vault', vault];
    const plain = await onTerminal(query);
    expect([plain.code, plain.shown.includes('[y/N]')]).toEqual([0, false]);
    const semantic = await onTerminal([...query, '--semantic'], { typed: '\n' });
    expect([semantic.code, semantic.shown.includes('[y/N]')]).toEqual([0, true]);
    expect(downloads()).toEqual([]);
  });
});
