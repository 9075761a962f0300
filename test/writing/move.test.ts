/** Moves and deletions in a vault: who is rewritten, what git says, how long it takes. The forms of links: test/edit/relink.test.ts. */

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import { makeTempVault } from '../temp-vault.js';

test('a note with 1,000 inbound links moves with 1,000 one-line differences, and back', {
  timeout: 120_000,
}, async () => {
  const files: Record<string, string> = { 'Hub.md': '# Hub\n' };
  const links = ['[[Hub]]', '[[Hub|the hub]]', '![[Hub#Hub]]', '[hub](../Hub.md)'];
  for (let i = 0; i < 1_000; i += 1) {
    files[`notes/n${i}.md`] =
      `# Note ${i}\n\nSome words.\n\nSee ${links[i % links.length]} here.\n\nMore words.\n`;
  }
  const vault = makeTempVault(files);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', vault.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      encoding: 'utf8',
    });
  git('init', '-q');
  writeFileSync(vault.path('.gitignore'), '.vectors/\n.memory/\n');
  git('add', '.');
  git('commit', '-qm', 'before');
  const memory = await openMemory(vault.root);
  await memory.reindex({});
  const moved = await memory.move({ note: 'Hub', to: 'places/Centre.md' });
  expect(moved).toMatchObject({ links: 1_000, notes: 1_000, left: [] });
  git('add', '.');
  const stat = git('diff', '--cached', '-M', '--shortstat', 'HEAD');
  expect(stat.trim()).toBe('1001 files changed, 1000 insertions(+), 1000 deletions(-)');
  const { totals } = await memory.links({ note: 'Centre' });
  expect(totals.back).toBe(1_000);
  const undone = await memory.undo({});
  expect(undone.notes).toHaveLength(1_001);
  git('add', '.');
  expect(git('status', '--porcelain')).toBe('');
  await memory.close();
});

describe('move()', () => {
  test('into a folder, by its slash or because it is there', async () => {
    const vault = makeTempVault({ 'a.md': '# A\n', 'b.md': '# B\n[[a]]\n', 'there/c.md': '' });
    const memory = await openMemory(vault.root);
    expect(await memory.move({ note: 'a', to: 'new/' })).toMatchObject({ path: 'new/a.md', links: 0 });
    expect(await memory.move({ note: 'a', to: 'there' })).toMatchObject({ path: 'there/a.md' });
    expect(await memory.move({ note: 'a', to: '/' })).toMatchObject({ path: 'a.md' });
    expect(readFileSync(vault.path('b.md'), 'utf8')).toBe('# B\n[[a]]\n');
    await memory.close();
  });

  test('shows what it would do, and does nothing', async () => {
    const vault = makeTempVault({ 'a.md': '# A\n', 'b.md': '[[a]]\n' });
    const memory = await openMemory(vault.root);
    const { diff, id } = await memory.move({ note: 'a', to: 'c.md', dryRun: true });
    expect(diff).toBe('--- a/b.md\n+++ b/b.md\n@@ -1 +1 @@\n-[[a]]\n+[[c]]\n--- a/a.md\n+++ b/c.md\n');
    expect(id).toBe('');
    expect(readFileSync(vault.path('b.md'), 'utf8')).toBe('[[a]]\n');
    expect(existsSync(vault.path('a.md'))).toBe(true);
    await memory.close();
  });

  test('refuses a path that is taken, in other case too', async () => {
    const vault = makeTempVault({ 'a.md': '# A\n', 'B.md': '# B\n' });
    const memory = await openMemory(vault.root);
    for (const to of ['B.md', 'b.md']) {
      await expect(memory.move({ note: 'a.md', to })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/^Cannot move "a.md": "B.md" is there already$/),
        hint: expect.stringContaining('another path'),
      });
    }
    expect(await memory.move({ note: 'a.md', to: 'A.md' })).toMatchObject({ path: 'A.md' });
    await memory.close();
  });

  test('leaves notes that cannot be written, and tells', async () => {
    const vault = makeTempVault({
      'a.md': '# A\n',
      'conflict.md': '[[a]]\n<<<<<<< x\n1\n=======\n2\n>>>>>>> y\n',
      'damaged.md': Uint8Array.from([...Buffer.from('[[a]] '), 0xff]),
    });
    const memory = await openMemory(vault.root);
    const { left } = await memory.move({ note: 'a', to: 'c.md' });
    expect(left.map(({ path }) => path)).toEqual(['conflict.md', 'damaged.md']);
    await memory.close();
  });
});

describe('delete()', () => {
  test('keeps what is deleted under names that never collide, and tells which links break', async () => {
    const vault = makeTempVault({ 'a.md': 'one', 'x/a.md': 'two', 'b.md': '[[x/a]] [[a]]\n' });
    const memory = await openMemory(vault.root);
    const first = await memory.delete({ note: 'x/a.md' });
    expect(first).toMatchObject({ trash: '.trash/a.md', broken: [{ path: 'b.md', line: 1, target: 'x/a' }] });
    const second = await memory.delete({ note: 'a.md' });
    expect(second.trash).toBe('.trash/a 1.md');
    expect(readdirSync(vault.path('.trash')).sort()).toEqual(['a 1.md', 'a.md']);
    expect(await memory.search({ query: 'one' })).toMatchObject({ hits: [] });
    await memory.undo({});
    expect(readFileSync(vault.path('a.md'), 'utf8')).toBe('one');
    await memory.undo({});
    expect(readFileSync(vault.path('x/a.md'), 'utf8')).toBe('two');
    await memory.close();
  });
});
