/** docs/obsidian.md says what is so: templates serve, `.obsidian` is left alone, excluded files and copies are heeded. */

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/bundle.mjs';
import { findFacts, findRelations } from '../../src/core/facts/find-facts.js';
import { scan } from '../../src/core/markdown/scan.js';
import { memoryOf } from '../memory/memory-of.js';
import { NO_VAULTS, sharedVault, sharedVaults } from '../shared-vaults.js';
import { copyExampleVault, runMemory, temporaryFolder } from '../surfaces/run-memory.js';

const text = readFileSync(join(root, 'docs/obsidian.md'), 'utf8');

function templateOf(name: string): string {
  const block = new RegExp(`<!-- template: ${name} -->\\n\`\`\`markdown\\n([^\`]+)\`\`\``).exec(text);
  expect(block, `docs/obsidian.md has no template "${name}"`).not.toBeNull();
  return block![1]!;
}

describe('the templates', () => {
  test('of a handoff gives one that is open', async () => {
    const { memory } = await memoryOf({
      'templates/handoff.md': templateOf('handoff'),
      '.memoryignore': 'templates/\n',
    });
    const { path } = await memory.add({ title: 'Finish it', template: 'templates/handoff', handoff: true });
    const { handoffs } = await memory.open({ tag: 'handoff' });
    expect(handoffs.map((handoff) => handoff.path)).toEqual([path]);
    expect(handoffs[0]!.created).toMatch(/^\d{4}-\d\d-\d\dT/);
    await expect(memory.claim({ next: true })).resolves.toMatchObject({ path });
  });

  test('of facts gives a fact and a relation', async () => {
    const { memory, vault } = await memoryOf({ 'templates/facts.md': templateOf('facts') });
    const { path } = await memory.add({ title: 'Billing', template: 'templates/facts' });
    const note = scan(readFileSync(vault.path(path), 'utf8'));
    expect(findFacts(note)).toMatchObject([{ text: 'First statement', state: 'active' }]);
    expect(findRelations(note)).toMatchObject([{ type: 'depends_on' }]);
  });
});

/** Path, time and content of every file below a folder. */
function picture(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const stats = statSync(join(folder, path));
      return `${path} ${stats.mtimeMs} ${stats.isFile() ? readFileSync(join(folder, path), 'base64') : ''}`;
    });
}

async function workIn(vault: string): Promise<void> {
  const run = async (...args: string[]) => {
    const { code, stderr } = await runMemory([...args, '--vault', vault]);
    expect([code, stderr.replace(/^.* will not be found.*\n/, '')], args.join(' ')).toEqual([0, '']);
  };
  await run('reindex', '--quiet');
  await run('add', 'Beside Obsidian', 'One [[Beside Obsidian]].', '--quiet');
  await run('edit', 'Beside Obsidian.md', '--append', 'two', '--quiet');
  await run('move', 'Beside Obsidian.md', 'beside/Renamed.md', '--quiet');
  await run('delete', 'beside/Renamed.md', '--quiet');
}

const vaults = sharedVaults().filter((name) => existsSync(join(sharedVault(name), '.obsidian')));

describe('a vault of Obsidian', () => {
  test('keeps its settings as they are: the example', async () => {
    const vault = copyExampleVault(temporaryFolder());
    const before = picture(join(vault, '.obsidian'));
    expect(before.length).toBeGreaterThan(1);
    await workIn(vault);
    expect(picture(join(vault, '.obsidian'))).toEqual(before);
    expect(readdirSync(join(vault, '.trash'))).toEqual(['Renamed.md']);
  });

  if (vaults.length === 0) test.skip(NO_VAULTS, () => undefined);
  test.each(vaults)('keeps its settings as they are: %s', { timeout: 120_000 }, async (name) => {
    const vault = join(temporaryFolder(), name);
    cpSync(sharedVault(name), vault, { recursive: true, preserveTimestamps: true });
    rmSync(join(vault, '.vectors'), { recursive: true, force: true });
    const before = picture(join(vault, '.obsidian'));
    await workIn(vault);
    expect(picture(join(vault, '.obsidian'))).toEqual(before);
  });
});

test('excluded files are not searched, and copies are no open handoffs', async () => {
  const { memory } = await memoryOf({
    '.obsidian/app.json': '{"userIgnoreFilters": ["drafts/"]}',
    'drafts/a.md': 'hidden words',
    'sessions/a.md': '---\nstatus: claimed (2026-01-01 10:00)\n---\n',
    'sessions/a.sync-conflict-20260101-100000-ABCDEFG.md': '---\nstatus: open\n---\n',
    'sessions/a (Mira’s conflicted copy 2026-01-01).md': '---\nstatus: open\n---\n',
    'templates/handoff.md': '---\nstatus: open\n---\n',
  });
  expect((await memory.search({ query: 'hidden words' })).hits).toEqual([]);
  expect((await memory.open({})).total).toBe(0);
});
