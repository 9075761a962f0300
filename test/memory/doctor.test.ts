import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FindingKind } from '../../src/core/memory/finding-kinds.js';
import { skippedFindings } from '../../src/core/memory/findings.js';
import type { DoctorOutput, FindingItem } from '../../src/core/memory/index-types.js';
import { memoryOf } from './memory-of.js';

type Notes = Readonly<Record<string, string | Uint8Array>>;

async function examine(files: Notes, note?: string): Promise<DoctorOutput> {
  const { memory } = await memoryOf(files);
  return memory.doctor({ note });
}

function itemsOf(output: DoctorOutput, kind: FindingKind): readonly FindingItem[] {
  return output.findings.find((group) => group.kind === kind)?.items ?? [];
}

const COPY_OF_A = '# A\n\none\n\ntwo\n\nthree\n';
const MARKERS = 'before\n<<<<<<< ours\nmine\n=======\ntheirs\n>>>>>>> theirs\n';

/** One row a finding: kind, files, then path, line, message and fix of what is found. */
const CASES: readonly (readonly [
  FindingKind,
  string,
  Notes,
  readonly (readonly [string, number, string, string])[],
])[] = [
  [
    'encoding',
    'bytes that are not UTF-8',
    { 'a.md': Uint8Array.of(0x61, 0xff, 0x62) },
    [
      [
        'a.md',
        1,
        'holds bytes that are not UTF-8',
        'Save the note as UTF-8; until then it is searched and never written to.',
      ],
    ],
  ],
  [
    'encoding',
    'NUL characters',
    { 'a.md': 'a\0b' },
    [
      [
        'a.md',
        1,
        'holds NUL characters',
        'Take them out in an editor; until then the note is searched and never written to.',
      ],
    ],
  ],
  [
    'conflict-markers',
    'markers of git',
    { 'a.md': MARKERS },
    [
      [
        'a.md',
        2,
        'holds conflict markers of git',
        'Choose a side and take out the lines <<<<<<<, ======= and >>>>>>>.',
      ],
    ],
  ],
  [
    'properties',
    'a key that stands twice',
    { 'a.md': '---\na: 1\nb: 2\na: 3\n---\n' },
    [
      [
        'a.md',
        4,
        'the key "a" is written twice',
        'Keep one of the two lines, or make one list of their values.',
      ],
    ],
  ],
  [
    'properties',
    'template code',
    { 'templates/a.md': '---\nday: {{date}}\n---\n' },
    [
      [
        'templates/a.md',
        2,
        'template code stands where a value should be',
        'If the note is a template, write "templates/" into .memoryignore; else quote the value.',
      ],
    ],
  ],
  [
    'properties',
    'broken YAML',
    { 'a.md': '---\na: "1\nb: 2\n---\n' },
    [
      [
        'a.md',
        expect.any(Number) as number,
        expect.any(String) as string,
        'Mend that line of the property block; what else can be read of it is read.',
      ],
    ],
  ],
  [
    'conflict-copy',
    'of a sync program, by its name',
    { 'A.md': '', 'A (conflicted copy 2026-01-31).md': '', 'B.sync-conflict-20260131-090000-ABCDEFG.md': '' },
    [
      [
        'A (conflicted copy 2026-01-31).md',
        0,
        'looks like a copy of A.md that a sync program made',
        'Take over what the note lacks, and delete the copy: diff A.md "A (conflicted copy 2026-01-31).md"',
      ],
      [
        'B.sync-conflict-20260131-090000-ABCDEFG.md',
        0,
        'looks like a copy of B.md that a sync program made',
        'The note itself is gone; if this is what is left of it: mv B.sync-conflict-20260131-090000-ABCDEFG.md B.md',
      ],
    ],
  ],
  [
    'conflict-copy',
    'with a number, by its text',
    { 'A.md': COPY_OF_A, 'A 2.md': COPY_OF_A, 'A 3.md': 'of its own' },
    [
      [
        'A 2.md',
        0,
        'looks like a copy of A.md that a sync program made',
        'Take over what the note lacks, and delete the copy: diff A.md "A 2.md"',
      ],
    ],
  ],
  [
    'twins',
    'in case and accents',
    { 'Caf\u00e9.md': '1', 'cafe\u0301.md': '2' },
    [
      [
        'Caf\u00e9.md',
        0,
        'differs only in case, or in the form of accents, from cafe\u0301.md',
        'Rename one: a disk without regard to case keeps only one of them.',
      ],
      [
        'cafe\u0301.md',
        0,
        'differs only in case, or in the form of accents, from Caf\u00e9.md',
        'Rename one: a disk without regard to case keeps only one of them.',
      ],
    ].sort(([a], [b]) => (a! < b! ? -1 : 1)) as [string, number, string, string][],
  ],
  [
    'duplicate-block',
    'in one note',
    { 'a.md': 'one ^x\n\ntwo ^X\n' },
    [['a.md', 3, '^X stands also in line 1', 'Give one of the two another id, and look at the links to it.']],
  ],
  [
    'duplicate-block',
    'of a fact, in two notes',
    {
      'a.md': '- one ^f-1mtan4c7x2m4\n',
      'b.md': '\n- two ^f-1mtan4c7x2m4\n',
      'c.md': '- other ^x\n',
      'd.md': '- other ^x\n',
    },
    [
      [
        'a.md',
        1,
        '^f-1mtan4c7x2m4 stands also in b.md:2',
        'Keep the line in one note; take it out of the other, or its id.',
      ],
      [
        'b.md',
        2,
        '^f-1mtan4c7x2m4 stands also in a.md:1',
        'Keep the line in one note; take it out of the other, or its id.',
      ],
    ],
  ],
  [
    'broken-link',
    'to a note that never was',
    { 'a.md': 'one\n\n[[Nowhere]] ![[x.png]] [[a]]' },
    [['a.md', 3, 'leads to "Nowhere", which is not there', 'Make that note, or change the link.']],
  ],
  [
    'broken-link',
    'to a note that was moved',
    { 'a.md': '[[old/Plan#Goals]] ![[./Plan]] [so](old/Plan.md)', 'new place/Plan.md': '' },
    [
      [
        'a.md',
        1,
        'leads to "old/Plan", which is not there',
        'Is new place/Plan.md meant? Then write [[new place/Plan#Goals|old/Plan]]',
      ],
      [
        'a.md',
        1,
        'leads to "./Plan", which is not there',
        'Is new place/Plan.md meant? Then write ![[new place/Plan]]',
      ],
      [
        'a.md',
        1,
        'leads to "old/Plan.md", which is not there',
        'Is new place/Plan.md meant? Then write [so](new%20place/Plan.md)',
      ],
    ],
  ],
  [
    'missing-part',
    'headings',
    {
      'a.md':
        '# A\n\n[[#A]] [[#B]] [[n#Gaols|so]] [x](d/n.md#gaols) [[n#Goals#Why]]\n\n[[n]] [[none#x]] [[x.pdf#page=2]]',
      'd/n.md': '# N\n\n## Why\n\n## Goals and aims\n\n### How\n',
      'd/m.md': '[[n#Aims]] [[a#x]] ![[e#x]] [r][r]\n\n[r]: n.md#goals-and-iams\n',
      'e.md': '',
    },
    [
      ['a.md', 3, '"#B" names no heading of this note', 'Name one of those that are there: A'],
      [
        'a.md',
        3,
        '"n#Gaols" names no heading of d/n.md',
        'Name one of those that are there: N, Why, Goals and aims, How',
      ],
      [
        'a.md',
        3,
        '"d/n.md#gaols" names no heading of d/n.md',
        'Name one of those that are there: N, Why, Goals and aims, How',
      ],
      [
        'a.md',
        3,
        '"n#Goals#Why" names no heading of d/n.md',
        'Is "Why" in line 3 meant? Then write [[n#Why]]',
      ],
      [
        'd/m.md',
        1,
        '"n#Aims" names no heading of d/n.md',
        'Name one of those that are there: N, Why, Goals and aims, How',
      ],
      ['d/m.md', 1, '"a#x" names no heading of a.md', 'Name one of those that are there: A'],
      [
        'd/m.md',
        1,
        '"e#x" names no heading of e.md',
        'The note has no headings; make one, or change the link.',
      ],
      [
        'd/m.md',
        1,
        '"n.md#goals-and-iams" names no heading of d/n.md',
        'Is "Goals and aims" in line 5 meant? Then write [r](n.md#goals-and-aims)',
      ],
    ],
  ],
  [
    'missing-part',
    'blocks, and what lacks only a space',
    {
      'a.md': '[[n#^done]] [[n#^dane]] [[n#^other]] [[n#^x1]] [[n#Core]]',
      'n.md': 'Done. ^done\n\nText.^x1\n\n##Core\n',
    },
    [
      ['a.md', 1, '"n#^dane" names no block of n.md', 'Is ^done meant? Then write [[n#^done]]'],
      [
        'a.md',
        1,
        '"n#^other" names no block of n.md',
        'Put ^other behind the block that is meant, or take #^other out of the link.',
      ],
      ['a.md', 1, '"n#^x1" names no block of n.md', 'Put a space before the "^x1" in n.md:3'],
      ['a.md', 1, '"n#Core" names no heading of n.md', 'Put a space behind the "##" in n.md:5'],
    ],
  ],
  [
    'broken-link',
    'to a note of nearly that name',
    { 'a.md': '[[lazy model]] [[C++]]', 'Lazy-Model.md': '', 'C#.md': '' },
    [
      [
        'a.md',
        1,
        'leads to "lazy model", which is not there',
        'Is Lazy-Model.md meant? Then write [[Lazy-Model|lazy model]]',
      ],
      ['a.md', 1, 'leads to "C++", which is not there', 'Make that note, or change the link.'],
    ],
  ],
  [
    'ambiguous-link',
    'to one of two paths',
    { 'a.md': '[[N|so]]', 'x/N.md': '', 'y/N.md': '' },
    [['a.md', 1, '"N" leads to x/N.md, but could mean y/N.md', 'Write [[x/N|so]]']],
  ],
  [
    'ambiguous-link',
    'by an alias of two notes',
    { 'a.md': '[[N]]', 'x.md': '---\naliases: N\n---', 'y.md': '---\naliases: N\n---' },
    [['a.md', 1, '"N" is a name of x.md, y.md', 'Write which is meant, such as [[x|N]]']],
  ],
  [
    'inferred-link',
    'by an alias',
    { 'a.md': '[[N]]', 'x.md': '---\naliases: N\n---' },
    [['a.md', 1, '"N" is the alias of x.md; Obsidian leaves it unresolved', 'Write [[x|N]]']],
  ],
  [
    'settings',
    'of Obsidian that are no JSON',
    { 'a.md': '', '.obsidian/app.json': '{' },
    [
      [
        '.obsidian/app.json',
        0,
        'is not valid JSON; its excluded files are not known',
        'Set them anew in Obsidian: Settings, Files and links, Excluded files.',
      ],
    ],
  ],
  [
    'ignored',
    'by a pattern and a dot',
    { 'a.md': '', 'drafts/b.md': '', '.trash/c.md': '', '.memoryignore': 'drafts/\n' },
    [
      [
        '.trash/c.md',
        0,
        'its name or folder begins with a dot',
        'Nothing, if that is meant; else change the rule, or move the note.',
      ],
      [
        'drafts/b.md',
        0,
        'a pattern in .memoryignore',
        'Nothing, if that is meant; else change the rule, or move the note.',
      ],
    ],
  ],
];

describe('doctor()', () => {
  test.each(CASES)('finds %s: %s', async (kind, _, files, expected) => {
    const output = await examine(files);
    const items = itemsOf(output, kind);
    expect(items.map(({ path, line, message, fix }) => [path, line, message, fix])).toEqual(expected);
  });

  test('finds nothing in a vault where all is well', async () => {
    const output = await examine({
      'a.md': '# A\n\n[[b]] ^one\n',
      'b.md': '---\ntags: [x]\n---\n[[a#^one]]',
    });
    expect(output.findings).toEqual([]);
    expect(output.notes).toBe(2);
    expect(output.index.lastCheck).toMatch(/^\d{4}-/);
  });

  test('finds what is skipped', async () => {
    const { memory, vault } = await memoryOf({ 'a.md': '' });
    symlinkSync('nowhere.md', vault.path('broken link.md'));
    symlinkSync('a.md', vault.path('same.md'));
    expect(itemsOf(await memory.doctor({}), 'skipped')).toEqual([
      {
        path: 'broken link.md',
        line: 0,
        message: 'link that leads nowhere',
        fix: 'In the vault: rm "broken link.md"',
      },
      {
        path: 'same.md',
        line: 0,
        message: 'link to "a.md", which is read in its own place',
        fix: 'Nothing, if that is meant; else replace the link by a copy.',
      },
    ]);
  });

  test('puts the kinds in order, and cuts each list at the limit', async () => {
    const { memory } = await memoryOf({ 'b.md': '[[1]] [[2]]\n\n[[3]]', 'a.md': '[[4]]\n\n\0' });
    const { findings } = await memory.doctor({ limit: 2 });
    expect(
      findings.map(({ kind, total, items }) => [
        kind,
        total,
        items.map(({ path, line }) => `${path}:${line}`),
      ]),
    ).toEqual([
      ['encoding', 1, ['a.md:1']],
      ['broken-link', 4, ['a.md:1', 'b.md:1']],
    ]);
  });

  test('looks at one note, named like any', async () => {
    const files = { 'b.md': '---\ntitle: The note\n---\n[[1]]', 'a.md': '[[2]]', 'B.md': '' };
    const output = await examine(files, 'The note');
    expect(output.findings.map(({ kind, items }) => [kind, items.map(({ path }) => path)])).toEqual([
      ['twins', ['b.md']],
      ['broken-link', ['b.md']],
    ]);
  });

  test('looks at a file that is no note here, and knows what is none at all', async () => {
    const { memory, vault } = await memoryOf({ 'a.md': '', 'drafts/b.md': '', '.memoryignore': 'drafts/\n' });
    symlinkSync('nowhere', vault.path('c.md'));
    expect((await memory.doctor({ note: 'drafts/b.md' })).findings.map(({ kind }) => kind)).toEqual([
      'ignored',
    ]);
    expect((await memory.doctor({ note: 'c.md' })).findings.map(({ kind }) => kind)).toEqual(['skipped']);
    await expect(memory.doctor({ note: 'd.md' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('skippedFindings()', () => {
  test.each([
    ['a.md', 'cannot be read: permission denied', 'In the vault: chmod u+r a.md'],
    ["it's.md", 'cannot be read: permission denied', 'In the vault: chmod u+r "it\'s.md"'],
    ['$a "b".md', 'cannot be read: permission denied', `In the vault: chmod u+r '$a "b".md'`],
    ['my folder/', 'folder cannot be read: permission denied', 'In the vault: chmod u+rx "my folder/"'],
    [
      'a.md',
      'cannot be read: the disk does not answer',
      'Look at the file and its disk, then: memory reindex',
    ],
    ['a\uFFFD.md', 'its name is not valid UTF-8', 'Rename the file; its name has to be UTF-8.'],
    ['a.md', 'link that leads in a circle', 'In the vault: rm a.md'],
    [
      'a.md',
      'link that leads outside the vault',
      'Put the notes themselves into the vault: links out of it are not followed.',
    ],
    ['a.md', 'not a regular file but a pipe', 'Replace it by a regular file, or name it in .memoryignore.'],
  ])('for %s: %s, names what mends it', (path, reason, fix) => {
    expect(skippedFindings([{ path, reason }])).toEqual([
      { kind: 'skipped', path, line: 0, message: reason, fix },
    ]);
  });
});
