import { createHash } from 'node:crypto';
import { rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ShowInput } from '../../src/core/memory/reading-types.js';
import { memoryOf } from './memory-of.js';

const PLAN = `---
aliases: [The big plan]
---
# Plan

Opening words.

## Goals

First goal. ^first

- an item
  - and one below ^nested
  - and another

### Later

Someday.

## Later

Never.
`;

const NOTES = {
  'projects/Plan.md': PLAN,
  'a/Twin.md': '1',
  'b/Twin.md': '2',
  'C# notes.md': '---\ntitle: About C#\n---\nsharp',
  'drafts/Draft.md': '',
  'Windows.md': 'one\r\ntwo\r\nthree',
  'time 9:30.md': 'half past nine',
  '.memoryignore': 'drafts/\n',
};

const GOALS = PLAN.slice(PLAN.indexOf('## Goals'), PLAN.indexOf('## Later\n\nNever'));

const CASES: readonly (readonly [ShowInput, string])[] = [
  [{ note: 'projects/Plan.md' }, PLAN],
  [{ note: './projects//Plan.md' }, PLAN],
  [{ note: 'projects/plan' }, PLAN],
  [{ note: 'Plan' }, PLAN],
  [{ note: 'the BIG plan' }, PLAN],
  [{ note: '[[Plan]]' }, PLAN],
  [{ note: '[[projects/Plan|so called]]' }, PLAN],
  [{ note: 'About C#' }, NOTES['C# notes.md']],
  [{ note: 'time 9:30' }, 'half past nine'],
  [{ note: 'Plan', section: 'Goals' }, GOALS],
  [{ note: 'Plan', section: 'goals!' }, GOALS],
  [{ note: 'Plan', section: 'Goals > Later' }, '### Later\n\nSomeday.\n\n'],
  [{ note: 'Plan', section: 'Plan' }, PLAN.slice(PLAN.indexOf('# Plan'))],
  [{ note: 'Plan#Goals' }, GOALS],
  [{ note: '[[Plan#Goals#Later|x]]' }, '### Later\n\nSomeday.\n\n'],
  [{ note: 'Plan', block: 'first' }, 'First goal. ^first\n'],
  [{ note: 'Plan', block: '^FIRST' }, 'First goal. ^first\n'],
  [{ note: 'Plan', block: 'nested' }, '  - and one below ^nested\n'],
  [{ note: 'Plan#^first' }, 'First goal. ^first\n'],
  [{ note: 'Plan', lines: '4' }, '# Plan\n'],
  [{ note: 'Plan', lines: '4-6' }, '# Plan\n\nOpening words.\n'],
  [{ note: 'Plan', lines: '20-' }, '## Later\n\nNever.\n'],
  [{ note: 'Plan', lines: '22-900' }, 'Never.\n'],
  [{ note: 'projects/Plan.md:22' }, 'Never.\n'],
  [{ note: 'projects/Plan.md:22:5' }, 'Never.\n'],
  [{ note: 'Plan:22' }, 'Never.\n'],
  [{ note: 'projects/Plan.md:22', lines: '4' }, '# Plan\n'],
  [{ note: 'Plan#Goals', block: 'first' }, 'First goal. ^first\n'],
  [{ note: 'Windows', lines: '2' }, 'two\r\n'],
];

type Refusal = { readonly code: string; readonly message?: unknown; readonly hint: unknown };

const REFUSALS: readonly (readonly [ShowInput, Refusal])[] = [
  [
    { note: 'Twin' },
    {
      code: 'invalid_input',
      message: '"Twin" could be any of 2 notes',
      hint: 'Name one by its path: a/Twin.md, b/Twin.md.',
    },
  ],
  [
    { note: 'Plann' },
    {
      code: 'not_found',
      message: 'There is no note "Plann"',
      hint: 'Did you mean "projects/Plan.md"? Else try `memory search Plann`.',
    },
  ],
  [{ note: 'nothing/like it.md' }, { code: 'not_found', hint: 'Try `memory search nothing like it`.' }],
  [
    { note: 'projects/' },
    {
      code: 'not_found',
      hint: 'That is a folder: `memory recent --folder projects` lists its notes.',
    },
  ],
  [
    { note: 'drafts/Draft' },
    {
      code: 'not_found',
      message: '"drafts/Draft.md" is ignored: a pattern in .memoryignore',
      hint: 'Change that rule, or move the note, to have it read.',
    },
  ],
  [
    { note: 'link.md' },
    {
      code: 'not_found',
      message: '"link.md" is skipped: link that leads nowhere',
      hint: '`memory doctor link.md` says how to mend it.',
    },
  ],
  [{ note: '../x' }, { code: 'invalid_input', hint: expect.any(String) }],
  [{ note: ' ' }, { code: 'invalid_input', hint: expect.any(String) }],
  [
    { note: 'Plan', section: 'Later' },
    {
      code: 'invalid_input',
      message: '"Later" could be any of 2 sections',
      hint: 'Name its path: Plan > Goals > Later (line 16), Plan > Later (line 20).',
    },
  ],
  [
    { note: 'Plan', section: 'None' },
    { code: 'not_found', hint: 'The note has: Plan, Goals, Later, Later.' },
  ],
  [
    { note: 'Plan', block: 'none' },
    { code: 'not_found', hint: 'The note has: ^first, ^nested.' },
  ],
  [
    { note: 'Plan:99' },
    {
      code: 'invalid_input',
      message: 'The note has 23 lines, so there is no line 99',
      hint: expect.any(String),
    },
  ],
  [
    { note: 'Plan', lines: '3-2' },
    { code: 'invalid_input', hint: expect.stringContaining('12-40') },
  ],
  [
    { note: 'Plan', lines: '1', block: 'first' },
    { code: 'invalid_input', hint: expect.any(String) },
  ],
];

describe('show()', () => {
  test.each(CASES)('%j', async (input, text) => {
    const { memory } = await memoryOf(NOTES);
    expect((await memory.show(input)).text).toBe(text);
  });

  test.each(REFUSALS)('refuses %j with a next step', async (input, refusal) => {
    const { memory, vault } = await memoryOf(NOTES);
    symlinkSync('nowhere.md', vault.path('link.md'));
    await expect(memory.show(input)).rejects.toMatchObject(refusal);
  });

  test('gives path, title, date and the hash of the whole note with a part of it', async () => {
    const { memory } = await memoryOf(NOTES);
    expect(await memory.show({ note: 'Plan', lines: '4' })).toEqual({
      path: 'projects/Plan.md',
      title: 'Plan',
      updated: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
      text: '# Plan\n',
      hash: createHash('sha256').update(PLAN).digest('hex'),
      truncated: false,
    });
  });

  test.each([
    [1, 'wor', 'a long line is cut inside'],
    [1000, 'words words\nmore', 'what fits is whole'],
    [3, 'words words\n', 'whole lines while they fit'],
  ])('with %i tokens gives %j: %s', async (maxTokens, start) => {
    const { memory } = await memoryOf({ 'a.md': 'words words\nmore' });
    const { text, truncated } = await memory.show({ note: 'a', maxTokens });
    expect(text.startsWith(start)).toBe(true);
    expect(truncated).toBe(text !== 'words words\nmore');
  });

  test('cuts no character in two', async () => {
    const { memory } = await memoryOf({ 'a.md': '🧠'.repeat(20) });
    for (let maxTokens = 1; maxTokens < 25; maxTokens += 1) {
      expect((await memory.show({ note: 'a', maxTokens })).text.isWellFormed()).toBe(true);
    }
  });

  test('shows the text of the file now, and says when it is gone', async () => {
    const { memory, vault } = await memoryOf({ 'a.md': 'old', 'b.md': '' });
    expect((await memory.show({ note: 'a' })).text).toBe('old');
    vault.write({ 'a.md': 'new' });
    expect((await memory.show({ note: 'a' })).text).toBe('new');
    rmSync(vault.path('a.md'));
    await expect(memory.show({ note: 'a' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
