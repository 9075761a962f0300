import { utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RecentInput } from '../../src/core/memory/reading-types.js';
import { memoryOf } from './memory-of.js';

const NOTES = {
  'projects/billing.md': '---\ntype: project\ncreated: 2026-01-10\nupdated: 2026-03-01\ntags: [work]\n---\n',
  'projects/hiring.md': '---\ntype: project\ncreated: 2026-02-10\nupdated: 2026-02-20\n---\n',
  'daily/2026-02-15.md': '---\nupdated: 2026-02-15\n---\n#work/today',
  'old.md': 'nothing says when',
};

async function paths(input: RecentInput): Promise<readonly string[]> {
  const { memory, vault } = await memoryOf(NOTES);
  utimesSync(vault.path('old.md'), new Date('2020-05-05T12:00:00Z'), new Date('2020-05-05T12:00:00Z'));
  return (await memory.recent(input)).notes.map(({ path }) => path);
}

const CASES: readonly (readonly [RecentInput, readonly string[]])[] = [
  [{}, ['projects/billing.md', 'projects/hiring.md', 'daily/2026-02-15.md', 'old.md']],
  [{ by: 'created' }, ['daily/2026-02-15.md', 'projects/hiring.md', 'projects/billing.md', 'old.md']],
  [{ limit: 1 }, ['projects/billing.md']],
  [{ folder: 'projects' }, ['projects/billing.md', 'projects/hiring.md']],
  [{ folder: './projects/' }, ['projects/billing.md', 'projects/hiring.md']],
  [{ folder: 'project' }, []],
  [{ folder: './' }, ['projects/billing.md', 'projects/hiring.md', 'daily/2026-02-15.md', 'old.md']],
  [{ tag: '#work' }, ['projects/billing.md', 'daily/2026-02-15.md']],
  [{ type: 'Project' }, ['projects/billing.md', 'projects/hiring.md']],
  [{ after: '2026-02-20' }, ['projects/billing.md', 'projects/hiring.md']],
  [{ after: '2026-02-20', by: 'created' }, []],
  [{ before: '2026-02-20' }, ['daily/2026-02-15.md', 'old.md']],
  [{ before: '2026', by: 'created' }, ['old.md']],
  [{ where: ['updated>=2026-02-20', 'type=project'] }, ['projects/billing.md', 'projects/hiring.md']],
];

describe('recent()', () => {
  test.each(CASES)('%j', async (input, expected) => {
    expect(await paths(input)).toEqual(expected);
  });

  test('gives both dates, and counts all that pass', async () => {
    const { memory } = await memoryOf(NOTES);
    expect(await memory.recent({ limit: 1, folder: 'projects' })).toEqual({
      by: 'updated',
      notes: [
        {
          path: 'projects/billing.md',
          title: 'billing',
          created: '2026-01-10',
          updated: '2026-03-01',
          uri: expect.stringMatching(/^obsidian:\/\/open\?vault=.*&file=projects%2Fbilling$/),
        },
      ],
      total: 2,
    });
  });
});
