/** New notes: where they go, what they begin with, and that none takes another's place. */

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openMemory } from '../../src/app/open-memory.js';
import type { AddInput } from '../../src/core/memory/writing-types.js';
import { makeTempVault } from '../temp-vault.js';

/** 2026-03-04 05:06:07, local time. */
const NOW = new Date(2026, 2, 4, 5, 6, 7).getTime();

async function added(input: AddInput, files: Readonly<Record<string, string>> = {}) {
  const vault = makeTempVault(files);
  let ids = 0;
  const clock = {
    nowMs: () => NOW,
    elapsedMs: () => 0,
    giveTurn: () => Promise.resolve(),
    randomId: (length: number) => {
      ids += 1;
      return String(ids).padStart(length, '0');
    },
  };
  const memory = await openMemory(vault.root, { clock });
  try {
    const reply = await memory.add(input);
    const found = await memory.show({ note: input.dryRun ? Object.keys(files)[0]! : reply.path });
    return { ...reply, found, text: input.dryRun ? '' : readFileSync(vault.path(reply.path), 'utf8') };
  } finally {
    await memory.close();
  }
}

type Row = readonly [what: string, input: AddInput, path: string, text: string];

describe('add()', () => {
  test.each<Row>([
    ['a title alone', { title: 'Plan' }, 'Plan.md', '# Plan\n'],
    ['with content', { title: 'Plan', content: 'a\n\nb\n\n' }, 'Plan.md', '# Plan\n\na\n\nb\n'],
    ['content with its own title', { title: 'Plan', content: '# Plan\n\na' }, 'Plan.md', '# Plan\n\na\n'],
    [
      'content with another title',
      { title: 'Plan', content: '# Other\n' },
      'Plan.md',
      '---\ntitle: Plan\n---\n# Other\n',
    ],
    [
      'content with properties',
      { title: 'Plan', content: '---\ntags:\n  - a\n---\nx', tag: ['b'], type: 'project' },
      'Plan.md',
      '---\ntags:\n  - a\n  - b\ntype: project\n---\n# Plan\n\nx\n',
    ],
    [
      'properties of all kinds',
      {
        title: 'Plan',
        folder: 'p/q',
        type: 'project',
        tag: ['a', '#b'],
        set: ['due=2026-01-01', 'up=[[X]]', 'n=[1, 2]'],
      },
      'p/q/Plan.md',
      '---\ntype: project\ntags: [a, b]\ndue: 2026-01-01\nup: "[[X]]"\nn: [1, 2]\n---\n# Plan\n',
    ],
    ['a title that no file can have', { title: 'A/B: C?' }, 'A-B - C.md', '# A/B: C?\n'],
    ['a title of markup', { title: '*a*' }, 'a.md', '---\ntitle: "*a*"\n---\n# *a*\n'],
    ['a path', { title: 'x/y/My Note.md', content: 'z' }, 'x/y/My Note.md', '# My Note\n\nz\n'],
    [
      'a handoff',
      { title: 'Next', content: 'x', handoff: true },
      'sessions/2026-03-04 Next.md',
      '---\ntype: handoff\nstatus: open\n---\n# Next\n\nx\n',
    ],
    [
      'a handoff of which the title alone is given',
      { title: 'Next', handoff: true },
      'sessions/2026-03-04 Next.md',
      '---\ntype: handoff\nstatus: open\n---\n# Next\n\n## What was asked\n\n## Where we stopped\n\n## Next step\n\n## How to verify\n',
    ],
    [
      'CRLF becomes the vault’s plain line ending',
      { title: 'P', content: 'a\r\nb' },
      'P.md',
      '# P\n\na\nb\n',
    ],
  ])('%s', async (_, input, path, text) => {
    expect(await added(input)).toMatchObject({
      path,
      text,
      title: /\.md$/.test(input.title) ? 'My Note' : input.title,
    });
  });

  test('begins with a template, in a folder that is not looked at too', async () => {
    const template =
      '---\ncreated: {{date}} {{time}}\n---\n# {{title}}\n\n## {{date:YYYY [of] D.M.}} {{other}}\n';
    const files = { '.memoryignore': 'templates/\n', 'templates/t.md': template };
    const reply = await added({ title: 'Plan', template: 'templates/t', content: 'x', tag: ['a'] }, files);
    expect(reply.text).toBe(
      '---\ncreated: 2026-03-04 05:06\ntags: [a]\n---\n# Plan\n\n## 2026 of 4.3. {{other}}\n\nx\n',
    );
  });

  test('is found at once, and has its hash', async () => {
    const reply = await added({ title: 'Plan' });
    expect(reply.found).toMatchObject({ path: 'Plan.md', title: 'Plan', hash: reply.hash });
  });

  test.each(['Plan', 'plan', 'PLAN.md'])('refuses to overwrite: %s', async (title) => {
    await expect(added({ title, content: 'x' }, { 'Plan.md': '# Plan\n' })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('"Plan.md"'),
    });
  });

  test('shows what it would write, and writes nothing', async () => {
    const reply = await added({ title: 'Plan', dryRun: true }, { 'a.md': '' });
    expect(reply).toMatchObject({ id: '', diff: '--- /dev/null\n+++ b/Plan.md\n@@ -0,0 +1 @@\n+# Plan\n' });
  });

  test.each<AddInput>([
    { title: '...' },
    { title: 'a', content: 'a\0' },
    { title: 'a', set: ['x'] },
    { title: 'a', tag: ['a b'] },
    { title: 'x'.repeat(300) },
  ])('refuses %j', async (input) => {
    await expect(added(input)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
