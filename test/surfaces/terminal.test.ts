/** What text becomes on its way to a terminal: cleaned, coloured, linked, laid out. */

import { describe, expect, test } from 'vitest';
import { cleanDeep, cleanText, safeJson } from '../../src/operations/clean-text.js';
import { plainPage } from '../../src/operations/plain-page.js';
import { search } from '../../src/operations/search.js';
import {
  age,
  byteSize,
  count,
  displayWidth,
  grouped,
  localMinute,
  oneLine,
} from '../../src/operations/wording.js';
import type { Outlet } from '../../src/surfaces/cli/host.js';
import { progressLine } from '../../src/surfaces/cli/progress-line.js';
import { terminalPage } from '../../src/surfaces/cli/terminal-page.js';

const ESCAPE = '\u001b';

describe('cleanText()', () => {
  test.each([
    ['plain text, ünïcode, 漢字, 🙂', 'plain text, ünïcode, 漢字, 🙂'],
    ['a\tb\nc', 'a\tb\nc'],
    [`${ESCAPE}[31mred${ESCAPE}[0m`, '[31mred[0m'],
    [`${ESCAPE}]8;;https://evil.example${ESCAPE}\\x`, ']8;;https://evil.example\\x'],
    ['a\u009b31mb', 'a31mb'],
    ['a\rb', 'ab'],
    ['a\r\nb', 'a\r\nb'],
    ['a\u0000\u0007\u0008b\u007f', 'ab'],
    ['user\u202egnp.exe', 'usergnp.exe'],
    ['\u2066a\u2069', 'a'],
    ['שלום\u200f \u200eabc', 'שלום\u200f \u200eabc'],
    ['👩\u200d👩\u200d👧', '👩\u200d👩\u200d👧'],
  ])('%j becomes %j', (text, cleaned) => {
    expect(cleanText(text)).toBe(cleaned);
  });

  test('reaches every text of a reply', () => {
    const reply = { hits: [{ path: 'a\u001b', headings: ['\u202eb'], line: 1 }], none: null };
    expect(cleanDeep(reply)).toEqual({ hits: [{ path: 'a', headings: ['b'], line: 1 }], none: null });
  });
});

test('safeJson() loses nothing and shows nothing harmful', () => {
  const value = { text: 'a\u001b\u009b\u202e\u2066\n\t"\u007f漢' };
  const json = safeJson(value);
  expect(json).toBe('{"text":"a\\u001b\\u009b\\u202e\\u2066\\n\\t\\"\\u007f漢"}');
  expect(JSON.parse(json)).toEqual(value);
  expect(JSON.parse(safeJson(value, 2))).toEqual(value);
  expect(safeJson({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
});

describe('wording', () => {
  test('localMinute() gives a moment by the clock of this machine, and leaves a day as it is', () => {
    expect(localMinute(new Date(2026, 0, 31, 9, 5).toISOString())).toBe('2026-01-31 09:05');
    expect(localMinute('2026-01-31')).toBe('2026-01-31');
    expect(localMinute('2026')).toBe('2026');
  });

  test.each([
    [0, 'just now'],
    [999, 'just now'],
    [1_000, '1 s ago'],
    [59_999, '59 s ago'],
    [60_000, '1 min ago'],
    [7_200_000, '2 h ago'],
    [90_000_000, '1 d ago'],
  ])('age(%d) is %j', (ms, text) => {
    expect(age(ms)).toBe(text);
  });

  test.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_000, '1.0 kB'],
    [999_949, '999.9 kB'],
    [999_960, '1.0 MB'],
    [12_345_678_901, '12.3 GB'],
  ])('byteSize(%d) is %j', (bytes, text) => {
    expect(byteSize(bytes)).toBe(text);
  });

  test('count() and grouped() write numbers as people read them', () => {
    expect([count(1, 'note'), count(0, 'note'), count(1234, 'note')]).toEqual([
      '1 note',
      '0 notes',
      '1,234 notes',
    ]);
    expect([0, 12, 123, 1_234, 1_234_567].map(grouped)).toEqual(['0', '12', '123', '1,234', '1,234,567']);
  });

  test('oneLine() folds every kind of white space', () => {
    expect(oneLine(' a\n b\t\u2028c\u00a0d ')).toBe('a b c d');
  });

  test.each([
    ['abc', 3],
    ['漢字', 4],
    ['e\u0301', 1],
    ['🙂', 2],
    ['한국어', 6],
    ['ｱ', 1],
    ['שלום', 4],
  ])('displayWidth(%j) is %d', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

const reply = {
  hits: [
    {
      path: 'decisions/lazy-model.md',
      line: 12,
      title: 'Lazy model',
      headings: ['Lazy model', 'Why'],
      snippet: 'The models are opened only\nwhen words are not enough …',
      score: 3,
      date: '2026-01-14',
      uri: 'obsidian://open?vault=v&file=decisions%2Flazy-model.md',
    },
    {
      path: '研究/模型.md',
      line: 1,
      title: '模型',
      headings: [],
      snippet: '',
      score: 2,
      date: '2025-12-02',
      uri: 'obsidian://open?vault=v&file=x y\u00e9',
    },
  ],
  checkedMsAgo: 4_000,
  notes: 1_024,
  dropped: [{ text: 'the', reason: 'stop word' }],
  streams: ['words', 'meaning'],
  band: 'high',
  reason: '',
  hint: '',
  gate: '',
};

const look = { columns: 60, elapsedMs: 8.6, colours: true, links: true, wanted: 'Model' };

describe('search text', () => {
  test('is plain in a pipe', () => {
    expect(search.toText(reply, plainPage)).toBe(
      [
        '1  decisions/lazy-model.md:12   Lazy model › Why   2026-01-14',
        '   The models are opened only when words are not enough …',
        '2  研究/模型.md:1   模型   2025-12-02',
        '2 hits in 1,024 notes · words + meaning · left out the · checked 4 s ago',
      ].join('\n'),
    );
  });

  test('puts dates at the right edge where there are columns', () => {
    const page = terminalPage({ ...look, columns: 80, colours: false, links: false });
    const lines = search.toText(reply, page).split('\n');
    expect(lines[0]).toHaveLength(80);
    expect(displayWidth(lines[2]!)).toBe(80);
    expect(lines[3]).toContain(' · 9 ms · ');
  });

  test('colours paths and found words, and links the path', () => {
    const [first, second, third] = search.toText(reply, terminalPage(look)).split('\n');
    const path = `${ESCAPE}[36mdecisions/lazy-model.md:12${ESCAPE}[0m`;
    const uri = reply.hits[0]!.uri;
    expect(first).toContain(`${ESCAPE}]8;;${uri}${ESCAPE}\\${path}${ESCAPE}]8;;${ESCAPE}\\`);
    expect(first).toContain(`Lazy ${ESCAPE}[1mmodel${ESCAPE}[0m › Why`);
    expect(second).toContain(`The ${ESCAPE}[1mmodels${ESCAPE}[0m are opened`);
    expect(third).toContain('file=x%20y%C3%A9');
  });

  test('has links without colours where NO_COLOR asks for that', () => {
    const text = search.toText(reply, terminalPage({ ...look, colours: false }));
    expect(text).toContain(`${ESCAPE}]8;;`);
    expect(text).not.toContain(`${ESCAPE}[`);
  });

  test.each([
    ['cafe', 'Café', true],
    ['opening', 'opened', true],
    ['cats', 'cat', true],
    ['cat', 'category', false],
    ['is', 'issue', false],
    ['C++ naïve', 'naive', true],
  ])('%j makes %j visible: %j', (wanted, word, isVisible) => {
    const page = terminalPage({ ...look, wanted });
    expect(page.found(word)).toBe(isVisible ? `${ESCAPE}[1m${word}${ESCAPE}[0m` : word);
  });

  test('makes a word visible inside a run of a script without spaces', () => {
    const page = terminalPage({ ...look, wanted: '模型' });
    expect(page.found('嵌入模型很大')).toBe(`嵌入${ESCAPE}[1m模型${ESCAPE}[0m很大`);
  });
});

describe('progressLine()', () => {
  const watch = (isTerminal: boolean, verbose = false, quiet = false) => {
    let nowMs = 0;
    let written = '';
    const write = (text: string) => {
      written += text;
    };
    const stderr: Outlet = { isTerminal, columns: 80, write };
    const line = progressLine(stderr, { json: false, quiet, verbose }, () => nowMs);
    const at = (ms: number, done: number) => {
      nowMs = ms;
      line.update({ done, total: 1_000, path: 'a\u001b.md' });
    };
    return { at, clear: line.clear, written: () => written };
  };

  test('renews one line on a terminal, after a moment, and takes it away', () => {
    const shown = watch(true);
    shown.at(100, 100);
    expect(shown.written()).toBe('');
    shown.at(500, 500);
    expect(shown.written()).toBe(
      `\r${ESCAPE}[K[##########..........] 500 of 1,000 notes · 1,000 a second · 1 s left`,
    );
    shown.at(550, 550);
    expect(shown.written()).not.toContain('550');
    shown.clear();
    expect(shown.written().endsWith(`\r${ESCAPE}[K`)).toBe(true);
  });

  test('writes a line a second with --verbose, nothing in a pipe or with --quiet', () => {
    const verbose = watch(false, true);
    verbose.at(100, 100);
    verbose.at(200, 200);
    verbose.at(1_200, 1_000);
    expect(verbose.written()).toBe(
      '100 of 1,000 notes · 1,000 a second · 1 s left a.md\n1,000 of 1,000 notes · 833 a second a.md\n',
    );
    for (const silent of [watch(false), watch(true, false, true), watch(false, true, true)]) {
      silent.at(5_000, 500);
      silent.clear();
      expect(silent.written()).toBe('');
    }
  });
});
