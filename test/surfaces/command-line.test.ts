/** The command line as a process: help, suggestions, exit codes, errors as JSON, signals, closed pipes, terminals. */

import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { operationNames } from '../../src/operations/index.js';
import { examples } from '../../src/surfaces/cli/examples.js';
import {
  bin,
  copyExampleVault,
  quietEnvironment,
  runCommand,
  runMemory,
  temporaryFolder,
} from './run-memory.js';

describe('help', () => {
  test('memory alone shows five commands with an example each', async () => {
    const { code, stdout, stderr } = await runMemory([]);
    const shown = stdout.split('\n').filter((line) => line.startsWith('  memory '));
    expect(shown).toEqual(
      ['init', 'reindex', 'search', 'show', 'status'].map((name) => `  ${examples[name]![0]!.command}`),
    );
    expect([code, stderr]).toEqual([0, '']);
  });

  test('memory help lists every command, and so does --help', async () => {
    const { code, stdout } = await runMemory(['help']);
    expect(code).toBe(0);
    for (const name of [...operationNames, 'rpc', 'mcp', 'completion', 'help']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b.*\\s{2,}[A-Z]`, 'm'));
    }
    expect((await runMemory(['--help'])).stdout).toBe(stdout);
  });

  test.each([...operationNames, 'rpc', 'mcp'])(
    'memory help %s shows how to call it, with examples',
    async (name) => {
      const { code, stdout } = await runMemory(['help', name]);
      expect(code).toBe(0);
      expect(stdout).toContain(`memory ${name}`);
      expect(stdout).toContain('\nExamples\n');
      for (const { command } of examples[name] ?? []) expect(stdout).toContain(`  ${command}\n`);
      for (const form of [
        [name, '--help'],
        [name, '-h'],
        ['--help', name],
      ]) {
        expect((await runMemory(form)).stdout).toBe(stdout);
      }
    },
  );

  test('memory --version says the version', async () => {
    const { stdout } = await runMemory(['--version']);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('wrong input', () => {
  test.each([
    [['serch', 'a'], 'memory: There is no command "serch"\nhint: Did you mean `memory search`?\n'],
    [['help', 'stauts'], 'memory: There is no command "stauts"\nhint: Did you mean `memory status`?\n'],
    [['frobnicate'], 'memory: There is no command "frobnicate"\nhint: `memory help` lists them.\n'],
    [['search', 'a', '--limt', '3'], 'memory: search has no option --limt\nhint: Did you mean --limit?\n'],
    [
      ['search', 'a', '--limit', 'x'],
      'memory: search: --limit must be a whole number, not "x"\nhint: Run `memory help search`.\n',
    ],
    [
      ['search'],
      'memory: search needs query: Words to look for; any text is valid\nhint: Run `memory help search`.\n',
    ],
    [
      ['show', 'a', 'b'],
      'memory: show takes only note; "b" is left over\nhint: Put quotes around words that belong together.\n',
    ],
    [
      ['status', 'a'],
      'memory: status takes no arguments; "a" is left over\nhint: Run `memory help status`.\n',
    ],
    [['rpc', '--x'], 'memory: rpc has no option --x\nhint: `memory help rpc` lists them.\n'],
    [
      ['completion', 'bsh'],
      'memory: completion needs one of bash, zsh, fish, not "bsh"\nhint: Did you mean `memory completion bash`?\n',
    ],
  ])('%j exits with 2 and says what to do', async (args, stderr) => {
    expect(await runMemory(args, { cwd: temporaryFolder() })).toEqual({ code: 2, stdout: '', stderr });
  });

  test('is one JSON object on stderr with --json', async () => {
    const { code, stdout, stderr } = await runMemory(['--json', 'search', 'a', '--limt', '3']);
    expect([code, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toEqual({
      code: 'invalid_input',
      message: 'search has no option --limt',
      hint: 'Did you mean --limit?',
      details: { argument: '--limt' },
    });
  });

  test('has its stack shown with --debug only', async () => {
    const { stderr } = await runMemory(['search', 'a', '--limt', '3', '--debug']);
    expect(stderr).toMatch(/\n {4}at .*main\.cjs/);
    const asJson = await runMemory(['search', 'a', '--limt', '3', '--debug', '--json']);
    expect(JSON.parse(asJson.stderr).stack).toContain('main.cjs');
  });
});

describe('exit codes', () => {
  test('0 without hits', async () => {
    const vault = copyExampleVault(temporaryFolder());
    expect(await runMemory(['search', 'xyzzyplugh', '--vault', vault])).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('3 for a note and for a vault that do not exist', async () => {
    const folder = temporaryFolder();
    const vault = copyExampleVault(folder);
    expect((await runMemory(['show', 'none.md', '--vault', vault])).code).toBe(3);
    const { code, stderr } = await runMemory(['status'], { cwd: temporaryFolder() });
    expect(code).toBe(3);
    expect(stderr).toContain('hint: ');
  });

  test('5 and the command that mends it, where the SQLite binding does not load', async () => {
    const folder = temporaryFolder();
    const vault = copyExampleVault(folder);
    const installed = join(folder, 'installed');
    for (const part of ['bin', 'dist']) cpSync(join(root, part), join(installed, part), { recursive: true });
    const binding = join(installed, 'node_modules/better-sqlite3/build/Release');
    mkdirSync(binding, { recursive: true });
    writeFileSync(join(binding, 'better_sqlite3.node'), 'made for another machine');
    const { code, stderr } = await runCommand(process.execPath, [
      join(installed, 'bin/memory.js'),
      ...['status', '--json', '--vault', vault],
    ]);
    expect(code).toBe(5);
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining('npm rebuild better-sqlite3'),
    });
  });

  test('5 and the command that mends it, where the program is not built', async () => {
    const folder = temporaryFolder();
    cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
    const { code, stderr } = await runCommand(process.execPath, [join(folder, 'bin/memory.js')]);
    expect([code, stderr]).toEqual([
      5,
      'memory: The program is not built yet\nhint: Run `npm ci && npm run build`.\n',
    ]);
  });

  test('0 and silence when the reader of a pipe has gone', async () => {
    const vault = copyExampleVault(temporaryFolder());
    const command = `"$0" "$1" search memory --vault "$2" | true; echo "\${PIPESTATUS[0]}"`;
    const result = spawnSync('bash', ['-c', command, process.execPath, bin, vault], {
      encoding: 'utf8',
      env: quietEnvironment(),
    });
    expect([result.stdout, result.stderr]).toEqual(['0\n', '']);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends a reindex with %d, and the next one completes it', async (signal, expected) => {
    const vault = manyNotes(temporaryFolder());
    const child = spawn(process.execPath, [bin, 'reindex', '--verbose', '--vault', vault], {
      env: quietEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.resume();
    child.stderr.once('data', () => child.kill(signal));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(expected);
    const { code, stdout } = await runMemory(['reindex', '--json', '--vault', vault]);
    expect(code).toBe(0);
    const { indexed, unchanged } = JSON.parse(stdout);
    expect(indexed + unchanged).toBe(MANY);
  });
});

const MANY = 6_000;

/** Enough notes that indexing them takes longer than a signal. */
function manyNotes(folder: string): string {
  const vault = join(folder, 'many');
  mkdirSync(join(vault, '.memory'), { recursive: true });
  for (let at = 0; at < MANY; at++) {
    const words = Array.from({ length: 60 }, (_, word) => `word${(at * 31 + word * 7) % 4_000}`).join(' ');
    writeFileSync(join(vault, `note-${at}.md`), `# Note ${at}\n\n${words}\n`);
  }
  return vault;
}

describe('talk', () => {
  test('--quiet keeps progress and notices off stderr, results on stdout', async () => {
    const vault = copyExampleVault(temporaryFolder());
    const { code, stdout, stderr } = await runMemory(['reindex', '--quiet', '--vault', vault]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\d+ notes indexed/);
  });

  test('a pipe gets no escape sequences', async () => {
    const vault = copyExampleVault(temporaryFolder());
    const { stdout } = await runMemory(['search', 'memory', '--vault', vault]);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toMatch(/ms · checked /);
  });

  test('control and bidi characters of a note reach no terminal, and JSON keeps them escaped', async () => {
    const vault = join(temporaryFolder(), 'vault');
    mkdirSync(join(vault, '.memory'), { recursive: true });
    writeFileSync(join(vault, 'evil.md'), '# Ti\u001b[31mtle\n\nzebra \u202eevil\u0007 \u009b2J\n');
    const text = await runMemory(['search', 'zebra', '--vault', vault]);
    const harmful = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
    expect(text.stdout).toContain('evil.md');
    expect(text.stdout).not.toMatch(harmful);
    const json = await runMemory(['show', 'evil.md', '--json', '--vault', vault]);
    expect(json.stdout).not.toMatch(harmful);
    expect(JSON.parse(json.stdout).text).toContain('\u202eevil\u0007 \u009b2J');
  });
});

const hasScript = spawnSync('script', ['--version']).status === 0;

describe.skipIf(!hasScript)('on a terminal (needs the program `script`)', () => {
  function onTerminal(args: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
    const command = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
    const { stdout } = spawnSync('script', ['-qec', `stty cols 100; ${command}`, '/dev/null'], {
      encoding: 'utf8',
      env: { ...quietEnvironment(), ...environment },
    });
    return stdout;
  }

  test('search has colours, links, and the date at the edge', () => {
    const vault = copyExampleVault(temporaryFolder());
    const text = onTerminal(['search', 'lazy', 'model', '--vault', vault]);
    expect(text).toContain('\u001b]8;;obsidian://open?');
    expect(text).toContain('\u001b[36mdecisions/lazy-model.md:');
    expect(text.toLowerCase()).toContain('\u001b[1mlazy\u001b[0m');
  });

  test('NO_COLOR takes the colours, TERM=dumb everything', () => {
    const vault = copyExampleVault(temporaryFolder());
    const args = ['search', 'lazy', 'model', '--vault', vault];
    expect(onTerminal(args, { NO_COLOR: '1' })).not.toContain('\u001b[');
    expect(onTerminal(args, { TERM: 'dumb' })).not.toContain('\u001b');
  });
});

test('a vault is reached by --vault, by AGENT_MEMORY_VAULT, from below, and through a symlink', async () => {
  const folder = temporaryFolder();
  const vault = copyExampleVault(folder);
  symlinkSync(vault, join(folder, 'linked'));
  const ways = [
    runMemory(['status', '--json', '--vault', 'vault'], { cwd: folder }),
    runMemory(['status', '--json', '--vault', '~/vault'], { environment: { HOME: folder } }),
    runMemory(['status', '--json'], { environment: { AGENT_MEMORY_VAULT: vault } }),
    runMemory(['status', '--json'], { cwd: join(vault, 'decisions') }),
    runMemory(['status', '--json', '--vault', 'linked'], { cwd: folder }),
  ];
  const counts = (await Promise.all(ways)).map(({ stdout }) => JSON.parse(stdout).notes);
  expect(new Set(counts).size).toBe(1);
  expect(counts[0]).toBeGreaterThan(10);
});
