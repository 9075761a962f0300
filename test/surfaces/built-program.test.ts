/** What a build can spoil while all tests of the sources stay green: letters beyond ASCII, and libraries that are set up late. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { runMemory, sharedFolder } from './run-memory.js';

const vault = sharedFolder();
writeFileSync(join(vault, 'road.md'), '# Road\n\nDie Strasse auf Vaerøy ist lang.\n');
writeFileSync(join(vault, 'other.md'), '# Other\n\nDie Insel ist lang, auf der Strasse regnet es.\n');

async function pathsOf(query: string): Promise<readonly string[]> {
  const { stdout } = await runMemory(['search', query, '--words', '--json', '--vault', vault]);
  return (JSON.parse(stdout) as { hits: { path: string }[] }).hits.map(({ path }) => path);
}

test.each(['straße', 'STRASSE', 'Straße regnet'])('ß is ss: %s', async (query) => {
  expect(await pathsOf(query)).toEqual(expect.arrayContaining(['other.md']));
});

test.each(['vaeroy', 'Værøy', 'Vaerøy'])('ø is o and æ is ae: %s', async (query) => {
  expect(await pathsOf(query)).toEqual(['road.md']);
});

test.each(['"Strasse auf"', '“Strasse auf”', '„Straße auf“'])('%s is a phrase', async (query) => {
  expect(await pathsOf(query)).toEqual(['road.md']);
});

test('the program itself is written in ASCII, which V8 keeps in half the memory', () => {
  const code = readFileSync(join(root, 'dist/main.cjs'));
  expect(code.filter((byte) => byte > 0x7f)).toHaveLength(0);
});

test('property blocks of unusual shape are read in the built program, which sets yaml up when it is first called', async () => {
  writeFileSync(join(vault, 'odd.md'), '---\nkinds: [{of: [stone, [wood]]}]\n---\n\nA bridge.\n');
  const args = ['search', 'bridge', '--where', 'kinds.of=wood', '--json', '--vault', vault];
  const { stdout } = await runMemory(args);
  expect(JSON.parse(stdout)).toMatchObject({ hits: [{ path: 'odd.md' }] });
});
