/** Handoffs: which notes are some, which are open, and that each is claimed once, by a change of one line. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claimHandoff } from '../../src/core/edit/claim-handoff.js';
import { splitLines } from '../../src/core/edit/line-diff.js';
import { scan } from '../../src/core/markdown/scan.js';
import { projectOf, readHandoffStatus, stateOf, whereItStopped } from '../../src/core/note/handoff.js';
import { bin, quietEnvironment } from '../surfaces/run-memory.js';
import { makeTempVault } from '../temp-vault.js';
import { memoryOf } from './memory-of.js';

const CLAIMED = 'claimed (2026-01-01 10:00)';

describe('stateOf()', () => {
  test.each([
    ['open', 'open'],
    ['Open', 'open'],
    [' OPEN ', 'open'],
    ['açık', 'open'],
    ['acik', 'open'],
    ['AÇIK', 'open'],
    ['açık'.normalize('NFD'), 'open'],
    ['claimed', 'claimed'],
    [CLAIMED, 'claimed'],
    ['devralındı', 'claimed'],
    ['devralindi (2026-01-01)', 'claimed'],
    ['DEVRALINDI', 'claimed'],
    ['opened', undefined],
    ['openly', undefined],
    ['claimedly', undefined],
    ['done', undefined],
    ['', undefined],
  ])('of %j is %s', (value, state) => {
    expect(stateOf(value)).toBe(state);
  });
});

/** Each form that an open status can have, with the line that it becomes. */
const OPEN_FORMS: readonly (readonly [what: string, text: string, line: string])[] = [
  ['a property', '---\nstatus: open\n---\n# A\n', `status: ${CLAIMED}`],
  ['a property in double quotes', '---\nstatus: "open"\n---\n', `status: "${CLAIMED}"`],
  ['a property in single quotes', "---\nstatus: 'open' \n---\n", `status: '${CLAIMED}' `],
  [
    'a property with a comment',
    '---\nstatus: open  # for anyone\nx: 1\n---\n',
    `status: ${CLAIMED}  # for anyone`,
  ],
  ['a property with another key form', '---\ntype: handoff\nStatus:   Open\n---\n', `Status:   ${CLAIMED}`],
  ['a list in one line', '---\nstatus: [open, urgent]\n---\n', `status: [${CLAIMED}, urgent]`],
  ['a list of one in one line', '---\nstatus: [ open ]\n---\n', `status: [ ${CLAIMED} ]`],
  ['a list in several lines', '---\nstatus:\n  - urgent\n  - open\n---\n', `  - ${CLAIMED}`],
  ['a Turkish property', '---\ndurum: açık\n---\n# A\n', `durum: ${CLAIMED}`],
  ['a Turkish property without its letters', '---\ndurum: acik\n---\n', `durum: ${CLAIMED}`],
  ['CRLF', '---\r\nstatus: open\r\nx: 1\r\n---\r\n# A\r\n', `status: ${CLAIMED}`],
  ['a BOM', '\ufeff---\nstatus: open\n---\nx', `status: ${CLAIMED}`],
  ['a line below the title', '# A\n\nstatus: open\n', `status: ${CLAIMED}`],
  ['a line below a setext title', 'A\n=\n\nstatus: open', `status: ${CLAIMED}`],
  ['a line where there is no title', 'status: open\n\n## What\n', `status: ${CLAIMED}`],
  ['a line among others', '# A\ntags: #x\nstatus:  open \nwho: me\n\n## B\n', `status:  ${CLAIMED} `],
  ['a line with CRLF', '# A\r\n\r\nstatus: open\r\nx\r\n', `status: ${CLAIMED}`],
  ['a list item', '# A\n\n- status: open\n- x\n', `- status: ${CLAIMED}`],
  ['a bold key', '# A\n**Status:** open\n', `**Status:** ${CLAIMED}`],
  ['a bold key, colon outside', '# A\n- **Status**: open\n', `- **Status**: ${CLAIMED}`],
  ['a bold value', '# A\nstatus: **open**\n', `status: **${CLAIMED}**`],
  ['code signs around the value', '# A\nstatus: `open`\n', `status: \`${CLAIMED}\``],
  ['an inline field', '# A\nstatus:: open\n', `status:: ${CLAIMED}`],
  ['an inline field in brackets', '# A\n[status:: open]\n', `[status:: ${CLAIMED}]`],
  ['a block id behind it', '# A\nstatus: open ^s\n', `status: ${CLAIMED} ^s`],
  ['a comment behind it', '# A\nstatus: open <!-- or is it? -->\n', `status: ${CLAIMED} <!-- or is it? -->`],
  ['a Turkish line', '# A\n\nDurum: Açık\n', `Durum: ${CLAIMED}`],
  [
    'a property of another meaning above the line',
    '---\nstatus: draft\n---\n# A\nstatus: open\n',
    `status: ${CLAIMED}`,
  ],
  ['code in the head before it', '# A\n```\nstatus: open\n```\nstatus: open\n', `status: ${CLAIMED}`],
];

const CLOSED_FORMS: readonly (readonly [what: string, text: string, state: string | undefined])[] = [
  ['nothing', '# A\n\ntext\n', undefined],
  ['a claimed property', `---\nstatus: ${CLAIMED}\n---\n`, 'claimed'],
  ['a claimed Turkish property', '---\ndurum: devralındı\n---\n', 'claimed'],
  ['a claimed line', `# A\nstatus: ${CLAIMED}\n`, 'claimed'],
  ['a claimed property above an open line', '---\nstatus: claimed\n---\n# A\nstatus: open\n', 'claimed'],
  ['another status', '---\nstatus: done\n---\n', 'other'],
  ['another status in a line', '# A\nstatus: done\n', 'other'],
  ['an empty status', '---\nstatus:\n---\n', undefined],
  ['a line below the next heading', '# A\n\n## B\n\nstatus: open\n', undefined],
  ['a line above the title', 'status: open\n\n# A\n', undefined],
  ['a line in a fence', '# A\n\n```\nstatus: open\n```\n', undefined],
  ['a line in indented code', '# A\n\n    status: open\n', undefined],
  ['a line in a comment', '# A\n\n<!--\nstatus: open\n-->\n', undefined],
  ['a line in a quote', '# A\n\n> status: open\n', undefined],
  ['a sentence', '# A\n\nThe status: open questions remain.\n', undefined],
  ['a longer key', '# A\n\nmystatus: open\n', undefined],
];

describe('readHandoffStatus()', () => {
  test.each(OPEN_FORMS)('reads as open: %s', (_, text) => {
    expect(readHandoffStatus(scan(text))?.state).toBe('open');
  });

  test.each(CLOSED_FORMS)('does not read as open: %s', (_, text, state) => {
    expect(readHandoffStatus(scan(text))?.state).toBe(state);
  });
});

describe('claimHandoff()', () => {
  test.each(OPEN_FORMS)('changes one line: %s', (_, text, line) => {
    const after = claimHandoff('sessions/a.md', scan(text), CLAIMED);
    const [before, now] = [splitLines(text), splitLines(after.text)];
    const changed = now.filter((one, at) => one !== before[at]);
    expect(now.length).toBe(before.length);
    expect(changed.map((one) => one.replace(/[\r\n]+$/, ''))).toEqual([line]);
    expect(readHandoffStatus(after)).toMatchObject({ state: 'claimed' });
  });

  test.each(CLOSED_FORMS)('refuses %s', (_, text, state) => {
    const code = state === undefined ? 'invalid_input' : 'conflict';
    expect(() => claimHandoff('sessions/a.md', scan(text), CLAIMED)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test('refuses a note outside of sessions/, and properties that cannot be read', () => {
    const claim = (path: string, text: string) => () => claimHandoff(path, scan(text), CLAIMED);
    expect(claim('daily/a.md', '---\nstatus: open\n---\n')).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    );
    expect(claim('sessions/a.md', '---\nstatus: open\nx: [\n---\n')).toThrow(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('cannot be read') }),
    );
  });
});

test('claimHandoff() tells no more than the beginning of a status that it found', () => {
  const text = `---\nstatus: claimed ${'by me '.repeat(100)}\n---\n`;
  expect(() => claimHandoff('sessions/a.md', scan(text), CLAIMED)).toThrow(/^.{0,120}$/);
});

describe('projectOf() and whereItStopped()', () => {
  test.each([
    ['---\nproject: "[[agent-memory]]"\n---\n', 'agent-memory'],
    ['---\nproject: ["[[a|A]]", b]\n---\n', 'A, b'],
    ['# T\nproject: [[x]]\n', 'x'],
    ['# T\n', ''],
  ])('the project of %j is %j', (text, project) => {
    expect(projectOf(scan(text))).toBe(project);
  });

  test.each([
    ['# T\nstatus: open\n\n## Where we stopped\n\na\n\nb\nc\nd\n\n## Next\n', ['a', 'b', 'c']],
    ['# T\nstatus: open\n\n## Nerede kaldık\nburada\n', ['burada']],
    ['# T\nstatus: open\n\nThe rows are left.\n\n## Next\nx\n', ['The rows are left.']],
    ['# T\nstatus: open\n\n## Goal\n\nRead it all.\n', ['Read it all.']],
    ['# T\n\n## Where we stopped\n\n## Next\nx\n', []],
    ['# T\nstatus: open\n', []],
  ])('of %j', (text, lines) => {
    expect(whereItStopped(scan(text), 3)).toEqual(lines);
  });
});

const HANDOFFS = {
  'sessions/2026-01-03 b.md':
    '---\nstatus: open\ntags: [x]\nproject: P\n---\n# B\n\n## Where we stopped\n\nHalf-way.\n',
  'sessions/2026-01-05 a.md': '# A\n\nstatus: open\ntags: #x/y\n',
  'sessions/deep/2026-01-04 c.md': '---\ndurum: açık\n---\n# C\n',
  'sessions/2026-01-06 d.md': `# D\nstatus: ${CLAIMED}\n`,
  'sessions/2026-01-03 b (conflicted copy 2026-01-04).md': '---\nstatus: open\n---\n',
  'sessions/log.md': '# Log\n\nNothing to take.\n',
  'tasks/2026-01-07 e.md': '---\nstatus: open\n---\n',
};

describe('open()', () => {
  test('lists what is unclaimed in sessions/, newest first', async () => {
    const { memory } = await memoryOf(HANDOFFS);
    const { handoffs, total } = await memory.open({});
    expect(handoffs.map(({ title }) => title)).toEqual(['A', 'C', 'B']);
    expect(total).toBe(3);
    expect(handoffs[2]).toMatchObject({
      path: 'sessions/2026-01-03 b.md',
      project: 'P',
      stopped: 'Half-way.',
    });
    expect(handoffs[2]!.ageMs).toBeGreaterThan(0);
  });

  test.each([
    [{ tag: 'x' }, ['A', 'B']],
    [{ tag: '#x/y' }, ['A']],
    [{ folder: 'deep' }, ['C']],
    [{ folder: 'sessions/deep/' }, ['C']],
    [{ folder: 'sessions' }, ['A', 'C', 'B']],
    [{ folder: 'none' }, []],
    [{ limit: 1 }, ['A']],
  ])('with %j', async (input, titles) => {
    const { memory } = await memoryOf(HANDOFFS);
    const { handoffs } = await memory.open(input);
    expect(handoffs.map(({ title }) => title)).toEqual(titles);
  });

  test('says that the filters leave nothing', async () => {
    const { memory } = await memoryOf(HANDOFFS);
    const said: string[] = [];
    await memory.open({ tag: 'none' }, { notice: (text) => said.push(text) });
    expect(said).toEqual(['3 open in all; none passes the filters']);
  });

  test('cuts a long account of where it stopped between words', async () => {
    const { memory } = await memoryOf({
      'sessions/a.md': `---\nstatus: open\n---\n# A\n\n${'word '.repeat(200)}\n`,
    });
    const { handoffs } = await memory.open({});
    expect(handoffs[0]!.stopped).toMatch(/^(word )+word…$/);
    expect(handoffs[0]!.stopped.length).toBeLessThan(330);
  });
});

describe('claim()', () => {
  test('takes a handoff, by any name of it, and undo gives it back', async () => {
    const { memory, vault } = await memoryOf(HANDOFFS);
    const claimed = await memory.claim({ note: 'B' });
    expect(claimed).toMatchObject({ path: 'sessions/2026-01-03 b.md', title: 'B' });
    expect(claimed.status).toMatch(/^claimed \(\d{4}-\d\d-\d\d \d\d:\d\d\)$/);
    expect(readFileSync(vault.path(claimed.path), 'utf8')).toContain(`status: ${claimed.status}\n`);
    expect((await memory.open({})).total).toBe(2);
    await memory.undo({});
    expect((await memory.open({})).total).toBe(3);
    expect(readFileSync(vault.path(claimed.path), 'utf8')).toBe(HANDOFFS['sessions/2026-01-03 b.md']);
  });

  test('tells who comes too late when it was taken, and by whom', async () => {
    const { memory } = await memoryOf(HANDOFFS);
    const { status } = await memory.claim({ note: 'B', by: 'Mira\nVogt' });
    await expect(memory.claim({ note: 'B' })).rejects.toMatchObject({
      code: 'conflict',
      message: `"sessions/2026-01-03 b.md" was taken by somebody else: ${status}, by Mira Vogt`,
      details: { status, by: 'Mira Vogt' },
    });
    await expect(memory.claim({ note: 'D' })).rejects.toMatchObject({
      code: 'conflict',
      message: `"sessions/2026-01-06 d.md" was taken by somebody else: ${CLAIMED}`,
    });
  });

  test('with next takes one after the other, until none is left', async () => {
    const { memory } = await memoryOf(HANDOFFS);
    const taken = [];
    for (let i = 0; i < 3; i += 1) taken.push((await memory.claim({ next: true })).title);
    expect(taken).toEqual(['A', 'C', 'B']);
    await expect(memory.claim({ next: true })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('with next and a filter takes one of those', async () => {
    const { memory } = await memoryOf(HANDOFFS);
    expect((await memory.claim({ next: true, folder: 'deep' })).title).toBe('C');
    await expect(memory.claim({ next: true, folder: 'deep' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('with next passes over one that cannot be written', async () => {
    const { memory } = await memoryOf({
      ...HANDOFFS,
      'sessions/2026-02-01 z.md': '---\nstatus: open\nx: [\n---\n',
    });
    expect((await memory.open({ limit: 1 })).handoffs[0]!.path).toBe('sessions/2026-02-01 z.md');
    expect((await memory.claim({ next: true })).title).toBe('A');
  });

  test('shows what it would do', async () => {
    const { memory, vault } = await memoryOf(HANDOFFS);
    const { diff, id } = await memory.claim({ note: 'B', dryRun: true });
    expect(id).toBe('');
    expect(diff).toMatch(/^-status: open\n\+status: claimed \(/m);
    expect(readFileSync(vault.path('sessions/2026-01-03 b.md'), 'utf8')).toContain('status: open');
  });

  test.each([{}, { note: 'B', next: true }, { note: 'B', tag: 'x' }])('refuses %j', async (input) => {
    const { memory } = await memoryOf(HANDOFFS);
    await expect(memory.claim(input)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

const PROCESSES = 8;
const ROUNDS = process.env['CHECK_ALL'] ? 200 : 25;

type Claimant = {
  readonly claim: (input: object) => Promise<{
    readonly result?: { readonly path: string };
    readonly error?: { readonly message: string; readonly data: { readonly code: string } };
  }>;
};

/** A process of its own that claims when told to. */
function startClaimant(vault: string): Claimant {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [bin, 'rpc', '--vault', vault], {
    env: quietEnvironment(),
  });
  onTestFinished(() => void child.kill());
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    claim: async (params) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'claim', params })}\n`);
      return JSON.parse((await answers.next()).value);
    },
  };
}

const escaped = (text: string): string => text.replace(/[()]/g, '\\$&');

test(`${PROCESSES} processes that claim ${ROUNDS} handoffs, all at once: one wins each`, {
  timeout: 600_000,
}, async () => {
  const paths = Array.from({ length: ROUNDS }, (_, i) => `sessions/round ${i}.md`);
  const vault = makeTempVault(
    Object.fromEntries(paths.map((path) => [path, `# ${path}\n\nstatus: open\n\nx\n`])),
  );
  const claimants = Array.from({ length: PROCESSES }, () => startClaimant(vault.root));
  for (const path of paths) {
    const answers = await Promise.all(
      claimants.map(({ claim }, i) => claim({ note: path, by: `process ${i}` })),
    );
    const winner = answers.findIndex(({ result }) => result?.path === path);
    const losers = answers.filter((_, i) => i !== winner).map(({ error }) => error);
    const refusal = `"${path}" was taken by somebody else: claimed (`;
    const told = new RegExp(`^${escaped(refusal)}.*\\), by process ${winner}$`);
    expect(losers).toEqual(
      losers.map(() => ({
        code: -32009,
        message: expect.stringMatching(told),
        data: expect.objectContaining({ code: 'conflict' }),
      })),
    );
    expect(readFileSync(vault.path(path), 'utf8')).toMatch(
      new RegExp(`^# ${path}\n\nstatus: claimed \\(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\)\n\nx\n$`),
    );
  }
  // Without a name too each is taken once.
  const more = Array.from({ length: PROCESSES }, (_, i) => `sessions/more ${i}.md`);
  vault.write(Object.fromEntries(more.map((path) => [path, '---\nstatus: open\n---\n'])));
  const taken = await Promise.all(claimants.map(({ claim }) => claim({ next: true })));
  expect(taken.map(({ result }) => result?.path).sort()).toEqual(more.sort());
});
