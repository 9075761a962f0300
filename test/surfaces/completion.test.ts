/** The completion scripts, run by the shells they are for. A shell that is not installed is skipped. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadOperations, operationNames } from '../../src/operations/index.js';
import { readFields } from '../../src/operations/input-field.js';
import { optionFlags } from '../../src/surfaces/cli/arguments.js';
import { bashScript } from '../../src/surfaces/cli/completion/bash.js';
import type { CommandSpec } from '../../src/surfaces/cli/completion/commands.js';
import { fishScript } from '../../src/surfaces/cli/completion/fish.js';
import { vaultNames } from '../../src/surfaces/cli/completion/vault-names.js';
import { zshScript } from '../../src/surfaces/cli/completion/zsh.js';
import { bin, copyExampleVault, quietEnvironment, runMemory, temporaryFolder } from './run-memory.js';

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

type Place = { readonly folder: string; readonly environment: Record<string, string> };

/** A folder with a vault, and `memory` on the path. */
function makePlace(): Place {
  const folder = temporaryFolder();
  copyExampleVault(folder);
  mkdirSync(join(folder, 'vault/.memory'));
  writeFileSync(join(folder, 'vault/decisions/with space.md'), '');
  mkdirSync(join(folder, 'path'));
  symlinkSync(bin, join(folder, 'path/memory'));
  const { PATH, ...rest } = quietEnvironment();
  return { folder, environment: { ...rest, HOME: folder, PATH: `${join(folder, 'path')}:${PATH}` } };
}

type Run = (words: readonly string[], script?: string) => string[];

/** What bash would offer for the last of the words, in the vault. */
function inBash({ folder, environment }: Place): Run {
  return (words, script = 'source <(memory completion bash)') => {
    const program = `${script}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _memory memory
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return linesOf('bash', ['--norc', '-c', program, 'bash', ...words], join(folder, 'vault'), environment);
  };
}

function inFish({ folder, environment }: Place): Run {
  return (words, script = 'memory completion fish | source') => {
    const program = `${script}; complete -C "$argv"`;
    const lines = linesOf(
      'fish',
      ['--no-config', '-c', program, words.join(' ')],
      join(folder, 'vault'),
      environment,
    );
    return lines.map((line) => line.split('\t')[0]!);
  };
}

function linesOf(command: string, args: string[], cwd: string, env: Record<string, string>): string[] {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter((line) => line !== '');
}

const commands = [...operationNames, 'watch', 'rpc', 'mcp', 'merge-driver', 'completion', 'help'];
const searchFields = readFields((await loadOperations()).find(({ name }) => name === 'search')!.input);
const searchFlags = optionFlags({ fields: searchFields.filter(({ name }) => name !== 'query') });

const shells = [
  ['bash', inBash],
  ['fish', inFish],
] as const;

for (const [shell, runIn] of shells) {
  describe.skipIf(!isInstalled(shell))(`in ${shell}`, () => {
    test('commands, options and values are offered', () => {
      const run = runIn(makePlace());
      expect(run(['memory', '']).sort()).toEqual([...commands].sort());
      expect(run(['memory', 'sea'])).toEqual(['search']);
      expect(run(['memory', 'search', '--'])).toEqual(
        expect.arrayContaining([...searchFlags, '--json', '--vault']),
      );
      expect(run(['memory', 'search', '--limi'])).toEqual(['--limit']);
      expect(run(['memory', 'completion', '']).sort()).toEqual(['bash', 'fish', 'zsh']);
      expect(run(['memory', 'help', 'sta'])).toEqual(['status']);
    });

    test('notes and folders of the vault are offered', () => {
      const run = runIn(makePlace());
      expect(run(['memory', 'show', 'dec'])).toEqual(['decisions/']);
      expect(run(['memory', 'show', 'decisions/la'])).toEqual(['decisions/lazy-model.md']);
      expect(run(['memory', 'search', '--folder', 'dec'])).toEqual(['decisions/']);
    });

    test('values of an enum are offered', () => {
      const run = runIn(makePlace());
      const script = (shell === 'bash' ? bashScript : fishScript)([enumCommand], []);
      expect(run(['memory', 'test', '--mode', 'l'], script)).toEqual(['loud']);
    });
  });
}

const enumCommand: CommandSpec = {
  name: 'test',
  summary: "It's a test",
  options: [
    { flag: '--mode', description: 'How [loud]: "x"', value: { kind: 'words', words: ['loud', 'soft'] } },
  ],
  positional: [],
};

describe.skipIf(!isInstalled('zsh'))('in zsh', () => {
  /** Types the line and a tab into an interactive zsh, and gives back what it shows then. */
  function afterTab(place: Place, line: string): string {
    const typing = join(place.folder, 'typing.zsh');
    writeFileSync(
      typing,
      `zmodload zsh/zpty
zpty -b z zsh -f -i
drain() { local out chunk; repeat $1 { sleep 0.1; while zpty -r z chunk 2>/dev/null; do out+=$chunk; done; [[ $out == *$2* ]] && break }; print -r -- "$out" }
zpty -w z 'PS1="> "; autoload -U compinit; compinit -u -D; source <(memory completion zsh); echo rea""dy'
drain 100 ready >/dev/null
zpty -w -n z $1$'\\t'
drain 15 nothing
zpty -d z
`,
    );
    chmodSync(typing, 0o700);
    const cwd = join(place.folder, 'vault');
    return linesOf('zsh', ['-f', typing, line], cwd, place.environment).join('\n');
  }

  test.each([
    ['memory sea', 'search'],
    ['memory completion b', 'bash'],
    ['memory show dec', 'decisions/'],
    ['memory show decisions/la', 'lazy-model.md'],
    ['memory search --folder dec', 'decisions/'],
  ])('%j goes on to %j', (line, expected) => {
    expect(afterTab(makePlace(), line)).toContain(expected);
  });

  test('a command line without a summary of its own is still a valid script', () => {
    const { status, stderr } = spawnSync('zsh', ['-n'], {
      input: zshScript([enumCommand], []),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});

test.each(['bash', 'zsh', 'fish'])('memory completion %s names every command', async (shell) => {
  const { code, stdout } = await runMemory(['completion', shell]);
  expect(code).toBe(0);
  for (const name of commands) expect(stdout).toContain(name);
});

describe('vaultNames()', () => {
  test('lists notes and folders under what was typed, hidden ones never', async () => {
    const vault = copyExampleVault(temporaryFolder());
    writeFileSync(join(vault, 'line\nbreak.md'), '');
    const all = await vaultNames(vault, '', false);
    expect(all).toContain('profile.md');
    expect(all).toContain('decisions/');
    expect(all.filter((name) => name.startsWith('.') || name.includes('\n'))).toEqual([]);
    expect(await vaultNames(vault, '', true)).not.toContain('profile.md');
    expect(await vaultNames(vault, 'decisions/la', false)).toEqual(['decisions/lazy-model.md']);
  });

  test('never looks outside the vault', async () => {
    const vault = copyExampleVault(temporaryFolder());
    for (const prefix of ['../', 'decisions/../../', '/', './', '..//']) {
      expect(await vaultNames(vault, prefix, false)).toEqual([]);
    }
  });
});
