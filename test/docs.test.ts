/** The documents say what the program does: the reference is current, the README's commands run, licences are listed. */

import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { manifest, root } from '../scripts/bundle.mjs';
import { loadOperation, operationNames } from '../src/operations/index.js';
import { readFields } from '../src/operations/input-field.js';
import { readArguments } from '../src/surfaces/cli/arguments.js';
import { readGlobalOptions } from '../src/surfaces/cli/global-options.js';
import { joinsWords } from '../src/surfaces/cli/quirks.js';
import { runCommand, temporaryFolder } from './surfaces/run-memory.js';
import { splitShellWords } from './surfaces/shell-words.js';

const readme = read('README.md');
const reference = read('docs/operations.md');

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

test('docs/operations.md is what `npm run docs` writes', async () => {
  const { code, stderr } = await runCommand(process.execPath, ['scripts/docs.mjs', '--check']);
  expect([code, stderr]).toEqual([0, '']);
});

test('THIRD_PARTY_LICENSES is what `npm run build` writes', async () => {
  const { code, stderr } = await runCommand(process.execPath, ['scripts/licenses.mjs', '--check']);
  expect([code, stderr]).toEqual([0, '']);
});

test.each(operationNames)('%s is documented in the reference and in the README', (name) => {
  expect(reference).toContain(`\n## ${name}\n`);
  expect(readme).toContain(`memory ${name}`);
});

/** The command under `<!-- run: name -->`. */
function runBlock(name: string): string {
  const block = new RegExp(`<!-- run: ${name} -->\\n+\`\`\`sh\\n([^\`]+)\`\`\``).exec(readme);
  expect(block, `README.md has no block "${name}"`).not.toBeNull();
  return block![1]!.trim();
}

describe('the README', () => {
  test('sets everything up in one line that installs, builds, indexes, and answers', async () => {
    const line = runBlock('question');
    expect(line).not.toContain('\n');
    const [install, ...steps] = line.split(' && ');
    expect(install).toMatch(/^npm (ci|install)$/);
    const checkout = copyCheckout();
    const { code, stdout, stderr } = await runCommand('bash', ['-c', steps.join(' && ')], { cwd: checkout });
    // npm 11 warns of the setting in .npmrc that onnxruntime-node reads.
    const said = stderr.split('\n').filter((line) => !line.startsWith('npm warn Unknown project config'));
    expect({ code, stderr: said.join('\n') }).toEqual({ code: 0, stderr: '' });
    for (const shown of sampleLines()) expect(stdout).toContain(shown);
  });

  test('runs the tests in one line', () => {
    const line = runBlock('tests');
    expect(line).not.toContain('\n');
    const scripts = line.split(' && ').map((step) => /^npm (?:run )?([\w:]+)$/.exec(step)?.[1]);
    expect(scripts[0]).toMatch(/^(ci|install)$/);
    expect(['test', 'check']).toContain(scripts.at(-1));
    for (const script of scripts.slice(1)) expect(manifest.scripts).toHaveProperty(script!);
  });

  test.each(promptedCommands(readme))('shows a command that is read: %s', async (line) => {
    await expectToBeRead(line);
  });
});

test.each(documents())('%s shows only commands that are read', async (path) => {
  for (const line of promptedCommands(read(path))) await expectToBeRead(line);
});

function documents(): string[] {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
}

/** Lines of a console block that call the program: `$ memory …`, up to a pipe. */
function promptedCommands(text: string): string[] {
  return [...text.matchAll(/^\$ (memory(?: .*)?)$/gm)].map((match) => match[1]!.split(/ [|&;]/)[0]!);
}

async function expectToBeRead(line: string): Promise<void> {
  const { command, rest } = readGlobalOptions(splitShellWords(line).slice(1));
  if (
    command === undefined ||
    ['help', 'watch', 'rpc', 'mcp', 'merge-driver', 'completion'].includes(command)
  )
    return;
  const operation = await loadOperation(command);
  expect(operation, `memory ${command}`).toBeDefined();
  const fields = readFields(operation!.input);
  const { input } = readArguments({ ...operation!, fields, joinsWords: joinsWords.has(command) }, rest);
  expect(z.safeParse(operation!.input, input)).toMatchObject({ success: true });
}

/** What the README says the question answers with. */
function sampleLines(): string[] {
  const block = /<!-- sample -->\n+```text\n([^`]+)```/.exec(readme);
  return block === null ? [] : block[1]!.trimEnd().split('\n');
}

/** A checkout as git would give it, but for the installed packages, which are lent. */
function copyCheckout(): string {
  const checkout = join(temporaryFolder(), 'agent-memory');
  mkdirSync(checkout);
  for (const name of readdirSync(root)) {
    if (['node_modules', 'dist', '.git', 'bench'].includes(name)) continue;
    cpSync(join(root, name), join(checkout, name), {
      recursive: true,
      filter: (path) => !path.includes('.vectors'),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  return checkout;
}
