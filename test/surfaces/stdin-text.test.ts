/** Texts that add and edit take from stdin on the command line, where `-` stands for them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bin, copyExampleVault, runCommand, runMemory, temporaryFolder } from './run-memory.js';

const NOTE = 'decisions/lazy-model.md';

type Row = readonly [args: readonly string[], stdin: string, path: string, contains: string];

test.each<Row>([
  [['add', 'Piped', '-'], 'one\n\ntwo\n', 'Piped.md', '# Piped\n\none\n\ntwo\n'],
  [['add', 'Piped', '--content=-'], 'one', 'Piped.md', '# Piped\n\none\n'],
  [['edit', 'profile', '--append', '-'], '- é\n- b\n', 'profile.md', '|daily note]])\n- é\n- b\n'],
  [['edit', 'profile', '--prepend=-'], 'First.', 'profile.md', 'First.'],
  [['edit', NOTE, '--section', 'Why', '--content', '-'], 'New.\n', NOTE, '## Why\n\nNew.\n\n## How'],
  [['edit', NOTE, '--section', 'Facts', '--before', '-'], 'Before.', NOTE, 'Before.\n\n## Facts'],
  [['edit', NOTE, '--section', 'Why', '--after', '-'], 'After.', NOTE, 'After.\n\n## How'],
  [['edit', NOTE, '--replace', '-', '--with', 'tea'], 'all day, for', NOTE, 'machine tea a few'],
  [['edit', NOTE, '--replace', 'all day, for', '--with', '-'], 'tea', NOTE, 'machine tea a few'],
])('%j reads stdin', async (args, stdin, path, contains) => {
  const vault = copyExampleVault(temporaryFolder());
  const { code, stderr } = await runMemory([...args, '--vault', vault], { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(readFileSync(join(vault, path), 'utf8')).toContain(contains);
});

test('a dash elsewhere is a dash, and stdin is left alone where no text is one', async () => {
  const vault = copyExampleVault(temporaryFolder());
  const { code, stderr } = await runMemory(['edit', 'profile', '--append', '- a', '--vault', vault], {
    stdin: 'unread',
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(readFileSync(join(vault, 'profile.md'), 'utf8')).toMatch(/\n- a\n$/);
  const dash = await runMemory(['show', '-', '--vault', vault], { stdin: 'profile' });
  expect(dash).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no note "-"') });
});

test('stdin is one text, not two', async () => {
  const vault = copyExampleVault(temporaryFolder());
  const args = ['edit', 'profile', '--replace', '-', '--with', '-', '--vault', vault];
  expect(await runMemory(args, { stdin: 'a' })).toEqual({
    code: 2,
    stdout: '',
    stderr: 'memory: edit: replace and with cannot both be stdin\nhint: Give one of them as text.\n',
  });
});

test('bytes that are not UTF-8 are refused, and the note is as it was', async () => {
  const vault = copyExampleVault(temporaryFolder());
  const before = readFileSync(join(vault, 'profile.md'));
  const line = `printf 'a\\377b' | "$0" "$1" edit profile --append - --vault "$2"`;
  const { code, stderr } = await runCommand('bash', ['-c', line, process.execPath, bin, vault]);
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr:
      'memory: stdin holds bytes that are not UTF-8\nhint: Convert it first, for example with `iconv -t UTF-8`.\n',
  });
  expect(readFileSync(join(vault, 'profile.md'))).toEqual(before);
});
