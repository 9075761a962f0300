/** What is refused, and that the bytes are the same after it. */

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import type { Memory } from '../../src/core/memory/memory.js';
import { makeTempVault } from '../temp-vault.js';

async function withMemory<T>(root: string, work: (memory: Memory) => Promise<T>): Promise<T> {
  const memory = await openMemory(root);
  try {
    return await work(memory);
  } finally {
    await memory.close();
  }
}

describe('notes that are never written to', () => {
  const NOTES: readonly (readonly [string, string | Uint8Array, Parameters<Memory['edit']>[0]])[] = [
    ['a broken property block', '---\na: [x\n---\nbody\n', { note: 'n', set: ['b=1'] }],
    ['a property block with a key twice', '---\na: 1\na: 2\n---\n', { note: 'n', unset: ['a'] }],
    ['invalid UTF-8', Uint8Array.from([0x61, 0xff, 0x0a]), { note: 'n', append: 'x' }],
    ['NUL characters', 'a\0b\n', { note: 'n', append: 'x' }],
    ['conflict markers', '<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n', { note: 'n', append: 'x' }],
  ];
  test.each(NOTES)('%s', async (_, content, edit) => {
    const vault = makeTempVault({ 'n.md': content });
    await withMemory(vault.root, async (memory) => {
      await expect(memory.edit(edit)).rejects.toMatchObject({ code: 'conflict' });
    });
    expect(readFileSync(vault.path('n.md'))).toEqual(Buffer.from(content));
  });
});

describe('paths that lead out', () => {
  const PATHS = [
    '../out.md',
    'a/../../out.md',
    '/tmp/out.md',
    'C:\\out.md',
    '..\\out.md',
    'link/out.md',
    'a\0.md',
    'a\nb.md',
    '~/out.md',
  ];
  const CALLS: readonly (readonly [string, (memory: Memory, path: string) => Promise<unknown>])[] = [
    ['add: title', (memory, path) => memory.add({ title: path, content: 'x' })],
    [
      'add: folder',
      (memory, path) => memory.add({ title: 'T', content: 'x', folder: path.replace(/out\.md$/, '') }),
    ],
    ['add: template', (memory, path) => memory.add({ title: 'T', template: path })],
    ['edit: note', (memory, path) => memory.edit({ note: path, append: 'x' })],
    ['move: note', (memory, path) => memory.move({ note: path, to: 'b.md' })],
    ['move: to', (memory, path) => memory.move({ note: 'a.md', to: path })],
    ['move: to a folder', (memory, path) => memory.move({ note: 'a.md', to: path.replace(/out\.md$/, '') })],
    ['delete: note', (memory, path) => memory.delete({ note: path })],
    ['show: note', (memory, path) => memory.show({ note: path })],
    ['links: note', (memory, path) => memory.links({ note: path })],
    ['doctor: note', (memory, path) => memory.doctor({ note: path })],
  ];
  test.each(CALLS)('%s', async (_, call) => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    writeFileSync(join(outside, 'out.md'), 'secret');
    const vault = makeTempVault({ 'a.md': '# A\n' });
    symlinkSync(outside, vault.path('link'));
    await withMemory(vault.root, async (memory) => {
      await memory.reindex({});
      for (const path of PATHS) {
        const outcome = await call(memory, path).then(
          (reply) => reply,
          (error) => error.code,
        );
        expect(['invalid_input', 'not_found'], `${path}: ${JSON.stringify(outcome)}`).toContain(outcome);
      }
    });
    expect(readdirSync(outside)).toEqual(['out.md']);
    expect(readFileSync(join(outside, 'out.md'), 'utf8')).toBe('secret');
    expect(readFileSync(vault.path('a.md'), 'utf8')).toBe('# A\n');
  });

  test('program files and hidden folders are no notes', async () => {
    const vault = makeTempVault({ 'a.md': '', '.obsidian/x.md': 'x', 'node_modules/y.md': 'y' });
    await withMemory(vault.root, async (memory) => {
      for (const note of ['.obsidian/x.md', 'node_modules/y.md']) {
        await expect(memory.edit({ note, append: 'z' })).rejects.toMatchObject({ code: 'not_found' });
        await expect(memory.move({ note: 'a.md', to: note })).rejects.toMatchObject({
          code: 'invalid_input',
        });
      }
      await expect(memory.add({ title: 'z', folder: '.vectors' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });
    expect(readFileSync(vault.path('.obsidian/x.md'), 'utf8')).toBe('x');
  });

  test('a note that became a link after it was indexed is not followed', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'outside-'));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    writeFileSync(join(outside, 'out.md'), 'secret');
    const vault = makeTempVault({ 'a.md': '# A\n', 'f/b.md': '# B\n' });
    await withMemory(vault.root, async (memory) => {
      await memory.reindex({});
      rmSync(vault.path('a.md'));
      symlinkSync(join(outside, 'out.md'), vault.path('a.md'));
      rmSync(vault.path('f'), { recursive: true });
      symlinkSync(outside, vault.path('f'));
      writeFileSync(join(outside, 'b.md'), 'secret');
      for (const note of ['a.md', 'f/b.md']) {
        await expect(memory.edit({ note, append: 'x' })).rejects.toMatchObject({
          code: expect.stringMatching(/^(invalid_input|not_found|unavailable)$/),
        });
      }
    });
    expect(readFileSync(join(outside, 'out.md'), 'utf8')).toBe('secret');
    expect(readFileSync(join(outside, 'b.md'), 'utf8')).toBe('secret');
  });
});

describe('names that file systems or links cannot hold', () => {
  test.each([
    'CON.md',
    'aux.md',
    'a/nul.txt.md',
    'a#b.md',
    'a|b.md',
    'a[b].md',
    'a:b.md',
    'a?.md',
    `${'x'.repeat(254)}.md`,
    `${'é'.repeat(128)}.md`,
    'a /b.md',
    '.hidden.md',
    'a./b.md',
  ])('%j', async (path) => {
    const vault = makeTempVault({ 'n.md': '' });
    await withMemory(vault.root, async (memory) => {
      await expect(memory.move({ note: 'n.md', to: path })).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(memory.add({ title: path })).rejects.toMatchObject({ code: 'invalid_input' });
    });
    expect(readdirSync(vault.root).filter((name) => !name.startsWith('.'))).toEqual(['n.md']);
  });
});

describe('files that cannot be written', () => {
  test('a read-only file and a read-only folder', async () => {
    const vault = makeTempVault({ 'a.md': 'a\n', 'f/b.md': 'b\n' });
    await withMemory(vault.root, async (memory) => {
      await memory.reindex({});
      chmodSync(vault.path('a.md'), 0o444);
      chmodSync(vault.path('f'), 0o555);
      onTestFinished(() => chmodSync(vault.path('f'), 0o755));
      const refusal = { code: 'unavailable', message: expect.stringContaining('read-only') };
      await expect(memory.edit({ note: 'a.md', append: 'x' })).rejects.toMatchObject(refusal);
      await expect(memory.edit({ note: 'f/b.md', append: 'x' })).rejects.toMatchObject(refusal);
      await expect(memory.add({ title: 'new', folder: 'f' })).rejects.toMatchObject(refusal);
      await expect(memory.move({ note: 'f/b.md', to: 'b.md' })).rejects.toMatchObject(refusal);
    });
    expect(readFileSync(vault.path('a.md'), 'utf8')).toBe('a\n');
    expect(readdirSync(vault.path('f'))).toEqual(['b.md']);
    expect(existsSync(vault.path('.vectors/lock'))).toBe(false);
  });

  test('a move that fails half-way is taken back', async () => {
    const vault = makeTempVault({ 'a.md': '# A\n', 'b.md': '[[a]]\n', 'f/c.md': '[[a]]\n' });
    await withMemory(vault.root, async (memory) => {
      await memory.reindex({});
      chmodSync(vault.path('f/c.md'), 0o444);
      await expect(memory.move({ note: 'a.md', to: 'x.md' })).rejects.toMatchObject({ code: 'unavailable' });
    });
    expect(readFileSync(vault.path('b.md'), 'utf8')).toBe('[[a]]\n');
    expect(existsSync(vault.path('a.md'))).toBe(true);
    expect(readdirSync(vault.path('.memory/journal')).filter((name) => name.includes('intent'))).toEqual([]);
  });

  test('a full disk', async ({ skip }) => {
    const root = mkdtempSync(join(tmpdir(), 'full-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', root], { stdio: 'ignore' });
    } catch {
      rmSync(root, { recursive: true });
      skip('no right to mount a small disk');
    }
    onTestFinished(() => {
      execFileSync('umount', [root]);
      rmSync(root, { recursive: true });
    });
    mkdirSync(join(root, 'f'));
    const text = `# A\n${'word '.repeat(20_000)}\n`;
    writeFileSync(join(root, 'a.md'), text);
    // The index is kept elsewhere, so that only notes fill this disk.
    const index = mkdtempSync(join(tmpdir(), 'index-'));
    onTestFinished(() => rmSync(index, { recursive: true }));
    const memory = await openMemory(root, { environment: { AGENT_MEMORY_INDEX_DIR: index } });
    await memory.reindex({});
    const filler = join(root, 'f/filler');
    for (let size = 400_000; size >= 4_000; size = Math.floor(size / 2)) {
      try {
        writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
      } catch {
        // As full as it gets.
      }
    }
    const refusal = { code: 'unavailable', message: expect.stringContaining('the disk is full') };
    await expect(memory.edit({ note: 'a.md', append: 'x'.repeat(60_000) })).rejects.toMatchObject(refusal);
    await expect(memory.add({ title: 'big', content: 'x'.repeat(300_000) })).rejects.toMatchObject(refusal);
    expect(readFileSync(join(root, 'a.md'), 'utf8')).toBe(text);
    expect(readdirSync(root).filter((name) => name.endsWith('.md') || name.endsWith('.tmp'))).toEqual([
      'a.md',
    ]);
    rmSync(filler);
    expect(await memory.edit({ note: 'a.md', append: 'x' })).toMatchObject({ changed: true });
    await memory.close();
  });

  test('mode and owner stay', async () => {
    const vault = makeTempVault({ 'a.md': 'a\n' });
    chmodSync(vault.path('a.md'), 0o640);
    await withMemory(vault.root, (memory) => memory.edit({ note: 'a', append: 'x' }));
    const { statSync } = await import('node:fs');
    expect(statSync(vault.path('a.md')).mode & 0o7777).toBe(0o640);
    expect(statSync(vault.path('.vectors')).mode & 0o777).toBe(0o700);
    expect(statSync(vault.path('.memory/journal')).mode & 0o777).toBe(0o700);
  });
});
