/** `memory merge-driver`: called by git in a real repository with branches, and by hand. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bin, quietEnvironment, runMemory, temporaryFolder } from '../surfaces/run-memory.js';

type Repository = {
  readonly git: (...args: readonly string[]) => { readonly code: number | null; readonly said: string };
  readonly write: (path: string, text: string) => void;
  readonly read: (path: string) => string;
  /** Commits what `change` does, on a branch that begins at `main`. */
  readonly branch: (name: string, change: () => void) => void;
};

function makeRepository(files: Readonly<Record<string, string>>): Repository {
  const folder = temporaryFolder();
  const environment = { ...quietEnvironment(), HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  const git: Repository['git'] = (...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
    return { code: status, said: stdout + stderr };
  };
  const write: Repository['write'] = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const commit = () => {
    git('add', '-A');
    git('commit', '-qm', 'change');
  };
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'test');
  git('config', 'user.email', 'test@example.org');
  git('config', 'core.autocrlf', 'false');
  git('config', 'merge.memory.name', 'notes');
  git('config', 'merge.memory.driver', `"${process.execPath}" "${bin}" merge-driver %O %A %B`);
  write('.gitattributes', '*.md merge=memory\n');
  for (const [path, text] of Object.entries(files)) write(path, text);
  commit();
  return {
    git,
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    branch: (name, change) => {
      git('checkout', '-q', '-b', name, 'main');
      change();
      commit();
    },
  };
}

const note = (properties: string, facts: readonly string[], end = 'End.') =>
  `---\n${properties}\n---\n# Billing\n\nText.\n\n## Facts\n\n${facts.map((fact) => `- ${fact}\n`).join('')}\n## Notes\n\n${end}\n`;

describe('in a repository', () => {
  test('branches that both add facts, tags and text are merged without a conflict', () => {
    const { git, write, read, branch } = makeRepository({ 'a b/ü.md': note('tags: [a]', ['one ^f-1']) });
    branch('ours', () => write('a b/ü.md', note('tags: [a, o]', ['one ^f-1', 'ours ^f-2'])));
    branch('theirs', () => write('a b/ü.md', note('tags: [a, t]', ['one! ^f-1', 'theirs ^f-3'], 'The end.')));
    git('checkout', '-q', 'ours');
    const merged = git('merge', '--no-edit', 'theirs');
    expect(merged).toMatchObject({ code: 0 });
    expect(read('a b/ü.md')).toBe(
      note('tags: [a, o, t]', ['one! ^f-1', 'ours ^f-2', 'theirs ^f-3'], 'The end.'),
    );
    expect(git('status', '--porcelain').said).toBe('');
  });

  test('what cannot be merged is an ordinary conflict, and the rest is merged', () => {
    const { git, write, read, branch } = makeRepository({ 'a.md': note('rank: 1', ['one ^f-1']) });
    branch('ours', () => write('a.md', note('rank: 2', ['one ^f-1', 'ours ^f-2'])));
    branch('theirs', () => write('a.md', note('rank: 3', ['one ^f-1', 'theirs ^f-3'])));
    git('checkout', '-q', 'ours');
    const merged = git('merge', '--no-edit', 'theirs');
    expect(merged.code).toBe(1);
    expect(merged.said).toContain('CONFLICT (content): Merge conflict in a.md');
    expect(git('status', '--porcelain').said).toBe('UU a.md\n');
    expect(read('a.md')).toBe(
      note('<<<<<<< ours\nrank: 2\n=======\nrank: 3\n>>>>>>> theirs', [
        'one ^f-1',
        'ours ^f-2',
        'theirs ^f-3',
      ]),
    );
    // Settled by hand, as ever.
    write('a.md', note('rank: 3', ['one ^f-1', 'ours ^f-2', 'theirs ^f-3']));
    git('add', '-A');
    expect(git('commit', '-qm', 'merged')).toMatchObject({ code: 0 });
  });

  test('a note that both made, a rebase, and a cherry-pick go the same way', () => {
    const { git, write, read, branch } = makeRepository({
      'a.md': note('x: 1', ['one ^f-1']),
      'z.md': 'z\n',
    });
    branch('ours', () => {
      write('new.md', note('tags: [o]', ['ours ^f-2']));
      write('a.md', note('x: 1', ['one ^f-1', 'ours ^f-2']));
    });
    branch('theirs', () => {
      write('new.md', note('tags: [t]', ['theirs ^f-3']));
      write('a.md', note('x: 1', ['one ^f-1', 'theirs ^f-3']));
    });
    expect(git('rebase', 'ours')).toMatchObject({ code: 0 });
    expect(read('new.md')).toBe(note('tags: [o, t]', ['ours ^f-2', 'theirs ^f-3']));
    expect(read('a.md')).toBe(note('x: 1', ['one ^f-1', 'ours ^f-2', 'theirs ^f-3']));
    git('checkout', '-q', 'main');
    branch('picking', () => write('a.md', note('x: 1', ['one ^f-1', 'picked ^f-4'])));
    expect(git('cherry-pick', 'ours')).toMatchObject({ code: 0 });
    expect(read('a.md')).toBe(note('x: 1', ['one ^f-1', 'picked ^f-4', 'ours ^f-2']));
  });

  test('a conflict in plain text is the one that git makes without the driver', () => {
    const plain = (text: string) => `# T\n\n${text}\n\nmiddle\n\nlast\n`;
    const { git, write, read, branch } = makeRepository({ 'a.md': plain('one'), 'a.txt': plain('one') });
    for (const side of ['ours', 'theirs']) {
      branch(side, () => {
        write('a.md', plain(side));
        write('a.txt', plain(side));
      });
    }
    git('checkout', '-q', 'ours');
    expect(git('merge', '--no-edit', 'theirs').code).toBe(1);
    const withoutLabels = (text: string) => text.replace(/^([<>]{7}) .*$/gm, '$1');
    expect(withoutLabels(read('a.md'))).toBe(withoutLabels(read('a.txt')));
  });
});

describe('by hand', () => {
  const files = (texts: readonly (string | Uint8Array)[]): readonly string[] => {
    const folder = temporaryFolder();
    return ['base', 'ours', 'theirs'].map((name, at) => {
      writeFileSync(join(folder, name), texts[at]!);
      return join(folder, name);
    });
  };

  test('writes the merged note in the place of ours, and 0 says that nothing is open', async () => {
    const paths = files([note('x: 1', ['a']), note('x: 1', ['a', 'o']), note('x: 1', ['a', 't'])]);
    expect(await runMemory(['merge-driver', ...paths])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(paths[1]!, 'utf8')).toBe(note('x: 1', ['a', 'o', 't']));
    expect(readFileSync(paths[0]!, 'utf8')).toBe(note('x: 1', ['a']));
  });

  test('notes that are not UTF-8 keep their bytes', async () => {
    const bytes = (...parts: readonly (string | number)[]) =>
      Buffer.concat(
        parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))),
      );
    const lines = '\n1\n2\n3\n4\n5\n';
    const paths = files([bytes(0xff, lines), bytes(0xfe, lines), bytes(0xff, lines, 't\n')]);
    expect((await runMemory(['merge-driver', ...paths])).code).toBe(0);
    expect(readFileSync(paths[1]!)).toEqual(bytes(0xfe, lines, 't\n'));
  });

  test.each([
    [['one', 'two'], 2, 'merge-driver needs three files, and has none for "theirs"'],
    [['/no/base', '/no/ours', '/no/theirs'], 3, 'Cannot read "/no/base"'],
  ])('%j ends with %i', async (args, code, said) => {
    const failed = await runMemory(['merge-driver', ...args]);
    expect(failed.code).toBe(code);
    expect(failed.stderr).toContain(said);
    expect(failed.stderr).toContain('hint:');
  });

  test('what git will not merge leaves our version as it was', async () => {
    const paths = files(['a\0b\n1\n', 'a\0b\n2\n', 'a\0b\n3\n']);
    const failed = await runMemory(['merge-driver', ...paths]);
    expect(failed.code).toBe(5);
    expect(readFileSync(paths[1]!, 'latin1')).toBe('a\0b\n2\n');
  });
});

test('`memory help merge-driver` names the three files in their order', () => {
  const help = execFileSync(process.execPath, [bin, 'help', 'merge-driver'], { encoding: 'utf8' });
  expect(help).toContain('memory merge-driver <base> <ours> <theirs>');
});
