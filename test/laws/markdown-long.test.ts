/** Laws of the scanner: it takes any text, in time that grows with its length, and its places lead back to the text. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scan } from '../../src/core/markdown/scan.js';
import type { ScannedNote } from '../../src/core/markdown/scanned-note.js';
import { differences } from '../format/oracle.js';
import { showLink } from '../format/views.js';

const BLOCK_SIGNS = [
  ...[
    '- ',
    '* ',
    '+ ',
    '1. ',
    '10) ',
    '> ',
    '>',
    '# ',
    '###### ',
    '```',
    '~~~',
    '````js',
    '    ',
    '  ',
    '\t',
    '---',
    '===',
  ],
  ...[
    '***',
    '| a | b |',
    '| - | - |',
    '|---|',
    'a|b',
    '<div>',
    '</div>',
    '<!-- ',
    '-->',
    '<?',
    '?>',
    '<pre>',
    '</pre>',
  ],
  ...['[x]: y', '[^1]: ', '- [ ] ', '[x] ', '\n', '\n', '\n', '\n\n', '\r\n'],
];
const INLINE_SIGNS = [
  ...[
    'a',
    'word ',
    'é',
    '日本',
    '😀',
    '[x](y)',
    '[x](<y z> "t")',
    '[x]',
    '[x][]',
    '![x](y)',
    '[x][x]',
    '`',
    '``',
    '\\',
  ],
  ...[
    '![',
    '[',
    ']',
    '](',
    '(',
    ')',
    '"',
    "'",
    '<b>',
    '<a href="x">',
    '**',
    '_',
    '~~',
    '&amp;',
    '<made-up:a.b>',
    ' ',
  ],
];
const OBSIDIAN_SIGNS = [
  ...[
    '[[a]]',
    '[[a#b|c]]',
    '![[',
    '[[',
    ']]',
    '$',
    '$$',
    '%%',
    '#tag',
    '#',
    '^id',
    ' ^id',
    'key:: value',
    '[k:: v]',
  ],
  ...[
    '(k:: ',
    '::',
    '> [!note] ',
    '\n---\n',
    '---\n',
    'a: 1\n',
    '- x\n',
    '{{',
    '<% ',
    '<<<<<<< a\n',
    '=======\n',
    '>>>>>>> b\n',
  ],
  ...['\u0000', '\ufeff', '\u2028', '\ud800', '\r', '⏳', ': ', '"x', 'a: [', '&a *a'],
];
const document = (signs: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...signs), { maxLength }).map((parts) => parts.join(''));
const hostile = fc.oneof(
  document([...BLOCK_SIGNS, ...INLINE_SIGNS, ...OBSIDIAN_SIGNS], 120),
  document([...BLOCK_SIGNS, ...INLINE_SIGNS, ...OBSIDIAN_SIGNS], 60).map(
    (text) => `---\n${text}\n---\n${text}`,
  ),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

const MARKER_LINES = /^\ufeff?(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|).*$/gm;

/** The same notes on every run; others with FUZZ_SEED=<number>. */
const seed = Number(process.env['FUZZ_SEED'] ?? 3);

/** Everything that has a place, with what it must lie in. */
function places(
  note: ScannedNote,
): readonly { readonly start: number; readonly end: number; readonly line: number }[] {
  const values = note.properties?.entries ?? [];
  return [
    ...note.headings,
    ...note.blocks,
    ...note.regions,
    ...note.items,
    ...note.links,
    ...note.tags,
    ...note.fields,
    ...note.blockIds,
    ...note.callouts,
    ...values.map(({ valueStart, valueEnd }) => placeOf(note, valueStart, valueEnd)),
  ];
}

/** A list's value starts on the line behind its key's. */
function placeOf(note: ScannedNote, start: number, end: number) {
  return { start, end, line: note.text.slice(0, start).split(/\r\n|\n|\r/).length };
}

describe('scan() on 500 hostile notes', () => {
  const hold = (law: (note: ScannedNote, text: string) => void) =>
    fc.assert(
      fc.property(hostile, (text) => law(scan(text), text)),
      { seed, numRuns: 400000 },
    );

  test('gives the text back from its lines, and from its blocks and the blanks between', () => {
    hold((note, text) => {
      const lines = [...note.lineStarts].map((start, line) => text.slice(start, note.lineStarts[line + 1]));
      expect(lines.join('')).toBe(text);
      let printed = text.slice(0, note.bodyStart);
      for (const { start, end } of note.blocks) {
        const gap = text.slice(printed.length, start);
        const words = gap.replace(MARKER_LINES, '');
        expect(words.replace(/[ \t\r\n\ufeff]/g, '')).toBe('');
        printed += gap + text.slice(start, end);
      }
      const rest = text.slice(printed.length).replace(MARKER_LINES, '');
      expect(rest.replace(/[ \t\r\n\ufeff]/g, '')).toBe('');
    });
  });

  test('places everything within the text, on its line', () => {
    hold((note, text) => {
      for (const { start, end, line } of places(note)) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThanOrEqual(start);
        expect(end).toBeLessThanOrEqual(text.length);
        expect(note.lineStarts[line - 1]!).toBeLessThanOrEqual(start);
        expect(note.lineStarts[line] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(start);
      }
      for (const item of note.items) {
        expect(item.textStart).toBeGreaterThanOrEqual(item.start);
        if (item.parent < 0) continue;
        expect(item.start).toBeGreaterThan(note.items[item.parent]!.start);
        expect(item.end).toBeLessThanOrEqual(note.items[item.parent]!.end);
      }
    });
  });

  test('keeps its lists in the order of the text', () => {
    hold((note) => {
      for (const list of [
        note.headings,
        note.blocks,
        note.regions,
        note.items,
        note.links,
        note.fields,
        note.tags,
      ]) {
        const starts = list.map(({ start }) => start);
        expect(starts).toEqual([...starts].sort((one, other) => one - other));
      }
    });
  });

  test('reads a link, a tag and a field alike from their own words', () => {
    hold((note, text) => {
      for (const link of note.links) {
        const words = text.slice(link.start, link.end);
        if (link.form === 'reference' || link.form === 'property' || /[\r\n]/.test(words)) continue;
        expect(scan(words).links.map(showLink)).toContain(showLink(link));
      }
      for (const { name } of note.tags) expect(scan(`#${name}`).tags.map((tag) => tag.name)).toEqual([name]);
      for (const { start, end, key, form } of note.fields)
        if (form !== 'line')
          expect(scan(`x ${text.slice(start, end)}`).fields.map((field) => field.key)).toContain(key);
    });
  });

  test('has no regard to the kind of line ending and to a byte order mark', () => {
    const shape = (note: ScannedNote) => ({
      links: note.links.map(({ kind, target, line }) => [kind, target, line]),
      headings: note.headings.map(({ level, line, text }) => [level, line, text]),
      items: note.items.map(({ line, endLine, depth, task }) => [line, endLine, depth, task]),
      regions: note.regions.map(({ kind, line, endLine }) => [kind, line, endLine]),
      tags: note.tags.map(({ name, line }) => [name, line]),
      ids: note.blockIds.map(({ id, firstLine, lastLine }) => [id, firstLine, lastLine]),
    });
    fc.assert(
      fc.property(hostile, (written) => {
        const text = written.replace(/\r\n?/g, '\n').replaceAll('\ufeff', '');
        const plain = shape(scan(text));
        expect(shape(scan(text.replaceAll('\n', '\r\n')))).toEqual(plain);
        expect(shape(scan(`\ufeff${text}`))).toEqual(plain);
      }),
      { seed, numRuns: 400000 },
    );
  });
});

test('scan() sees what remark sees in generated notes', () => {
  fc.assert(
    fc.property(document([...BLOCK_SIGNS, ...INLINE_SIGNS], 25), (text) => {
      const found = differences(`x\n\n${text}`);
      // Where one item is a matter of class, what stands inside it follows.
      if (found.every((difference) => difference.class === undefined)) expect(found).toEqual([]);
    }),
    { seed, numRuns: 40000 },
  );
});

/** Long enough that anything slower than linear would not end within the time limit. */
const LENGTH = 100_000;
const LONG_LINE = 500_000;
const LIMIT_MS = 30_000;
const REPEATED = [
  ...[
    '[',
    '[[',
    '![',
    '](',
    '[a](b',
    '[a](b "',
    '[a](b \'[a](b "',
    '[a](<b',
    '[a](b)',
    '![a](b)',
    '[a][b]',
    '[a]',
    ']',
  ],
  ...[
    '`',
    '` `` ',
    '` ``` ```` ',
    '<',
    '<a ',
    '<a b="',
    '<!--',
    'a <!-- b ',
    '<?',
    '<![CDATA[',
    '<!A ',
    '<http:',
    '&',
  ],
  ...[
    '$',
    '$a ',
    'a$ ',
    '$$',
    'a $$ ',
    '%%',
    '%% a ',
    '(a:: ',
    '[a:: ',
    '(',
    '((',
    '*',
    '_a',
    '**a',
    '~~',
    '\\',
    '\\[',
  ],
  ...[
    '#',
    '#a ',
    '#😀',
    '^a ',
    ' ^a',
    '|',
    '|a',
    '> ',
    '>',
    '- ',
    '> - ',
    '1. ',
    '\t',
    ' ',
    '-',
    '=',
    '~',
    ': ',
    '::',
    '日',
  ],
];
const SHAPES: readonly (readonly [name: string, make: (sign: string) => string])[] = [
  ['on one line', (sign) => `x ${sign.repeat(LONG_LINE / sign.length)}`],
  ['as a heading', (sign) => `# ${sign.repeat(LONG_LINE / sign.length)}`],
  ['in lines', (sign) => `${sign}\n`.repeat(LENGTH / (sign.length + 1))],
  ['in paragraphs', (sign) => `${sign}\n\n`.repeat(LENGTH / (sign.length + 2))],
  ['in items', (sign) => `- ${sign}\n`.repeat(LENGTH / (sign.length + 3))],
  [
    'in quotes 1,000 deep',
    (sign) => `${'> '.repeat(1000)}a\n${`${sign}\n`.repeat(LENGTH / (sign.length + 1))}`,
  ],
  [
    'in cells, with definitions',
    (sign) => `[a]: b\n\n|a|\n|-|\n${`|${sign}|\n`.repeat(LENGTH / (sign.length + 3))}`,
  ],
];

describe('scan() takes no more time than the length of a text asks for', () => {
  test.each(SHAPES)(
    'signs %s',
    (_, make) => {
      for (const sign of REPEATED) expect(scan(make(sign)).lineStarts.length).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );

  const TEXTS: readonly (readonly [name: string, text: string])[] = [
    ['100,000 list items', '- a\n'.repeat(100_000)],
    [
      'items 1,500 deep',
      Array.from({ length: 1500 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
    ],
    ['blank lines in items 5,000 deep', `${'- '.repeat(5000)}a\n${'\n'.repeat(100_000)}`],
    ['quoted blank lines in items 5,000 deep', `> ${'- '.repeat(5000)}a\n${'>\n'.repeat(100_000)}`],
    ['quotes 10,000 deep', `${'>'.repeat(10_000)}a\n${'b\n'.repeat(10_000)}`],
    ['an unclosed fence', `\`\`\`\n${'[[a]]\n'.repeat(80_000)}`],
    ['an unclosed comment', `<!--\n${'[[a]]\n'.repeat(80_000)}`],
    ['comments opened over and over', `${'> %%\n\n'.repeat(50_000)}%%`],
    ['math opened over and over', `${'> $$\n\n'.repeat(50_000)}$$`],
    ['conflicts left open', '<<<<<<< a\n=======\n'.repeat(20_000)],
    ['properties nested deep', `---\na: ${'['.repeat(100_000)}\n---\n`],
    ['properties nested deep by dashes', `---\n${'- '.repeat(50_000)}a\n---\n`],
    ['properties of many aliases', `---\na: &a 1\n${'b: *a\n'.repeat(20_000)}---\n`],
    [
      '100,000 properties',
      `---\n${Array.from({ length: 100_000 }, (_, at) => `k${at}: v`).join('\n')}\n---\n`,
    ],
    [
      'a list of many maps',
      `---\nx:\n${Array.from({ length: 10_000 }, (_, at) => `- k${at}: v`).join('\n')}\n---\n`,
    ],
  ];
  test.each(TEXTS)(
    '%s',
    (_, text) => {
      expect(scan(text).text).toBe(text);
    },
    LIMIT_MS,
  );
});
