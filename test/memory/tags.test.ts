import { describe, expect, test } from 'vitest';
import { memoryOf } from './memory-of.js';

const NOTES = {
  '1.md': '---\ntags: [Work/Billing, home]\n---\n#work/billing/2026',
  '2.md': '#work/billing and #Work/hiring',
  '3.md': '#work/billing, #home',
  '4.md': '#workshop #a-b #a',
  'code.md': '`#not-a-tag`',
};

async function rows(input: Parameters<Awaited<ReturnType<typeof memoryOf>>['memory']['tags']>[0]) {
  const { memory } = await memoryOf(NOTES);
  const { tags, total } = await memory.tags(input);
  return { tags: tags.map(({ tag, depth, notes, direct }) => [tag, depth, notes, direct]), total };
}

describe('tags()', () => {
  test('gives the tree, each tag followed by those nested in it, a note counted once for a parent', async () => {
    expect(await rows({})).toEqual({
      tags: [
        ['a', 0, 1, 1],
        ['a-b', 0, 1, 1],
        ['home', 0, 2, 2],
        ['work', 0, 3, 0],
        ['work/billing', 1, 3, 3],
        ['work/billing/2026', 2, 1, 1],
        ['Work/hiring', 1, 1, 1],
        ['workshop', 0, 1, 1],
      ],
      total: 8,
    });
  });

  test('orders the tags of one level by count', async () => {
    const { tags } = await rows({ sort: 'count' });
    expect(tags.map(([tag]) => tag)).toEqual([
      'work',
      'work/billing',
      'work/billing/2026',
      'Work/hiring',
      'home',
      'a',
      'a-b',
      'workshop',
    ]);
  });

  test.each(['work/billing', '#Work/Billing', 'work/billing/'])('gives those below %s', async (below) => {
    expect(await rows({ below })).toEqual({
      tags: [
        ['work/billing', 1, 3, 3],
        ['work/billing/2026', 2, 1, 1],
      ],
      total: 2,
    });
  });

  test('has no tag for none', async () => {
    expect(await rows({ below: 'wor' })).toEqual({ tags: [], total: 0 });
  });

  test('cuts the list at the limit and counts all', async () => {
    const { tags, total } = await rows({ limit: 3 });
    expect(tags.map(([tag]) => tag)).toEqual(['a', 'a-b', 'home']);
    expect(total).toBe(8);
  });
});
