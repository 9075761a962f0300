/** Memory.follow(): every way in which a vault changes reaches the index, on real files, with searches that look at none. */

import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../surfaces/run-memory.js';
import { makeTempVault, type TempVault } from '../temp-vault.js';
import { follow, isFound, isGone } from './followed-vault.js';

const NOTES = {
  'a.md': '# Apple\n\nAn apple a day.\n',
  'deep/er/b.md': '# Banana\n\nA banana split.\n',
};

describe('an edit is found', () => {
  const cases: readonly (readonly [how: string, edit: (vault: TempVault) => void])[] = [
    ['written in place', ({ path }) => writeFileSync(path('a.md'), '# Apple\n\nquince\n')],
    ['appended', ({ path }) => appendFileSync(path('a.md'), 'quince\n')],
    [
      'written to a temporary file and renamed',
      ({ path }) => {
        writeFileSync(path('.a.md.tmp'), '# Apple\n\nquince\n');
        renameSync(path('.a.md.tmp'), path('a.md'));
      },
    ],
    [
      'saved as vim does: a probe 4913, a backup, a new file',
      ({ path }) => {
        writeFileSync(path('4913'), '');
        unlinkSync(path('4913'));
        renameSync(path('a.md'), path('a.md~'));
        writeFileSync(path('a.md'), '# Apple\n\nquince\n');
        unlinkSync(path('a.md~'));
      },
    ],
    [
      'truncated, then written',
      ({ path }) => {
        const file = openSync(path('a.md'), 'r+');
        ftruncateSync(file, 0);
        writeSync(file, '# Apple\n\nquince\n');
        closeSync(file);
      },
    ],
    ['in a folder below', ({ path }) => appendFileSync(path('deep/er/b.md'), 'quince\n')],
    ['in a new folder of several levels', ({ write }) => write({ 'new/two/three/c.md': 'quince' })],
    [
      'in a folder that was moved in',
      ({ path }) => {
        mkdirSync(join(path('..'), 'outside'), { recursive: true });
        const outside = temporaryFolder();
        mkdirSync(join(outside, 'x/y'), { recursive: true });
        writeFileSync(join(outside, 'x/y/c.md'), 'quince');
        renameSync(join(outside, 'x'), path('moved-in'));
      },
    ],
    ['in a note with an odd name', ({ write }) => write({ 'ünï 日本 [x].md': 'quince' })],
  ];

  test.each(cases)('%s', async (_, edit) => {
    const vault = makeTempVault(NOTES);
    const { untilFound, until } = await follow(vault.root);
    edit(vault);
    await untilFound('quince', isFound);
    await until('looked', ({ indexed }) => indexed === 1);
  });

  test.each(cases)('at once by a search of the same process: %s', async (_, edit) => {
    const vault = makeTempVault(NOTES);
    const { memory } = await follow(vault.root);
    edit(vault);
    expect((await memory.search({ query: 'quince' })).hits).toHaveLength(1);
  });

  test.each(cases)('where the system tells of nothing: %s', async (_, edit) => {
    const vault = makeTempVault(NOTES);
    const { untilFound, events } = await follow(vault.root, { poll: true });
    expect(events[0]).toEqual({ kind: 'polling', reason: 'as asked' });
    edit(vault);
    await untilFound('quince', isFound);
  });
});

describe('later changes in a folder that', () => {
  test('is new are found', async () => {
    const vault = makeTempVault(NOTES);
    const { untilFound } = await follow(vault.root);
    mkdirSync(vault.path('new/two'), { recursive: true });
    writeFileSync(vault.path('new/two/c.md'), 'quince');
    await untilFound('quince', isFound);
    appendFileSync(vault.path('new/two/c.md'), ' and medlar');
    await untilFound('medlar', isFound);
  });

  test('was deleted and made anew are found', async () => {
    const vault = makeTempVault(NOTES);
    const { untilFound } = await follow(vault.root);
    for (const word of ['quince', 'medlar', 'sloe']) {
      rmSync(vault.path('deep'), { recursive: true });
      vault.write({ 'deep/er/b.md': word });
      await untilFound(word, isFound);
      appendFileSync(vault.path('deep/er/b.md'), ` late${word}`);
      await untilFound(`late${word}`, isFound);
    }
  });

  test('was renamed are found', async () => {
    const vault = makeTempVault(NOTES);
    const { untilFound, until } = await follow(vault.root);
    renameSync(vault.path('deep'), vault.path('shallow'));
    await until('looked', ({ moved }) => moved === 1);
    appendFileSync(vault.path('shallow/er/b.md'), 'quince');
    await untilFound('quince', ({ hits }) => hits[0]?.path === 'shallow/er/b.md');
  });
});

test('deleted notes and folders are no longer found', async () => {
  const vault = makeTempVault(NOTES);
  const { untilFound, until } = await follow(vault.root);
  unlinkSync(vault.path('a.md'));
  await untilFound('apple', isGone);
  rmSync(vault.path('deep'), { recursive: true });
  await untilFound('banana', isGone);
  await until('looked', ({ removed, notes }) => removed === 1 && notes === 0);
});

describe('what is ignored', () => {
  test('does not wake anybody', async () => {
    const vault = makeTempVault({
      ...NOTES,
      '.memoryignore': 'private/\n*.draft.md\n',
      '.obsidian/app.json': JSON.stringify({ userIgnoreFilters: ['excluded/'] }),
      'private/p.md': 'secret',
      'excluded/e.md': 'secret',
      'node_modules/m.md': 'secret',
      '.git/HEAD': 'ref',
      'picture.png': 'png',
    });
    const { events, until } = await follow(vault.root);
    for (const path of [
      'private/p.md',
      'excluded/e.md',
      'node_modules/m.md',
      '.git/HEAD',
      '.obsidian/workspace.json',
      'picture.png',
      'x.draft.md',
      '.hidden.md',
    ]) {
      writeFileSync(vault.path(path), 'quince');
    }
    await new Promise((resolve) => setTimeout(resolve, 900));
    writeFileSync(vault.path('a.md'), 'changed');
    await until('looked', ({ indexed }) => indexed === 1);
    expect(events.filter(({ kind }) => kind === 'looked')).toHaveLength(2);
  });

  test('follows the rules as they change', async () => {
    const vault = makeTempVault({ ...NOTES, 'private/sub/p.md': 'secret' });
    const { untilFound } = await follow(vault.root);
    vault.write({ '.memoryignore': 'private/' });
    await untilFound('secret', isGone);
    rmSync(vault.path('.memoryignore'));
    await untilFound('secret', isFound);
    appendFileSync(vault.path('private/sub/p.md'), ' quince');
    await untilFound('quince', isFound);
    vault.write({ '.obsidian/app.json': JSON.stringify({ userIgnoreFilters: ['private/'] }) });
    await untilFound('secret', isGone);
  });
});

describe('a vault that goes away', () => {
  test('is waited for, and nothing counts as deleted', async () => {
    const folder = temporaryFolder();
    const root = join(folder, 'vault');
    mkdirSync(join(root, 'sub'), { recursive: true });
    writeFileSync(join(root, 'sub/a.md'), 'apple');
    const { memory, events, until, untilFound } = await follow(root, { indexFolder: join(folder, 'index') });
    renameSync(root, join(folder, 'away'));
    const { message } = await until('waiting');
    expect(message).toContain('Cannot read the vault');
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect((await memory.search({ query: 'apple', freshness: 'never' })).notes).toBe(1);
    // As an unmounted disk does, before the disk comes back.
    mkdirSync(root);
    await until('waiting', (event) => event.message.includes('become empty'));
    rmSync(root, { recursive: true });
    renameSync(join(folder, 'away'), root);
    await until('back');
    writeFileSync(join(root, 'sub/a.md'), 'quince');
    await untilFound('quince', isFound);
    expect(events.some((event) => event.kind === 'looked' && event.removed > 0)).toBe(false);
    const told = events.filter(({ kind }) => kind === 'waiting');
    expect(told.map((event) => event.kind === 'waiting' && event.message.replace(/".*"/, ''))).toEqual(
      [
        'Cannot read the vault : it does not exist',
        'The vault  has become empty',
        'Cannot read the vault : it does not exist',
      ].slice(0, told.length),
    );
    expect(told.length).toBeLessThanOrEqual(3);
  });

  test('takes its index with it, and comes back as another folder', async () => {
    const folder = temporaryFolder();
    const root = join(folder, 'vault');
    mkdirSync(root);
    writeFileSync(join(root, 'a.md'), 'apple');
    const { until, untilFound } = await follow(root);
    rmSync(root, { recursive: true });
    await until('waiting');
    mkdirSync(root);
    writeFileSync(join(root, 'b.md'), 'banana');
    await until('back');
    await untilFound('banana', isFound);
    writeFileSync(join(root, 'b.md'), 'quince');
    await untilFound('quince', isFound);
  });

  test('and is replaced by another at once is noticed', async () => {
    const folder = temporaryFolder();
    const root = join(folder, 'vault');
    for (const [name, text] of [
      ['vault', 'apple'],
      ['other', 'banana'],
    ] as const) {
      mkdirSync(join(folder, name, 'sub'), { recursive: true });
      writeFileSync(join(folder, name, 'sub/a.md'), text);
    }
    const { untilFound } = await follow(root, { indexFolder: join(folder, 'index') });
    renameSync(root, join(folder, 'old'));
    renameSync(join(folder, 'other'), root);
    await untilFound('banana', isFound);
    writeFileSync(join(root, 'sub/a.md'), 'quince');
    await untilFound('quince', isFound);
  });
});

test('a vault reached through a link is followed', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real/sub'), { recursive: true });
  writeFileSync(join(folder, 'real/sub/a.md'), 'apple');
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  const { untilFound } = await follow(join(folder, 'link'));
  writeFileSync(join(folder, 'real/sub/a.md'), 'quince');
  await untilFound('quince', isFound);
});

test('5,000 notes that change together are looked at a few times, not 5,000 times', async () => {
  const vault = makeTempVault(
    Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`d${at % 50}/n${at}.md`, `note ${at}`])),
  );
  const { events, memory, until } = await follow(vault.root);
  for (let at = 0; at < 5_000; at += 1)
    writeFileSync(vault.path(`d${at % 50}/n${at}.md`), `note ${at} quince`);
  await until('looked', () => events.reduce((sum, event) => sum + indexedIn(event), 0) >= 10_000);
  expect((await memory.search({ query: 'quince', freshness: 'never' })).notes).toBe(5_000);
  expect(events.filter(({ kind }) => kind === 'looked').length).toBeLessThanOrEqual(4);
}, 60_000);

function indexedIn(event: { readonly kind: string; readonly indexed?: number }): number {
  return event.kind === 'looked' ? (event.indexed ?? 0) : 0;
}

test('a memory follows its vault once at a time', async () => {
  const { memory } = await follow(makeTempVault(NOTES).root);
  const again = memory.follow({ signal: new AbortController().signal, tell: () => undefined });
  await expect(again).rejects.toMatchObject({ code: 'conflict' });
});

test('stopping waits for the look in hand, and following can begin again', async () => {
  const vault = makeTempVault(NOTES);
  const first = await follow(vault.root);
  writeFileSync(vault.path('a.md'), 'quince');
  await first.stop();
  writeFileSync(vault.path('a.md'), 'medlar');
  const { memory } = await follow(vault.root);
  expect((await memory.search({ query: 'medlar', freshness: 'never' })).hits).toHaveLength(1);
});
