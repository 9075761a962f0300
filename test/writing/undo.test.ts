/** The journal and what it takes back. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import { makeTempVault } from '../temp-vault.js';

const TEXT = '# A\n\none\n\ntwo\n\nthree\n';

async function opened() {
  const vault = makeTempVault({ 'a.md': TEXT });
  const memory = await openMemory(vault.root);
  return { vault, memory, now: () => readFileSync(vault.path('a.md'), 'utf8') };
}

describe('undo()', () => {
  test('takes back the last write, then the one before, and an undo as well', async () => {
    const { memory, now } = await opened();
    await memory.edit({ note: 'a', append: 'four' });
    await memory.edit({ note: 'a', set: ['status=open'] });
    const first = await memory.undo({});
    expect(now()).toBe(`${TEXT}four\n`);
    await memory.undo({});
    expect(now()).toBe(TEXT);
    await expect(memory.undo({})).rejects.toMatchObject({ code: 'not_found' });
    await memory.undo({ id: first.id }).catch((error) => expect(error.code).toBe('conflict'));
    await memory.close();
  });

  test('of an undo does again what was undone', async () => {
    const { memory, now } = await opened();
    await memory.edit({ note: 'a', replace: 'two', with: 'TWO' });
    const { id } = await memory.undo({});
    await memory.undo({ id });
    expect(now()).toBe(TEXT.replace('two', 'TWO'));
    await memory.close();
  });

  test('keeps what was written since in other lines, by calls and by hand', async () => {
    const { vault, memory, now } = await opened();
    const { id } = await memory.edit({ note: 'a', replace: 'two', with: 'TWO' });
    await memory.edit({ note: 'a', append: 'four' });
    writeFileSync(vault.path('a.md'), now().replace('one', 'ONE'));
    await memory.undo({ id });
    expect(now()).toBe('# A\n\nONE\n\ntwo\n\nthree\nfour\n');
    await memory.close();
  });

  test('refuses where what was written since stands in the same lines', async () => {
    const { memory, now } = await opened();
    const { id } = await memory.edit({ note: 'a', replace: 'two', with: 'TWO' });
    await memory.edit({ note: 'a', replace: 'TWO', with: 'TWO and more' });
    const before = now();
    await expect(memory.undo({ id })).rejects.toMatchObject({ code: 'conflict' });
    expect(now()).toBe(before);
    await memory.close();
  });

  test('refuses twice the same, and ids that the journal does not know', async () => {
    const { memory } = await opened();
    const { id } = await memory.edit({ note: 'a', append: 'x' });
    await memory.undo({ id });
    await expect(memory.undo({ id })).rejects.toMatchObject({ code: 'conflict' });
    await expect(memory.undo({ id: 'nothing' })).rejects.toMatchObject({ code: 'not_found' });
    await memory.close();
  });

  test('of an added note moves it to the trash, unless it was changed', async () => {
    const { vault, memory } = await opened();
    const { id, path } = await memory.add({ title: 'New', content: 'x' });
    await memory.edit({ note: path, append: 'y' });
    await expect(memory.undo({ id })).rejects.toMatchObject({ code: 'conflict' });
    await memory.undo({});
    await memory.undo({});
    expect(readdirSync(vault.root).filter((name) => name.endsWith('.md'))).toEqual(['a.md']);
    await memory.close();
  });

  test('of a move takes away the folders that it had made, as far as they are empty', async () => {
    const { vault, memory } = await opened();
    vault.write({ 'b.md': '[[a]]\n', 'there/c.md': '' });
    await memory.move({ note: 'a', to: 'new/deep/er/a.md' });
    await memory.undo({});
    expect(readdirSync(vault.root).filter((name) => !name.startsWith('.'))).toEqual([
      'a.md',
      'b.md',
      'there',
    ]);
    await memory.move({ note: 'a', to: 'there/new/deep/a.md' });
    vault.write({ 'there/new/left.txt': 'of another program' });
    const { id } = await memory.undo({});
    expect(readdirSync(vault.path('there'))).toEqual(['c.md', 'new']);
    expect(readdirSync(vault.path('there/new'))).toEqual(['left.txt']);
    // Doing it again makes the folder again, and taking that back removes it.
    const again = await memory.undo({ id });
    expect(readdirSync(vault.path('there/new'))).toEqual(['deep', 'left.txt']);
    await memory.undo({ id: again.id });
    expect(readdirSync(vault.path('there/new'))).toEqual(['left.txt']);
    await memory.close();
  });

  test('of a move keeps folders that were there before, though they are empty then', async () => {
    const { vault, memory } = await opened();
    mkdirSync(vault.path('mine'));
    await memory.move({ note: 'a', to: 'mine/a.md' });
    await memory.undo({});
    expect(readdirSync(vault.root)).toContain('mine');
    await memory.close();
  });

  test('of an added note takes away the folders made for it', async () => {
    const { vault, memory } = await opened();
    await memory.add({ title: 'New', folder: 'x/y' });
    await memory.undo({});
    expect(readdirSync(vault.root).filter((name) => !name.startsWith('.'))).toEqual(['a.md']);
    await memory.close();
  });

  test('of a deletion brings back the bytes and the links', async () => {
    const { vault, memory } = await opened();
    const bytes = Buffer.from('\ufeff# T\r\n\r\n[[a]]\r\nno newline', 'utf8');
    vault.write({ 'deep/t.md': bytes, 'b.md': 'see [[t]] and [x](deep/t.md#T)\n' });
    const { totalBroken } = await memory.delete({ note: 'deep/t.md' });
    expect(totalBroken).toBe(2);
    expect((await memory.links({ note: 'b' })).totals).toMatchObject({ out: 0, unresolved: 2 });
    await memory.undo({});
    expect(readFileSync(vault.path('deep/t.md'))).toEqual(bytes);
    expect((await memory.links({ note: 'b' })).totals).toMatchObject({ out: 2, unresolved: 0 });
    expect((await memory.links({ note: 'deep/t.md' })).totals).toMatchObject({ out: 1, back: 2 });
    expect(existsSync(vault.path('.trash'))).toBe(false);
    await memory.close();
  });

  test('shows what it would do, and does nothing', async () => {
    const { memory, now } = await opened();
    await memory.edit({ note: 'a', replace: 'two', with: 'TWO' });
    const before = now();
    const { diff, id } = await memory.undo({ dryRun: true });
    expect(diff).toContain('-TWO\n+two\n');
    expect(id).toBe('');
    expect(now()).toBe(before);
    await memory.close();
  });
});

describe('the journal', () => {
  test('has one line a write, with hashes and inverse, and none where nothing changed', async () => {
    const { vault, memory } = await opened();
    const { id, hash } = await memory.edit({ note: 'a', append: 'x' });
    expect(await memory.edit({ note: 'a', unset: ['b'] })).toMatchObject({
      changed: false,
      id: '',
    });
    const [name, ...rest] = readdirSync(vault.path('.memory/journal'));
    expect(rest).toEqual([]);
    expect(name).toMatch(/^\d{4}-\d{2}\.[\p{L}\p{N}_-]+\.jsonl$/u);
    const lines = readFileSync(vault.path(`.memory/journal/${name}`), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        id,
        operation: 'edit',
        steps: [
          {
            kind: 'edit',
            path: 'a.md',
            after: hash,
            undo: [{ start: TEXT.length, end: TEXT.length + 2, text: '' }],
          },
        ],
      },
    ]);
    await memory.close();
  });

  test('is read past lines that are cut', async () => {
    const { vault, memory, now } = await opened();
    await memory.edit({ note: 'a', append: 'x' });
    const [name] = readdirSync(vault.path('.memory/journal'));
    writeFileSync(vault.path(`.memory/journal/${name}`), '{"id":"cut","at":"20\n', { flag: 'a' });
    await memory.undo({});
    expect(now()).toBe(TEXT);
    await memory.close();
  });
});
