import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { openVault } from '../../src/adapters/vault-fs/open-vault.js';
import { stampsOf } from '../../src/core/memory/compare.js';
import { makeTempVault } from '../temp-vault.js';

const listed = async (root: string) => {
  const listing = await openVault(root).list({ countIgnored: true });
  return {
    paths: stampsOf(listing)
      .map((stamp) => stamp.path)
      .sort(),
    ignored: listing.ignored,
    skipped: [...listing.skipped].sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
};

describe('Vault.list()', () => {
  test('finds notes at any depth and nothing else', async () => {
    const vault = makeTempVault({
      'a.md': '',
      'deep/er/b.md': '',
      'UPPER.MD': '',
      'picture.png': '',
      'notes.md.txt': '',
      '.md': '',
      'folder.md/inside.md': '',
    });
    expect((await listed(vault.root)).paths).toEqual([
      'UPPER.MD',
      'a.md',
      'deep/er/b.md',
      'folder.md/inside.md',
    ]);
  });

  test('counts ignored notes: dot files and folders, node_modules', async () => {
    const vault = makeTempVault({
      'a.md': '',
      '.hidden.md': '',
      '.obsidian/plugin/README.md': '',
      '.trash/old.md': '',
      'node_modules/x/README.md': '',
      '.vectors/not-counted.md': '',
    });
    expect(await listed(vault.root)).toEqual({ paths: ['a.md'], ignored: 4, skipped: [] });
  });

  test('obeys .memoryignore with gitignore syntax', async () => {
    const vault = makeTempVault({
      '.memoryignore': '# drafts\ndrafts/\n*.tmp.md\n!keep.tmp.md\n/top.md\n',
      'drafts/a.md': '',
      'sub/drafts/b.md': '',
      'x.tmp.md': '',
      'keep.tmp.md': '',
      'top.md': '',
      'sub/top.md': '',
    });
    expect(await listed(vault.root)).toEqual({
      paths: ['keep.tmp.md', 'sub/top.md'],
      ignored: 4,
      skipped: [],
    });
  });

  test('obeys the excluded files of Obsidian: prefixes and patterns', async () => {
    const vault = makeTempVault({
      '.obsidian/app.json': JSON.stringify({ userIgnoreFilters: ['Archive/', '/draft-\\d+/', '/(/'] }),
      'Archive/a.md': '',
      'draft-12.md': '',
      'draft-x.md': '',
    });
    expect(await listed(vault.root)).toEqual({ paths: ['draft-x.md'], ignored: 2, skipped: [] });
  });

  test('is not disturbed by settings that are no JSON', async () => {
    const vault = makeTempVault({ '.obsidian/app.json': '{"userIgnoreFilters": [', 'a.md': '' });
    expect((await listed(vault.root)).paths).toEqual(['a.md']);
  });

  test('skips and names links out of the vault, into it, to nowhere and in circles', async () => {
    const outside = makeTempVault({ 'o.md': '', 'folder/p.md': '' });
    const vault = makeTempVault({ 'real/a.md': '' });
    symlinkSync(outside.path('o.md'), vault.path('out.md'));
    symlinkSync(outside.path('folder'), vault.path('out-folder'));
    symlinkSync(vault.path('real/a.md'), vault.path('in.md'));
    symlinkSync(vault.path('real'), vault.path('in-folder'));
    symlinkSync('nowhere.md', vault.path('lost.md'));
    symlinkSync('circle.md', vault.path('circle.md'));
    symlinkSync('..', vault.path('real/up'));
    expect(await listed(vault.root)).toEqual({
      paths: ['real/a.md'],
      ignored: 0,
      skipped: [
        { path: 'circle.md', reason: 'link that leads in a circle' },
        { path: 'in-folder', reason: 'link to "real", which is read in its own place' },
        { path: 'in.md', reason: 'link to "real/a.md", which is read in its own place' },
        { path: 'lost.md', reason: 'link that leads nowhere' },
        { path: 'out-folder', reason: 'link that leads outside the vault' },
        { path: 'out.md', reason: 'link that leads outside the vault' },
        { path: 'real/up', reason: 'link to ".", which is read in its own place' },
      ],
    });
  });

  test('works for a vault that is itself reached through a link', async () => {
    const vault = makeTempVault({ 'a.md': 'x' });
    const links = makeTempVault();
    symlinkSync(vault.root, links.path('vault'));
    const opened = openVault(links.path('vault'));
    expect(stampsOf(await opened.list()).map((stamp) => stamp.path)).toEqual(['a.md']);
    expect(await opened.read(['a.md'])).toMatchObject([{ path: 'a.md' }]);
  });

  test('skips pipes and sockets that are named like notes', async () => {
    const vault = makeTempVault({ 'a.md': '' });
    execFileSync('mkfifo', [vault.path('pipe.md')]);
    const server = createServer().listen(vault.path('socket.md'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect((await listed(vault.root)).skipped).toEqual([
      { path: 'pipe.md', reason: 'not a regular file but a pipe' },
      { path: 'socket.md', reason: 'not a regular file but a socket' },
    ]);
    server.close();
  });

  test('finds names with emoji, CJK, right-to-left letters, spaces, quotes, a newline, 250 bytes', async () => {
    const names = [
      '🧠 idea.md',
      '笔记.md',
      'ملاحظة.md',
      ' a b .md',
      `it's "x".md`,
      'two\nlines.md',
      `${'n'.repeat(247)}.md`,
    ];
    const vault = makeTempVault(Object.fromEntries(names.map((name) => [name, 'text'])));
    expect((await listed(vault.root)).paths).toEqual([...names].sort());
    const files = await openVault(vault.root).read(names);
    expect(files.every((file) => 'bytes' in file)).toBe(true);
  });

  test('keeps paths apart that differ only in case or in normal form', async () => {
    const vault = makeTempVault({ 'Note.md': '', 'note.md': '', 'e\u0301.md': '', '\u00e9.md': '' });
    expect((await listed(vault.root)).paths).toHaveLength(4);
  });

  test('names a file whose name is not UTF-8', async () => {
    const vault = makeTempVault({ 'a.md': '' });
    execFileSync('sh', ['-c', `printf x > "$(printf '${vault.root}/b\\377.md')"`]);
    const { paths, skipped } = await listed(vault.root);
    expect(paths).toEqual(['a.md']);
    expect(skipped).toMatchObject([{ reason: 'its name is not valid UTF-8' }]);
  });

  test('refuses a root that is missing or no folder', async () => {
    const vault = makeTempVault({ 'a.md': '' });
    await expect(openVault(vault.path('missing')).list()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(openVault(vault.path('a.md')).list()).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('names a folder and a root that may not be read', async () => {
    const vault = makeTempVault({ 'a.md': '', 'closed/b.md': '' });
    chmodSync(vault.root, 0o755);
    chmodSync(vault.path('closed'), 0o000);
    await asOrdinaryUser(async () => {
      const listing = await openVault(vault.root).list();
      const { skipped, unreadable } = listing;
      expect(stampsOf(listing).map((stamp) => stamp.path)).toEqual(['a.md']);
      expect(skipped).toEqual([{ path: 'closed/', reason: 'folder cannot be read: permission denied' }]);
      expect(unreadable).toEqual(['closed/']);
      await expect(openVault(vault.path('closed')).list()).rejects.toMatchObject({ code: 'unavailable' });
    });
    chmodSync(vault.path('closed'), 0o755);
  });
});

/** The administrator may read everything, so modes are tried as somebody else. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

describe('Vault.read()', () => {
  test('gives bytes and hash, and a reason for what cannot be read', async () => {
    const vault = makeTempVault({ 'a.md': 'abc' });
    mkdirSync(vault.path('folder.md'));
    const files = await openVault(vault.root).read(['a.md', 'gone.md', 'folder.md']);
    expect(files).toMatchObject([
      {
        path: 'a.md',
        hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        stamp: { size: 3 },
      },
      { path: 'gone.md', reason: 'cannot be read: it does not exist' },
      { path: 'folder.md', reason: 'not a regular file' },
    ]);
  });

  test('does not follow a link, even one that came after the listing', async () => {
    const outside = makeTempVault({ 'secret.md': 'secret' });
    const vault = makeTempVault({ 'a.md': 'abc' });
    rmSync(vault.path('a.md'));
    symlinkSync(outside.path('secret.md'), vault.path('a.md'));
    expect(await openVault(vault.root).read(['a.md'])).toMatchObject([
      { reason: 'cannot be read: it is a link' },
    ]);
  });
});
