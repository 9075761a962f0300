import { describe, expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import { cutPassages, type Passage } from '../../src/core/note/passages.js';
import { NO_VAULTS, notePaths, readNotes, sharedVault, sharedVaults } from '../shared-vaults.js';

const cut = (text: string) => {
  const note = scan(text);
  return cutPassages(note).map((passage) => ({ ...passage, text: text.slice(passage.start, passage.end) }));
};

const sentence = (words: number) => `${'word '.repeat(words).trim()}.`;

/** Characters of the body that are not blank and lie in no passage, or in two. */
function uncovered(text: string, passages: readonly Passage[], bodyStart: number): string {
  let rest = '';
  let at = bodyStart;
  for (const passage of passages) {
    expect(passage.start).toBeGreaterThanOrEqual(at);
    rest += text.slice(at, passage.start);
    at = passage.end;
  }
  return (rest + text.slice(at)).trim();
}

describe('cutPassages()', () => {
  test('a note without text has none', () => {
    expect(cut('')).toEqual([]);
    expect(cut('---\ntitle: x\n---\n\n  \n')).toEqual([]);
  });

  test('a short note is one passage under its first heading', () => {
    const [passage, ...rest] = cut('# Title\n\nOne line.\n');
    expect(rest).toEqual([]);
    expect(passage).toMatchObject({
      line: 1,
      endLine: 3,
      headings: ['Title'],
      level: 1,
      text: '# Title\n\nOne line.',
    });
  });

  test('small sibling sections are merged, and all their headings kept', () => {
    const passages = cut('# A\n\n## One\n\nshort\n\n## Two\n\nshort\n\n## Three\n\nshort\n');
    expect(passages).toHaveLength(1);
    expect(passages[0]).toMatchObject({ headings: ['A'], allHeadings: ['A', 'One', 'Two', 'Three'] });
  });

  test('a section begins a passage once the one before is long enough', () => {
    const passages = cut(`# A\n\n${sentence(150)}\n\n## B\n\n${sentence(150)}\n\n## C\n\n${sentence(150)}\n`);
    expect(passages.map(({ headings }) => headings)).toEqual([['A'], ['A', 'B'], ['A', 'C']]);
  });

  test('a section that stands higher than the first is not merged into it', () => {
    const passages = cut(`## Deep\n\n${sentence(90)}\n\n# B\n\n${sentence(90)}\n`);
    expect(passages.map(({ headings }) => headings)).toEqual([['Deep'], ['B']]);
  });

  test('a heading is never parted from what it heads', () => {
    for (const passage of cut(`# A\n\n${sentence(390)}\n\n## B\n\n${sentence(395)}\n\nmore\n`)) {
      expect(passage.text.trim()).not.toMatch(/^#+ \w+$/);
      expect(passage.text).not.toMatch(/\n## B$/);
    }
  });

  test('long paragraphs are cut at sentences', () => {
    const passages = cut(Array.from({ length: 60 }, () => sentence(12)).join(' '));
    expect(passages.length).toBeGreaterThan(1);
    for (const { text } of passages.slice(0, -1)) {
      expect(text.length).toBeLessThanOrEqual(2_000);
      expect(text).toMatch(/\.$/);
    }
  });

  test('a line without spaces is cut between characters, never inside a pair', () => {
    const passages = cut('🧠'.repeat(3_000));
    expect(passages.length).toBeGreaterThan(1);
    for (const { text } of passages) expect(text.isWellFormed()).toBe(true);
  });

  test('a fence below 8,000 characters is never cut', () => {
    const fence = `\`\`\`ts\n${'const a = 1;\n'.repeat(500)}\`\`\``;
    const passages = cut(`# A\n\nBefore.\n\n${fence}\n\nAfter.\n`);
    expect(passages.filter(({ text }) => text.includes(fence))).toHaveLength(1);
  });

  test('a fence above 8,000 characters is cut at lines', () => {
    const fence = `\`\`\`ts\n${'const a = 1;\n'.repeat(1_000)}\`\`\``;
    const passages = cut(fence);
    expect(passages.length).toBeGreaterThan(3);
    for (const { text } of passages.slice(1, -1)) expect(text).toMatch(/^const a = 1;[\s\S]*const a = 1;$/);
  });

  test('lines and offsets say the same', () => {
    const text = `# A\r\n\r\n${sentence(300)}\r\n\r\n## B\r\n\r\n${sentence(300)}\r\n`;
    for (const { start, line, endLine, end } of cut(text)) {
      expect(text.slice(0, start).split('\n')).toHaveLength(line);
      expect(text.slice(0, end).split('\n')).toHaveLength(endLine);
    }
  });

  const vaults = sharedVaults();
  test.skipIf(vaults.length === 0)(
    vaults.length === 0 ? NO_VAULTS : 'no line of a real note is lost, and sizes hold',
    () => {
      let passages = 0;
      for (const name of vaults) {
        const folder = sharedVault(name);
        const paths = notePaths(folder);
        const step = process.env['CHECK_ALL'] ? 1 : Math.ceil(paths.length / 300);
        for (const { path, text } of readNotes(
          folder,
          paths.filter((_, at) => at % step === 0),
        )) {
          const note = scan(text);
          const found = cutPassages(note);
          expect(uncovered(text, found, note.bodyStart), `${name}/${path}`).toBe('');
          for (const { start, end } of found)
            expect(end - start, `${name}/${path}`).toBeLessThanOrEqual(10_000);
          passages += found.length;
        }
      }
      expect(passages).toBeGreaterThan(1_000);
    },
  );
});
